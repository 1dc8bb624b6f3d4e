"""The folders of programs that come as Python wheels."""

import importlib.util
from pathlib import Path

from infra.local.errors import CannotRun


def folder_of(package: str) -> Path:
    """The folder of an installed package, found without importing it.

    Both wheels bring a Python layer that we don't want: importing it touches the user's runtime
    folder and warns, and starting a server with it opens up the permissions of all parent folders.
    Raises `CannotRun` when the package is not installed.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise CannotRun(f"{package} is not installed: `make run` installs what a run needs")
    return Path(spec.submodule_search_locations[0])
