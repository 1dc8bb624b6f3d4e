"""Build what is deployed: `python -m infra.build EngineLayer|ChatFunction|… FOLDER`.

`sam build` calls this through the Makefile, and the tests build the same artifact for their own
interpreter. Wheels are chosen for the target. Bytecode is shipped and never checked against its
source: Lambda's /opt is read-only, and without bytecode google-genai alone takes twice as long to
import.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]

FUNCTIONS = {
    "ChatFunction": "chat",
    "MemoryWorkerFunction": "memory_worker",
    "RetentionSweepFunction": "retention",
}
MODULES = {
    "ChatFunction": "functions.chat.asgi",
    "MemoryWorkerFunction": "functions.memory_worker.handler",
    "RetentionSweepFunction": "functions.retention.handler",
}
"""What each function's process imports to begin with."""
LAYER = "EngineLayer"
LAMBDA_PYTHON = "3.13"

AWS_SERVICES = {"kms", "sqs", "sts"}
"""AWS services whose botocore data ships. The other 400 make up most of its size, and most of the
time that a first client takes."""
JUNK = ("__pycache__", "tests", "bin")
"""Names of folders that no function reads."""


class CannotBuild(Exception):
    """The build cannot be made; the text is one line that says what is missing."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where the artifact will run. `compiler` is the path of an interpreter of the same version."""

    version: str
    machine: str
    compiler: str

    @property
    def platforms(self) -> list[str]:
        """The platforms whose wheels it accepts, by pip's names."""
        return [f"manylinux{tag}_{self.machine}" for tag in ("2014", "_2_17", "_2_28")]


def lambda_target(architecture: str) -> Target:
    """Lambda's runtime. Raises `CannotBuild` when no interpreter of its version is installed."""
    compiler = next(filter(_runs, _candidates()), None)
    if compiler is None:
        raise CannotBuild(
            f"Python {LAMBDA_PYTHON} is needed to compile for Lambda: install it, or name one in"
            " LAMBDA_PYTHON"
        )
    return Target(LAMBDA_PYTHON, {"arm64": "aarch64"}.get(architecture, architecture), compiler)


def _candidates() -> Iterable[str]:
    """The named interpreter, the one on the PATH, and those that version managers keep by ours."""
    beside = Path(sys.base_prefix).parent.glob(f"*{LAMBDA_PYTHON}*/bin/python3")
    found = [os.environ.get("LAMBDA_PYTHON"), shutil.which(f"python{LAMBDA_PYTHON}")]
    return [*filter(None, found), *map(str, beside)]


def lambda_target_here() -> Target:
    """Lambda's runtime on this machine's processor. Raises `CannotBuild`."""
    return lambda_target(platform.machine())


def own_target() -> Target:
    """This interpreter on this machine, for tests."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Target(version, platform.machine(), sys.executable)


def build_layer(folder: Path, target: Target, *, installed: bool = False) -> None:
    """Fill `folder` with the engine and its packages, below `python/` as Lambda expects.

    With `installed` the packages are copied from this environment, which takes no network and fits
    this interpreter only.
    """
    python = folder / "python"
    if installed:
        _copy_installed(python)
    else:
        _install(python, target)
    shutil.copytree(ROOT / "shared" / "gieok", python / "gieok", ignore=_junk)
    _trim(python)
    _compile(python, target)


def build_function(name: str, folder: Path, target: Target) -> None:
    """Fill `folder` with one function, under the same module path that it has on a laptop."""
    package = folder / "functions"
    package.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "functions" / "__init__.py", package)
    shutil.copytree(ROOT / "functions" / name, package / name, ignore=_junk)
    _compile(package, target)


def build_all(folder: Path, target: Target, *, installed: bool = False) -> None:
    """Build the layer and every function, each in a folder named as in the template."""
    build_layer(folder / LAYER, target, installed=installed)
    for resource, name in FUNCTIONS.items():
        build_function(name, folder / resource, target)


def _install(python: Path, target: Target) -> None:
    platforms = [f"--platform={p}" for p in target.platforms]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--requirement", str(ROOT / "shared" / "requirements.txt")),
            *("--target", str(python), "--python-version", target.version),
            *("--implementation", "cp", "--only-binary=:all:", "--no-compile", *platforms),
        ]
    )
    if done.returncode:
        raise CannotBuild("pip could not get the wheels of shared/requirements.txt (see above)")


def _copy_installed(python: Path) -> None:
    """Copy the distributions that `requirements.txt` names for this interpreter."""
    for line in (ROOT / "shared" / "requirements.txt").read_text().splitlines():
        if not line[:1].isalpha():
            continue
        requirement = Requirement(line)
        if requirement.marker and not requirement.marker.evaluate():
            continue
        found = distribution(requirement.name)
        for file in found.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                target = python / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(found.locate_file(file)), target)


def _trim(python: Path) -> None:
    """Drop what no function reads: services of AWS, type stubs, tests, scripts."""
    _trim_services(python / "botocore" / "data")
    for junk in JUNK:
        for found in [p for p in python.rglob(junk) if p.is_dir()]:
            shutil.rmtree(found, ignore_errors=True)
    for stub in python.rglob("*.pyi"):
        stub.unlink()


def _trim_services(data: Path) -> None:
    for entry in data.iterdir():
        if entry.is_dir() and entry.name not in AWS_SERVICES:
            shutil.rmtree(entry)
    endpoints = json.loads((data / "endpoints.json").read_bytes())
    for partition in endpoints["partitions"]:
        served = partition["services"]
        partition["services"] = {name: served[name] for name in AWS_SERVICES & served.keys()}
    (data / "endpoints.json").write_text(json.dumps(endpoints, sort_keys=True))


def _compile(folder: Path, target: Target) -> None:
    mode = ("--invalidation-mode", "unchecked-hash")
    # Bytecode must not name the build folder, so that the same source gives the same artifact.
    where = ("-s", str(folder), "-p", folder.name)
    subprocess.run(
        [target.compiler, "-m", "compileall", "-q", "-j", "0", *mode, *where, str(folder)],
        check=True,
    )


def _junk(_: str, names: Iterable[str]) -> set[str]:
    return set(names) & set(JUNK)


def _runs(compiler: str) -> bool:
    """Whether it is an interpreter of Lambda's version; a version manager's shim may be of none."""
    code = "import sys; print(*sys.version_info[:2], sep='.')"
    try:
        answer = subprocess.run([compiler, "-c", code], capture_output=True, text=True)
    except OSError:
        return False
    return answer.stdout.strip() == LAMBDA_PYTHON


def main() -> int:
    """Build one resource of the template for Lambda; returns the exit status."""
    parser = argparse.ArgumentParser(description="Build one resource of template.yaml.")
    parser.add_argument("resource", choices=[LAYER, *FUNCTIONS])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--architecture", choices=["arm64", "x86_64"], default="arm64")
    given = parser.parse_args()
    try:
        target = lambda_target(given.architecture)
        if given.resource == LAYER:
            build_layer(given.folder, target)
        else:
            build_function(FUNCTIONS[given.resource], given.folder, target)
    except CannotBuild as error:
        print(f"build: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
