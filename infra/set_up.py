"""Set up what a make target runs in: `python -m infra.set_up GROUP`, by the Makefile.

It runs before anything is installed: the standard library only.
"""

import hashlib
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LAYER = "shared/requirements.txt"
FILES = ("pyproject.toml", LAYER)
"""What an environment is made from: when one of them changes it is set up again."""
PIP = "pip>=25.3"
"""The first one that reads dependency groups and resolves ours quickly."""
LOOK_S = 0.5
"""Between two looks at how far pip is."""
LINE_S = 10.0
"""Between two lines about it in a log."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Where a group is installed, and about how much that downloads.

    Packages and MB are those of `pip download` on Linux, x86_64, Python 3.11.
    """

    folder: str
    packages: int
    megabytes: int
    pinned: bool = True
    """Whether the layer's packages are in it, as they are pinned."""
    within: tuple[str, ...] = ()
    """Groups that include this one, so that it is there when one of them is."""


ENVIRONMENTS = {
    "local": Environment(".venv", 94, 190, within=("test", "check")),
    "test": Environment(".venv", 113, 205, within=("check",)),
    "check": Environment(".venv", 133, 250),
    "sam": Environment(".venv-build", 83, 60, pinned=False),
    "mem0": Environment(".venv-bench", 37, 40, pinned=False),
}
"""By dependency group of pyproject.toml."""


def main(group: str, root: Path = ROOT) -> int:
    """Set up the group's environment unless it is; returns the exit status."""
    environment = ENVIRONMENTS[group]
    folder = root / environment.folder
    why = unusable(folder)
    made_from = fingerprint(root)
    stamps = [folder / name for name in (group, *environment.within)]
    if not why and made_from in [stamp.read_text() for stamp in stamps if stamp.is_file()]:
        return 0
    if why and folder.exists():
        _say(f"{environment.folder} {why}: it is made anew")
    _say(
        f"Setting up {environment.folder} ({group}): about {environment.packages} packages,"
        f" {environment.megabytes} MB to download unless pip has them"
    )
    begun = time.monotonic()
    try:
        done = (not why or _make(folder)) and _install(group, environment, folder, root)
    except KeyboardInterrupt:
        _say("interrupted; the next try goes on from here")
        return 130
    if done:
        (folder / group).write_text(made_from)
        _say(f"{environment.folder} is ready after {time.monotonic() - begun:.0f} s")
    return 0 if done else 1


def fingerprint(root: Path) -> str:
    """A digest of what an environment is made from."""
    return hashlib.sha256(b"".join((root / name).read_bytes() for name in FILES)).hexdigest()


def unusable(folder: Path) -> str:
    """Why this Python cannot use an environment, as the end of a sentence; "" when it can."""
    config = folder / "pyvenv.cfg"
    if not config.is_file():
        return "is not an environment of Python's"
    if not (folder / "bin" / "python").exists():
        return "was made with a Python that is gone"
    if not (folder / "bin" / "pip").exists():
        return "was not finished"
    found = re.search(r"^version(?:_info)? *= *(\d+\.\d+\.\d+)", config.read_text(), re.MULTILINE)
    version = found.group(1) if found else "unknown"
    ours = ".".join(map(str, sys.version_info[:3]))
    return "" if version == ours else f"was made with Python {version}, not {ours}"


def _make(folder: Path) -> bool:
    # What it lacks (Debian keeps ensurepip in a package of its own) it says itself.
    return subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)]).returncode == 0


def _install(group: str, environment: Environment, folder: Path, root: Path) -> bool:
    """Let pip install the group, and show how far it is."""
    layer = ["--constraint", LAYER, "--requirement", LAYER] if environment.pinned else []
    log = folder / "set-up.log"
    with log.open("w") as file:
        for wanted in ([PIP], [*layer, "--group", group]):
            command = [str(folder / "bin" / "python"), "-m", "pip", "install", *wanted]
            quiet = ["--disable-pip-version-check", "--progress-bar=off"]
            with subprocess.Popen([*command, *quiet], stdout=file, stderr=file, cwd=root) as pip:
                _follow(pip, log, environment.packages)
            if pip.returncode:
                _say(complaint(log.read_text()), f"pip could not set it up; see {log}")
                return False
    return True


def _follow(pip: "subprocess.Popen[bytes]", log: Path, packages: int) -> None:
    """Until pip ends, say how far it is: in place on a terminal, now and then in a log."""
    begun, terminal = time.monotonic(), sys.stderr.isatty()
    said = begun
    while pip.poll() is None:
        time.sleep(LOOK_S)
        now = time.monotonic()
        installed = len([*log.parent.glob("lib/python*/site-packages/*.dist-info")])
        text = f"  {progress(log.read_text(), packages, installed)}, {now - begun:.0f} s"
        if terminal:
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
        elif now - said >= LINE_S:
            _say(text)
            said = now
    if terminal:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def progress(log: str, packages: int, installed: int) -> str:
    """How far pip is, by what it has said and installed, with about as many packages to get."""
    if "Installing collected packages" in log:
        return f"installing: {min(installed, packages)} of about {packages} packages"
    seen = len(re.findall(r"^(?:Collecting|Processing) ", log, re.MULTILINE))
    return f"downloading: {min(seen, packages)} of about {packages} packages"


def complaint(log: str) -> str:
    """What pip calls errors, or the last that it said."""
    lines = log.splitlines()
    return "\n".join([line for line in lines if line.startswith("ERROR")] or lines[-3:])


def _say(*lines: str) -> None:
    print(*lines, sep="\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
