"""The embedded PostgreSQL survives every way of ending, and says nothing it should not."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from infra.local.errors import CannotRun
from infra.local.processes.family import Family
from infra.local.servers import postgres
from infra.local.servers.postgres import Postgres


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Family]:
    folder = tmp_path_factory.mktemp("family")
    with Family(folder / "children", folder) as made:
        yield made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, family: Family) -> Postgres:
    folder = tmp_path_factory.mktemp("postgres")
    (folder / "run").mkdir(mode=0o700)
    return postgres.start(folder / "data", folder / "run", family, durable=False)


def one(server: Postgres, query: str) -> object:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        row = connection.execute(query.encode()).fetchone()
        return row[0] if row else None


def generate(server: Postgres, text: str) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (text text)")
        connection.execute("INSERT INTO kept VALUES (%s)", (text,))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT current_setting('server_version_num')::int / 10000", postgres.VERSION),
        ("SHOW listen_addresses", ""),
        ("SHOW server_encoding", "UTF8"),
        ("SELECT datlocale FROM pg_database WHERE datname = 'template1'", "C.UTF-8"),
        ("SELECT datlocprovider::text FROM pg_database WHERE datname = 'template1'", "b"),
        (
            "SELECT default_version >= '0.8' FROM pg_available_extensions WHERE name = 'vector'",
            True,
        ),
    ],
)
def test_it_is_the_server_we_say_it_is(server: Postgres, query: str, expected: object) -> None:
    assert one(server, query) == expected


def test_a_database_is_made_once_and_may_copy_another(server: Postgres) -> None:
    server.create_database("copied", "template1")
    server.create_database("copied", "template1")
    with psycopg.connect(server.url(database="copied")) as connection:
        assert connection.info.dbname == "copied"


def test_data_survives_a_stop_and_a_crash(server: Postgres) -> None:
    generate(server, "before the stop")
    server.stop()
    server.start()
    generate(server, "before the crash")
    server.kill()
    server.start()
    assert one(server, "SELECT array_agg(text ORDER BY text) FROM kept") == [
        "before the crash",
        "before the stop",
    ]


def test_a_lock_file_whose_process_id_was_given_to_somebody_else_is_no_obstacle(
    server: Postgres,
) -> None:
    server.stop()
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as stranger:
        lock = f"{stranger.pid}\n{server.data}\n1\n5432\n{server.sockets}\n\n 1 1\nready\n"
        (server.data / "postmaster.pid").write_text(lock)
        server.start()
        assert stranger.poll() is None
        stranger.kill()
    assert one(server, "SELECT 1") == 1


def test_a_server_that_was_left_behind_is_stopped_first(server: Postgres) -> None:
    left_behind = server.child
    server.start()
    assert left_behind.process.wait() == 0
    assert one(server, "SELECT 1") == 1


def test_a_statement_that_fails_leaves_none_of_its_values_in_the_log(server: Postgres) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE unique_words (word text UNIQUE CHECK (word <> '비밀셋'))")
        for words in ("('비밀하나')", "('비밀하나')", "('비밀셋')", "('비밀' || 1/0)"):
            try:
                connection.execute(f"INSERT INTO unique_words VALUES {words}".encode())
            except psycopg.Error:
                continue
    log = server.child.log.read_text()
    assert "duplicate key value violates unique constraint" in log
    assert "비밀" not in log


def test_an_interrupted_first_start_begins_anew(tmp_path: Path, family: Family) -> None:
    (tmp_path / "run").mkdir(mode=0o700)
    (tmp_path / "data.new").mkdir()
    (tmp_path / "data.new" / "PG_VERSION").write_text("18\n")
    fresh = postgres.start(tmp_path / "data", tmp_path / "run", family, durable=False)
    fresh.stop()
    assert not (tmp_path / "data.new").exists()


def test_data_of_another_version_is_one_line_that_names_both(
    tmp_path: Path, family: Family
) -> None:
    (tmp_path / "PG_VERSION").write_text("16\n")
    with pytest.raises(CannotRun, match=r"^.* was written by PostgreSQL 16, this is 18: move it"):
        postgres.start(tmp_path, tmp_path, family)


def test_a_folder_that_holds_no_database_is_one_line(tmp_path: Path, family: Family) -> None:
    with pytest.raises(CannotRun, match=r"is not a data folder of PostgreSQL"):
        postgres.start(tmp_path, tmp_path, family)


def test_damaged_data_is_one_line_with_the_reason(tmp_path: Path, family: Family) -> None:
    (tmp_path / "PG_VERSION").write_text("18\n")
    with pytest.raises(CannotRun, match=r"^postgres stopped \(exit status \d\): .+ \(see .+\)$"):
        postgres.start(tmp_path, tmp_path, family)
