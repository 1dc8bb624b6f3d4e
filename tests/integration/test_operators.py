"""An operator's commands say in one line what they lack, and show no secret of a URL."""

import socket
from collections.abc import Callable, Sequence

import pytest

from gieok.operations import migrate, parked, reembed
from gieok.store import database
from tests.support.stack import Stack

Command = Callable[[Sequence[str]], int]
OPERATOR = "GIEOK_OPERATOR_DATABASE_URL"
LOOKS = [(parked.main, "--list"), (reembed.main, "--status")]
NEEDED_TO_CHANGE = ("GIEOK_DATABASE_URL", "GIEOK_KMS_KEY_ID")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without any setting of ours."""
    for name in (OPERATOR, *NEEDED_TO_CHANGE, "GIEOK_STAGE", "GIEOK_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("command", "option"), LOOKS)
def test_looking_needs_the_operators_database_and_nothing_else(
    command: Command, option: str, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command([option]) == 1
    monkeypatch.setenv(OPERATOR, stack.url("gieok_operator"))
    assert command([option]) == 0


def test_a_reembedding_names_all_that_it_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert reembed.main(["--to", "test:test-2"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert all(name in said for name in (OPERATOR, *NEEDED_TO_CHANGE))
    assert "REDIS" not in said


NOT_THERE = pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://gieok_operator:geheim@127.0.0.1:1/gieok", "OperationalError"),
        ("postgresql://[geheim", "ProgrammingError"),
    ],
)


@pytest.mark.parametrize(("command", "option"), LOOKS)
@NOT_THERE
def test_a_database_that_is_not_there_is_named_and_its_url_is_not_shown(
    command: Command,
    option: str,
    url: str,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(OPERATOR, url)
    assert command([option]) == 1
    said = capsys.readouterr()
    assert said.err.endswith(f": the operator's database does not answer ({why})\n")
    assert "geheim" not in said.out + said.err
    assert "127.0.0.1" not in said.out + said.err


@pytest.mark.parametrize(("command", "option"), LOOKS)
def test_a_database_that_refuses_says_so_by_its_own_code(
    command: Command,
    option: str,
    stack: Stack,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(OPERATOR, stack.url("gieok_retention_sweep"))
    assert command([option]) == 1
    assert capsys.readouterr().err.endswith("the operator's database refused (42501)\n")


@NOT_THERE
def test_a_migration_names_the_owners_database(
    url: str, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIEOK_DATABASE_URL", url)
    assert migrate.main() == 1
    assert capsys.readouterr().err == f"migrate: the owner's database does not answer ({why})\n"


def test_a_migration_that_is_refused_says_why(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIEOK_DATABASE_URL", stack.url("gieok_chat"))
    assert migrate.main() == 1
    said = capsys.readouterr().err
    assert said.startswith("migrate: the owner's database refused (42501): permission denied ")
    assert said.count("\n") == 1


def test_a_database_that_says_nothing_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(database, "CONNECT_S", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv(OPERATOR, f"postgresql://gieok_operator@127.0.0.1:{port}/gieok")
        assert parked.main(["--list"]) == 1
    said = capsys.readouterr().err
    assert said == "parked: the operator's database does not answer (ConnectionTimeout)\n"
