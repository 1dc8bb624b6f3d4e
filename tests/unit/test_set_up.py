"""Setting up an environment: whether it can be used, how far it is, and what went wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra import set_up

OURS = ".".join(map(str, sys.version_info[:3]))


def environment(folder: Path, version: str) -> Path:
    """What an environment of some Python looks like from outside."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(sys.executable)
    (folder / "bin" / "pip").touch()
    (folder / "pyvenv.cfg").write_text(f"home = /usr/bin\nversion = {version}\n")
    return folder


def test_an_environment_of_this_python_is_used(tmp_path: Path) -> None:
    assert set_up.unusable(environment(tmp_path / "env", OURS)) == ""


def test_an_environment_of_another_python_says_of_which(tmp_path: Path) -> None:
    found = set_up.unusable(environment(tmp_path / "env", "3.10.13"))
    assert found == f"was made with Python 3.10.13, not {OURS}"


def test_an_environment_whose_python_is_gone_is_not_used(tmp_path: Path) -> None:
    folder = environment(tmp_path / "env", OURS)
    (folder / "bin" / "python").unlink()
    (folder / "bin" / "python").symlink_to(tmp_path / "gone")
    assert set_up.unusable(folder) == "was made with a Python that is gone"


def test_an_environment_that_was_not_finished_is_not_used(tmp_path: Path) -> None:
    folder = environment(tmp_path / "env", OURS)
    (folder / "bin" / "pip").unlink()
    assert set_up.unusable(folder) == "was not finished"


def test_a_set_up_environment_is_left_alone_until_its_packages_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "shared").mkdir()
    for name in set_up.FILES:
        (tmp_path / name).touch()
    folder = environment(tmp_path / ".venv", OURS)
    (folder / "local").write_text(set_up.fingerprint(tmp_path))
    assert set_up.main("local", tmp_path) == 0
    (folder / "local").rename(folder / "check")
    assert set_up.main("local", tmp_path) == 0, "check includes local"
    assert capsys.readouterr().err == ""
    (tmp_path / "pyproject.toml").write_text("[dependency-groups]\nlocal = []\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    (folder / "bin" / "python").unlink()
    (folder / "bin" / "python").symlink_to("/bin/false")
    assert set_up.main("local", tmp_path) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("Setting up .venv (local): about ")
    assert said[-1] == f"pip could not set it up; see {folder / 'set-up.log'}"


def test_how_far_pip_is_is_told_by_what_it_says() -> None:
    log = "Collecting a\n  Downloading a.whl\nProcessing /somewhere/b.whl\n"
    assert set_up.progress(log, 90, 2) == "downloading: 2 of about 90 packages"
    log += "Installing collected packages: a, b\n"
    assert set_up.progress(log, 90, 41) == "installing: 41 of about 90 packages"


def test_of_a_failure_pips_own_errors_are_shown() -> None:
    assert set_up.complaint("Collecting a\nERROR: no a\nbye\n") == "ERROR: no a"
    assert set_up.complaint("1\n2\n3\n4\n") == "2\n3\n4"


@pytest.mark.parametrize("answer", ["echo 3.10.13; exit 1", "exit 127"])
def test_a_python_that_is_too_old_or_missing_is_one_line_before_anything(
    tmp_path: Path, answer: str
) -> None:
    python = tmp_path / "python3.10"
    python.write_text(f"#!/bin/sh\n{answer}\n")
    python.chmod(0o755)
    done = subprocess.run(
        ["make", "--no-print-directory", "run", f"PYTHON={python}"],
        cwd=set_up.ROOT,
        env={"PATH": os.environ["PATH"]},  # as from a shell, not from `make test`
        capture_output=True,
        text=True,
    )
    line, failed = done.stderr.splitlines()
    found = "3.10.13" if "echo" in answer else "missing"
    assert line == (
        f"Gieok needs Python 3.11 or newer; {python} is {found}."
        " Name another: make run PYTHON=python3.12"
    )
    assert failed.startswith("make: ***")
    assert done.returncode
    assert not done.stdout
