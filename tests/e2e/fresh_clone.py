"""The README's commands as a stranger runs them: in clean clones, each with its own environment.

`python3 -m tests.e2e.fresh_clone`, by .ci/run. It clones what is committed, and uses the standard
library only: nothing is installed yet. The closing line of the suite is the last that it prints.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PASSED_ON = re.compile(r"^(pip|uv|ssl)_|_proxy$|_ca_bundle$", re.IGNORECASE)
"""Names of variables that an installer may need. Besides them a stranger has PATH."""
CONFIGURATION = {"PIP_CONFIG_FILE": ".config/pip/pip.conf", "UV_CONFIG_FILE": ".config/uv/uv.toml"}
"""Files in a user's home that installers read; the stranger's home is empty."""
RUNNING = re.compile(r"Gieok is running at (http://\S+)")
CLOSING = re.compile(r"\d+ (passed|failed|error)")
ENDS_S = 60
"""For everything that `make run` started to be gone after Ctrl-C."""


class Failed(Exception):
    """A command did not do what the README says; the text says what it did."""


def main() -> int:
    """Run all of them, say of each how it went, and return the exit status."""
    with tempfile.TemporaryDirectory(prefix="gieok-") as name:
        folder = Path(name).resolve()
        data = ROOT.parent / "shared"
        if data.exists():  # where tests look for conversations, beside the checkout
            (folder / "shared").symlink_to(data.resolve())
        environment = strangers_environment(folder)
        clone, other = _clone(folder / "gieok"), _clone(folder / "gieok-check")
        status, closing = _make_test(clone, environment)
        said = {
            "make test": "passed" if status == 0 else f"failed ({status})",
            "make run": _make_run(clone, environment),
            "make check": _make_check(other, environment),
        }
    for command, how in said.items():
        print(f"{command}: {how}")
    print(closing, flush=True)
    return 0 if set(said.values()) == {"passed"} else 1


def strangers_environment(folder: Path) -> dict[str, str]:
    """PATH, an empty home, and what installers need."""
    home = folder / "home"
    home.mkdir()
    files = {name: Path.home() / file for name, file in CONFIGURATION.items()}
    return {
        **{name: str(file) for name, file in files.items() if file.is_file()},
        **{name: value for name, value in os.environ.items() if PASSED_ON.search(name)},
        "PATH": os.environ["PATH"],
        "HOME": str(home),
    }


def _clone(folder: Path) -> Path:
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    return folder


def _make_test(clone: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """The exit status, and the line that the suite closed with."""
    closing = "make test did not come to a closing line"
    with subprocess.Popen(
        ["make", "test"],
        cwd=clone,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout
        for line in process.stdout:
            print(line, end="", flush=True)
            closing = line.rstrip() if CLOSING.search(line) else closing
    return process.returncode, closing


def _make_check(clone: Path, environment: Mapping[str, str]) -> str:
    status = subprocess.run(["make", "check"], cwd=clone, env=environment).returncode
    return "passed" if status == 0 else f"failed ({status})"


def _make_run(clone: Path, environment: Mapping[str, str]) -> str:
    """Start it, ask it how it is, end it by Ctrl-C, and look for what it left behind."""
    command = {**environment, "GIEOK_PORT": str(_free_port())}
    with subprocess.Popen(
        ["make", "run"],
        cwd=clone,
        env=command,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            _ask(_where(process))
            _end(process)
            _see_all_gone(clone)
        except (Failed, OSError) as error:
            return f"failed ({error})"
        finally:
            if process.poll() is None:
                _end(process)
    return "passed"


def _end(process: "subprocess.Popen[str]") -> None:
    """Press Ctrl-C: all of the session's foreground get the signal."""
    os.killpg(process.pid, signal.SIGINT)
    try:
        process.wait(ENDS_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise Failed(f"it did not end within {ENDS_S} s of Ctrl-C") from None


def _where(process: "subprocess.Popen[str]") -> str:
    """The URL of the line that says so."""
    assert process.stdout
    for line in process.stdout:
        print(line, end="", flush=True)
        if found := RUNNING.search(line):
            return found.group(1)
    raise Failed("it ended before it was running")


def _ask(url: str) -> None:
    with urllib.request.urlopen(f"{url}/healthz", timeout=10) as answer:
        if answer.status != 200:
            raise Failed(f"/healthz answered {answer.status}")


def _see_all_gone(clone: Path) -> None:
    """Wait until no process works in the clone, or runs a program of it."""
    until = time.monotonic() + ENDS_S
    while left := [p.name for p in Path("/proc").glob("[0-9]*") if _is_of(p, clone)]:
        if time.monotonic() > until:
            raise Failed(f"it left processes behind: {', '.join(left)}")
        time.sleep(0.2)


def _is_of(process: Path, clone: Path) -> bool:
    try:
        used = [(process / name).readlink() for name in ("cwd", "exe")]
    except OSError:  # gone meanwhile, or not ours
        return False
    return any(path.is_relative_to(clone) for path in used)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
