"""The laptop run as a user meets it: one command, one line, nothing lost, nothing left behind."""

import http.client
import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from infra.local.home import Home
from infra.local.processes.family import ROOT, Family, base_environment, python
from infra.local.run import DATABASE
from infra.local.servers import http_server, key_file, postgres


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has said where it is."""

    process: "subprocess.Popen[str]"
    port: int
    said: list[str]

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse().read()
        connection.close()
        return json.loads(answer)

    def token(self, user: str) -> str:
        return str(self.ask("POST", "/dev/token", {"user": user})["accessToken"])

    def family(self) -> list[psutil.Process]:
        """All processes of the run but the supervisor."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, how: signal.Signals) -> tuple[int, str]:
        """The exit status, and what was said on standard error."""
        self.process.send_signal(how)
        _, complaints = self.process.communicate(timeout=60)
        return self.process.returncode, complaints


def options(home: Path, port: int) -> dict[str, str]:
    """As little as a shell gives."""
    path = {"PATH": os.environ["PATH"], "PYTHONPATH": base_environment()["PYTHONPATH"]}
    return {**path, "GIEOK_HOME": str(home), "GIEOK_PORT": str(port)}


def free_port() -> int:
    with http_server.bind() as bound:
        port: int = bound.getsockname()[1]
        return port


@contextmanager
def running(home: Path, port: int) -> Iterator[Run]:
    with subprocess.Popen(
        python("infra.local"),
        env=options(home, port),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        said = [process.stdout.readline(), process.stdout.readline()]
        try:
            assert said[0], process.communicate()[1]
            yield Run(process, port, said)
        finally:
            process.terminate()


def refused(environment: Mapping[str, str]) -> str:
    """What a run says that does not start; it says one line and nothing else."""
    done = subprocess.run(
        python("infra.local"), env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    return line


def gone(processes: list[psutil.Process]) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=20)
    return all(p.status() == psutil.STATUS_ZOMBIE for p in alive)


def test_a_run_lives_through_a_kill_and_ends_by_ctrl_c(tmp_path: Path) -> None:
    """One story, since each start costs seconds."""
    port = free_port()
    with running(tmp_path, port) as run:
        assert run.said[0] == f"Gieok is running at http://127.0.0.1:{port}\n"
        assert "offline rules" in run.said[1]
        token = run.token("somebody")
        characters = run.ask("GET", "/v1/characters", token=token)["characters"]
        assert len(characters) == 2
        talk = {"characterId": characters[0]["id"]}
        session = run.ask("POST", "/v1/sessions", talk, token)
        assert "another run" in refused(options(tmp_path, free_port()))
        family = run.family()
        assert run.end(signal.SIGKILL)[0] == -signal.SIGKILL
    assert gone(family)

    with running(tmp_path, port) as run:
        token = run.token("somebody")
        found = run.ask("GET", "/v1/sessions", token=token)["sessions"]
        assert [each["id"] for each in found] == [session["id"]]
        family = run.family()
        listed = {process.name() for process in family}
        assert {"postgres", "valkey-server"} <= listed
        assert run.end(signal.SIGINT) == (0, "")
    assert gone(family)
    assert {"postgres", "key", "logs"} <= {path.name for path in tmp_path.iterdir()}
    assert not {"children.jsonl", "run"} & {path.name for path in tmp_path.iterdir()}


def test_a_run_without_one_of_its_processes_stops_and_says_which(tmp_path: Path) -> None:
    with running(tmp_path, free_port()) as run:
        family = run.family()
        (worker,) = (p for p in family if "infra.local.processes.poller" in p.cmdline())
        worker.kill()
        _, complaints = run.process.communicate(timeout=60)
        assert run.process.returncode == 1
        (line,) = complaints.splitlines()
    assert line.startswith("gieok: memory_worker stopped (SIGKILL)")
    assert gone(family)


def test_a_taken_port_is_one_line_that_says_how_to_choose_another(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refused(options(tmp_path, port))
    assert line == f"gieok: port {port} is in use by another program; set GIEOK_PORT to another one"
    assert not (tmp_path / "postgres").exists()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("GIEOK_PORT", "eighty", "gieok: GIEOK_PORT must be 1 to 65535"),
        ("GIEOK_POLICY", "strict", "gieok: GIEOK_POLICY: only 'companion' exists"),
        ("GIEOK_HOME", "/dev/null/home", "gieok: cannot write to /dev/null/home"),
    ],
)
def test_a_setting_that_cannot_work_is_one_line(
    tmp_path: Path, name: str, value: str, says: str
) -> None:
    assert refused({**options(tmp_path, 8700), name: value}).startswith(says)


def test_a_folder_of_a_pre_release_is_refused_in_one_line(tmp_path: Path) -> None:
    home = Home.open(tmp_path / "home")
    key_file.ensure(home.key_file, home.database)
    with home.sockets() as sockets, Family(home.children, home.logs) as family:
        server = postgres.start(home.database, sockets, family)
        server.create_database(DATABASE)
        with psycopg.connect(server.url(database=DATABASE)) as connection:
            connection.execute(
                "CREATE SCHEMA ops; CREATE TABLE ops.migrations (version integer, name text,"
                " checksum text, vector_width integer, applied_at timestamptz);"
                "INSERT INTO ops.migrations VALUES (1, '0001_create_schemas_and_roles', '', 768)"
            )
    run = subprocess.run(
        python("infra.local"),
        env=options(home.folder, free_port()),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    (line,) = run.stderr.splitlines()
    assert run.returncode == 1
    assert line == (
        f"gieok: {home.folder} was made by a pre-release, whose data this version cannot read:"
        " remove that folder, or set GIEOK_HOME to another one"
    )
