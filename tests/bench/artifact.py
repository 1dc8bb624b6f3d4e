"""Imports of the artifact that would be deployed, built for the purpose."""

import tempfile
from pathlib import Path

from tqdm import tqdm

from infra.build import CannotBuild
from tests.bench import imports

KEYS = ("chat_s", "worker_s", "sweep_s", "layer_mb")


def measure_imports(runs: int) -> dict[str, float | str | None]:
    """Build and measure; nulls for no runs, and (with a line why) where it cannot be built."""
    if not runs:
        return dict.fromkeys(KEYS)
    with tempfile.TemporaryDirectory() as folder:
        artifact = Path(folder).resolve()
        try:
            python = imports.build_artifact(artifact)
        except CannotBuild as error:
            tqdm.write(f"the artifact cannot be built here: {error}")
            return dict.fromkeys(KEYS)
        measured = imports.measure(artifact, python, runs)
        return {key: measured[key] for key in KEYS}
