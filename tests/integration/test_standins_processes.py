"""Children end with their supervisor, however it ends, and nobody else is ever touched."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from infra.local.errors import CannotRun
from infra.local.processes import leftovers
from infra.local.processes.family import Child, Family, base_environment
from infra.local.processes.leftovers import Trace

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
DEAF = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print('deaf', flush=True); time.sleep(600)",
]
ORPHANING = """
import sys, time
from pathlib import Path
from infra.local.processes.family import Family
with Family(Path(sys.argv[1]), Path(sys.argv[2])) as family:
    child = family.start("sleeper", [sys.executable, "-c", "import time; time.sleep(600)"])
    print(child.process.pid, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def family(tmp_path: Path) -> Iterator[Family]:
    with Family(tmp_path / "children", tmp_path) as made:
        yield made


def says(child: Child, text: str) -> bool:
    return text in child.log.read_text()


def test_children_are_stopped_last_one_first_and_leave_no_record(tmp_path: Path) -> None:
    record, ended = tmp_path / "children", tmp_path / "ended"
    with Family(record, tmp_path) as family:
        for name in ("first", "second"):
            script = (
                f"trap 'echo {name} >> {ended}; exit' TERM; echo up; while :; do sleep .01; done"
            )
            child = family.start(name, ["sh", "-c", script])
            family.wait(child, partial(says, child, "up"), 10)
        assert len(record.read_text().splitlines()) == 3  # with the warden
    assert ended.read_text().split() == ["second", "first"]
    assert not record.exists()


def test_a_child_that_does_not_listen_is_killed_after_its_grace(tmp_path: Path) -> None:
    with Family(tmp_path / "children", tmp_path) as family:
        child = family.start("deaf", DEAF, grace_s=0.1)
        family.wait(child, lambda: says(child, "deaf"), 10)
    assert child.process.returncode == -signal.SIGKILL


def test_a_dead_child_is_named_with_its_status_and_its_last_words(family: Family) -> None:
    script = "import sys; print('first'); print('the reason', file=sys.stderr); sys.exit(3)"
    child = family.start("fragile", [sys.executable, "-c", script])
    child.process.wait()
    with pytest.raises(CannotRun, match=r"^fragile stopped \(exit status 3\): the reason \(see .*"):
        family.check()


def test_last_words_of_an_earlier_run_are_not_repeated(family: Family) -> None:
    (family.logs / "silent.log").write_text("old complaint\n")
    child = family.start("silent", [sys.executable, "-c", "raise SystemExit(1)"])
    child.process.wait()
    assert "it said nothing" in child.obituary()


def test_waiting_for_a_child_that_dies_ends_at_once(family: Family) -> None:
    child = family.start("brief", [sys.executable, "-c", "raise SystemExit('no')"])
    with pytest.raises(CannotRun, match="brief stopped"):
        family.wait(child, lambda: False, 60)


def test_a_missing_program_is_one_line(family: Family) -> None:
    with pytest.raises(CannotRun, match=r"^cannot start ghost: /nowhere: No such file"):
        family.start("ghost", ["/nowhere"])


def test_a_killed_supervisor_takes_its_children_along(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ORPHANING, str(tmp_path / "children"), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=base_environment()) as supervisor:
        assert supervisor.stdout
        child = psutil.Process(int(supervisor.stdout.readline()))
        supervisor.kill()
    psutil.wait_procs([child], timeout=20)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_the_next_supervisor_ends_what_a_killed_one_left(tmp_path: Path) -> None:
    with subprocess.Popen(SLEEPER) as leftover:
        trace = Trace.of(leftover.pid, signal.SIGTERM)
        leftovers.write(tmp_path / "children", [trace])
        with Family(tmp_path / "children", tmp_path):
            assert leftover.wait() == -signal.SIGTERM


def test_a_process_that_was_given_an_old_id_is_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(SLEEPER) as stranger:
        trace = Trace.of(stranger.pid, signal.SIGTERM)
        earlier = Trace(trace.pid, trace.started - 60, signal.SIGTERM)
        leftovers.write(tmp_path / "children", [earlier])
        with Family(tmp_path / "children", tmp_path):
            assert stranger.poll() is None
        stranger.kill()


@pytest.mark.parametrize("damage", ["", "{", "[]\n", json.dumps({"pid": 1}) + "\n", "\x00\xff"])
def test_a_damaged_record_ends_nobody(tmp_path: Path, damage: str) -> None:
    record = tmp_path / "children"
    record.write_text(damage)
    assert leftovers.read(record) == []


def test_children_see_no_aws_set_up_and_reach_loopback_past_a_proxy() -> None:
    users = {
        "PATH": os.environ["PATH"],
        "AWS_PROFILE": "production",
        "AWS_SESSION_TOKEN": "x",
        "HTTPS_PROXY": "http://proxy",
        "NO_PROXY": "intranet",
    }
    seen = base_environment(users)
    assert not [name for name in seen if name.startswith("AWS_")]
    assert seen["HTTPS_PROXY"] == "http://proxy"
    assert seen["NO_PROXY"] == seen["no_proxy"] == "intranet,127.0.0.1,localhost"
