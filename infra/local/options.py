"""What a user chooses for a laptop run, by environment variables."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gieok.errors import Misconfigured
from gieok.settings import read_policy
from infra.local.errors import CannotRun


@dataclass(frozen=True, slots=True)
class Options:
    """The port and the folder of a run, from GIEOK_PORT and GIEOK_HOME.

    `environ` has all variables, those of the model providers and of the policy as well.
    """

    port: int
    folder: Path
    environ: Mapping[str, str]

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> "Options":
        """Read the options. Raises `CannotRun` naming the variable that makes no sense."""
        port = environ.get("GIEOK_PORT") or "8700"
        if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
            raise CannotRun("GIEOK_PORT must be 1 to 65535")
        try:
            read_policy(environ)
        except Misconfigured as error:
            raise CannotRun(str(error)) from error
        return cls(int(port), Path(environ.get("GIEOK_HOME") or ".gieok"), environ)


def policies(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that tell the functions how to make memories and how to recall them."""
    names = ("GIEOK_RECALL", "GIEOK_REWRITE", "GIEOK_EARLY_TRIGGER")
    return {name: environ[name] for name in names if environ.get(name)}
