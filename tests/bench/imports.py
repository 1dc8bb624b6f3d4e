"""What a cold start costs before its first event: the imports of the built artifact, and its size.

A run is a fresh process that imports what Lambda imports and ends at once: the interpreter's own
start counts, its tear-down does not. Files are read from the page cache.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from infra import build

KEYS = {
    "ChatFunction": "chat_s",
    "MemoryWorkerFunction": "worker_s",
    "RetentionSweepFunction": "sweep_s",
}


def build_artifact(folder: Path) -> str:
    """Build layer and functions into `folder` as `make build` does, for this machine's processor.

    Returns the interpreter they are for: of Lambda's version, or where there is none (or no network
    to fetch its wheels) the running one, with the packages installed beside it.
    """
    own = build.own_target()
    if own.version != build.LAMBDA_PYTHON:
        try:
            target = build.lambda_target_here()
            build.build_all(folder, target)
        except build.CannotBuild as error:
            print(f"imports: {error}; measured with Python {own.version}", file=sys.stderr)
        else:
            return target.compiler
    build.build_all(folder, own, installed=True)
    return own.compiler


def measure(artifact: Path, python: str, runs: int) -> dict[str, float | str]:
    """Medians of `runs` cold processes a function, in seconds, and the layer's megabytes unzipped.

    Keys: chat_s, worker_s, sweep_s, layer_mb, and `python`, the version that was measured. The
    functions take turns, so that a busy moment of the machine falls on all of them.
    """
    _versions_agree(artifact, python)
    times: dict[str, list[float]] = {resource: [] for resource in KEYS}
    for run in range(runs + 1):
        for resource, taken in times.items():
            seconds = _cold_import(artifact, python, resource)
            if run:  # the first one fills the page cache
                taken.append(seconds)
    medians = {KEYS[resource]: round(median(taken), 3) for resource, taken in times.items()}
    return {**medians, "layer_mb": _megabytes(artifact / build.LAYER), "python": _version(python)}


def _cold_import(artifact: Path, python: str, resource: str) -> float:
    code = f"import {build.MODULES[resource]}, os; os._exit(0)"
    paths = f"{artifact / build.LAYER / 'python'}:{artifact / resource}"
    started = time.perf_counter()
    # Without `site`, so that nothing but the artifact can be imported.
    subprocess.run([python, "-S", "-c", code], env={"PYTHONPATH": paths}, cwd=artifact, check=True)
    return time.perf_counter() - started


def _versions_agree(artifact: Path, python: str) -> None:
    """Bytecode of another version would be compiled anew at each start. Raises `ValueError`."""
    major, minor, _ = _version(python).split(".")
    tag = f"cpython-{major}{minor}"
    if not [*(artifact / build.LAYER / "python" / "gieok").rglob(f"__init__.{tag}.pyc")]:
        raise ValueError(f"{artifact} holds no bytecode for {python} ({tag})")


def _version(python: str) -> str:
    code = "import platform; print(platform.python_version())"
    return subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip()


def _megabytes(folder: Path) -> float:
    return round(sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6, 1)


def main() -> None:
    """Build, measure and print: `python -m tests.bench.imports [runs]`."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as folder:
        artifact = Path(folder).resolve()
        print(json.dumps(measure(artifact, build_artifact(artifact), runs)))


if __name__ == "__main__":
    main()
