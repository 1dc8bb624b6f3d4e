"""The folder of a run: one run at a time, short socket paths, keys that are never replaced."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local.errors import CannotRun
from infra.local.home import LONGEST_SOCKET, Home
from infra.local.options import Options, policies
from infra.local.processes.family import base_environment
from infra.local.servers import key_file

HOLDING = """
import sys
from pathlib import Path
from infra.local.home import Home
with Home.open(Path(sys.argv[1])).locked():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_run_on_the_same_home_is_refused_and_told_who_holds_it(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=base_environment(),
    ) as holder:
        assert holder.stdout
        holder.stdout.readline()
        with pytest.raises(CannotRun, match=f"process {holder.pid}"), Home(tmp_path).locked():
            pass
        holder.kill()
    with Home(tmp_path).locked():
        assert Home(tmp_path).lock.read_text() == f"{os.getpid()}\n"


def test_a_home_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(CannotRun, match=r"^cannot write to .*/home \(.*\); set GIEOK_HOME"):
        Home.open(tmp_path / "home")


def test_a_folder_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Home.open(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_sockets_lie_in_the_home_when_their_path_is_short(tmp_path: Path) -> None:
    with Home(tmp_path).sockets() as sockets:
        assert sockets == tmp_path / "run"
        assert sockets.stat().st_mode & 0o777 == 0o700
    assert not sockets.exists()


@pytest.mark.parametrize("name", ["가" * 40, "a,b", 'a"b', "100%", "a?b"])
def test_sockets_lie_in_a_short_closed_folder_when_a_path_cannot_carry_them(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).mkdir()
    with Home(tmp_path / name).sockets() as sockets:
        assert len(os.fsencode(sockets / ".s.PGSQL.5432.lock")) <= LONGEST_SOCKET
        assert sockets.parent == Path("/tmp")
        assert sockets.stat().st_mode & 0o777 == 0o700
    assert not sockets.exists()


def test_a_short_folder_that_somebody_planted_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a,b").mkdir()
    with Home(tmp_path / "a,b").sockets() as planted:
        pass
    planted.symlink_to(tmp_path)
    try:
        with pytest.raises(CannotRun, match="not our folder"), Home(tmp_path / "a,b").sockets():
            pass
    finally:
        planted.unlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_short_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a,b").mkdir()
    with Home(tmp_path / "a,b").sockets() as anothers:
        os.chown(anothers, 65534, 65534)
        with pytest.raises(CannotRun, match="not our folder"), Home(tmp_path / "a,b").sockets():
            pass


def test_a_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key_file.ensure(key, tmp_path / "data")
    first = key.read_text()
    key_file.ensure(key, tmp_path / "data")
    assert key.read_text() == first
    assert len(bytes.fromhex(first.strip())) == key_file.KEY_BYTES
    assert key.stat().st_mode & 0o777 == 0o600


def test_a_lost_key_is_not_replaced_while_there_is_data_that_needs_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with pytest.raises(CannotRun, match="unreadable without it"):
        key_file.ensure(tmp_path / "key", tmp_path / "data")
    assert not (tmp_path / "key").exists()


@pytest.mark.parametrize("content", ["", "00" * 31, "zz" * 32, "00" * 33])
def test_a_damaged_key_is_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "key").write_text(content)
    with pytest.raises(CannotRun, match="damaged"):
        key_file.ensure(tmp_path / "key", tmp_path / "data")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIEOK_PORT", "0"),
        ("GIEOK_PORT", "65536"),
        ("GIEOK_PORT", "-1"),
        ("GIEOK_PORT", "http"),
        ("GIEOK_PORT", "８７００"),
        ("GIEOK_POLICY", "enterprise"),
        ("GIEOK_RECALL", "best"),
        ("GIEOK_REWRITE", "yes"),
        ("GIEOK_EARLY_TRIGGER", "yes"),
    ],
)
def test_an_option_that_makes_no_sense_is_named(name: str, value: str) -> None:
    with pytest.raises(CannotRun, match=name):
        Options.read({name: value})


def test_an_empty_option_is_its_default() -> None:
    options = Options.read({"GIEOK_PORT": "", "GIEOK_HOME": "", "GIEOK_POLICY": ""})
    assert (options.port, options.folder) == (8700, Path(".gieok"))


def test_what_a_user_chooses_of_the_policy_is_handed_on() -> None:
    chosen = {
        "GIEOK_RECALL": "source",
        "GIEOK_REWRITE": "when_asked",
        "GIEOK_EARLY_TRIGGER": "on",
    }
    assert policies({**chosen, "GIEOK_PORT": "1"}) == chosen
    assert policies({"GIEOK_RECALL": ""}) == {}
