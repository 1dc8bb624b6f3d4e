"""Tables become partitions without a rewrite: the baseline's keys hold what a partition key needs.

The baseline is applied with its large tables declared as partitioned: turns, messages and usage by
id (UUIDv7, so by time), all that is remembered by user. Nothing else of it changes.
"""

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
import pytest_asyncio
from psycopg.rows import dict_row

from gieok.ids import new_id
from gieok.operations import migrate as migrations
from gieok.operations.migrate import Migration, known, migrate
from gieok.retention.sweep import sweep
from gieok.store.database import Query, kept_queries, statement_of, text_of
from tests.migration.queries import ROLES
from tests.support.conversation import do_edit, do_reroll, do_rewind, generate_idle, talk
from tests.support.stack import AT_ONCE, Stack
from tests.support.world import World, somebody
from tests.support.world import world as world_on

BY_TIME = {"chat.turns": "id", "chat.messages": "turn_id", "ops.usage": "id"}
BY_USER = (
    "chat.sessions",
    "memory.pairs",
    "memory.memories",
    "memory.memory_characters",
    "memory.relationship_versions",
    "memory.facts",
    "memory.memory_versions",
    "memory.vector_blocks",
    "memory.recent_postings",
    "memory.postings",
)
KEYS = {table: f"RANGE ({column})" for table, column in BY_TIME.items()} | dict.fromkeys(
    BY_USER, "HASH (user_id)"
)
SHARES = 3
"""Hash partitions of a table."""
KEPT = {function.query for function in kept_queries()}


def partitioned(migration: Migration) -> Migration:
    """The migration with its large tables declared as partitioned.

    Parameters of a table's storage are those of its partitions and are left out.
    """
    text = migration.sql
    for table, key in KEYS.items():
        declared = rf"(CREATE TABLE {re.escape(table)} \(\n.*?\n *\))(?: WITH \(.*?\))?(;|\$ddl\$)"
        text = re.sub(declared, rf"\1 PARTITION BY {key}\2", text, flags=re.DOTALL)
    text = re.sub(r"ALTER TABLE \S+\s+SET \(autovacuum[^;]*;", "", text)
    return replace(migration, sql=text)


def uuid_at(moment: datetime) -> UUID:
    """The least UUIDv7 of a moment."""
    return UUID(int=int(moment.timestamp() * 1000) << 80)


def partitions(between: UUID) -> Iterator[str]:
    """Statements that create two spans of time, and the shares of users, of each table."""
    spans = {"old": f"(MINVALUE) TO ('{between}')", "new": f"('{between}') TO (MAXVALUE)"}
    for table in BY_TIME:
        for name, span in spans.items():
            yield f"CREATE TABLE {table}_{name} PARTITION OF {table} FOR VALUES FROM {span}"
    for table in BY_USER:
        for share in range(SHARES):
            values = f"WITH (MODULUS {SHARES}, REMAINDER {share})"
            yield f"CREATE TABLE {table}_{share} PARTITION OF {table} FOR VALUES {values}"


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def parted(stack: Stack) -> AsyncIterator[Stack]:
    """The services with a database of partitions: of two spans of time, and of shares of users."""
    name = f"parted_{new_id().hex}"
    with psycopg.connect(stack.services.postgres.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    url = stack.services.postgres.url(database=name)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(migrations, "known", lambda: [partitioned(m) for m in KNOWN])
        await migrate(url)
    with psycopg.connect(url, autocommit=True) as connection:
        for part in partitions(uuid_at(datetime.now(UTC) - timedelta(hours=1))):
            connection.execute(part.encode())
        connection.execute(
            "UPDATE ops.llm_task_assignments SET provider = 'test', model = 'test-1',"
            " fallback_provider = NULL, fallback_model = NULL"
        )
    database = replace(stack.database, name=name)
    yield replace(stack, database=database)


KNOWN = known()


@pytest_asyncio.fixture(name="world")
async def _world(parted: Stack) -> AsyncIterator[World]:
    """An engine on the partitions."""
    async with world_on(**parted.world_arguments(), policy=AT_ONCE) as made:
        yield made


async def test_a_conversation_is_lived_remembered_and_taken_back(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "우리 강아지 이름은 콩이야", "콩이는 산책을 좋아해")
    recalled = await world.say(user, haru, "강아지 콩이 기억해?")
    assert (recalled.meta.recall, recalled.meta.memory_hit_count) == ("ok", 1)
    session = await talk(world, user, haru, "하나", "둘", "셋")
    await generate_idle(world, user, haru)
    for take, message in ((do_reroll, "둘"), (do_edit, "둘"), (do_rewind, "하나")):
        await take(world, user, session, message)
        await generate_idle(world, user, haru)
    parts = await world.sql(
        "SELECT DISTINCT tableoid::regclass::text FROM memory.memories WHERE user_id = %s", user
    )
    assert [name.rpartition("_")[0] for (name,) in parts] == ["memory.memories"]
    assert (await sweep(world.sweeper)).purged == 0


async def test_the_same_message_at_once_is_one_turn_and_a_session_runs_one(world: World) -> None:
    haru, user = await world.character(), somebody()
    first = await world.say(user, haru, "안녕", client_message_id="one")
    again = await world.say(user, haru, "안녕", client_message_id="one")
    assert again.done == first.done
    (turn,) = await world.sql("SELECT id, session_id FROM chat.turns WHERE user_id = %s", user)
    second = (
        "INSERT INTO chat.turns (user_id, id, session_id, character_ids, client_message_id, number,"
        " lease_until) VALUES (%s, %s, %s, %s, 'two', 2, now())"
    )
    await world.sql(second, user, new_id(), turn[1], [haru])
    with pytest.raises(psycopg.errors.UniqueViolation, match="running_turns"):
        await world.sql(second, user, new_id(), turn[1], [haru])


async def test_a_span_of_time_is_dropped_whole(world: World) -> None:
    haru, user = await world.character(), somebody()
    told = await world.say(user, haru, "오늘 이야기")
    yesterday = datetime.now(UTC) - timedelta(hours=25)
    old = uuid_at(yesterday)
    await world.sql(
        "INSERT INTO chat.turns (user_id, id, session_id, character_ids, client_message_id, number,"
        " state, lease_until, created_at) VALUES (%s, %s, %s, %s, 'old', 2, 'done', %s, %s)",
        user, old, told.session_id, [haru], yesterday, yesterday,
    )  # fmt: skip
    await world.sql("INSERT INTO chat.client_messages VALUES (%s, 'old', %s)", user, old)
    message = "INSERT INTO chat.messages (user_id, turn_id, role, id, body)"
    await world.sql(f"{message} VALUES (%s, %s, 'user', %s, '')", user, old, new_id())
    await world.sql(
        "DELETE FROM chat.client_messages WHERE turn_id IN (SELECT id FROM chat.turns_old)"
    )
    for table in ("chat.messages", "chat.turns"):
        await world.sql(f"ALTER TABLE {table} DETACH PARTITION {table}_old")
        await world.sql(f"DROP TABLE {table}_old")
    left = await world.sql("SELECT count(*) FROM chat.turns WHERE user_id = %s", user)
    assert left == [(1,)]
    assert (await world.say(user, haru, "다시", client_message_id="old")).done


@pytest.mark.parametrize(
    ("role", "query"),
    [(role, q) for role, queries in ROLES.items() for q in queries],
    ids=lambda value: value.name if isinstance(value, Query) else value,
)
async def test_every_query_runs_on_partitions(parted: Stack, role: str, query: Query[Any]) -> None:
    link = await psycopg.AsyncConnection.connect(parted.url(role), row_factory=dict_row)
    async with link:
        cursor = psycopg.AsyncClientCursor(link)
        await cursor.execute("SELECT set_config('gieok.user_id', %s, true)", ("somebody",))
        statement = (
            statement_of(query.name) if query.name in KEPT else "EXPLAIN " + text_of(query.name)
        )
        await cursor.execute(statement, query.params)
        await link.rollback()


def test_every_table_of_users_is_one_or_the_other_or_small() -> None:
    """A new one has to be thought about here."""
    guarded = re.findall(r"CALL privacy\.guard\('([\w.]+)'", "".join(m.sql for m in KNOWN))
    small = {
        "chat.client_messages",
        "chat.rerolls",
        "chat.running_turns",
        "privacy.user_keys",
        "ops.parked_windows",
        "ops.hints",
    }
    assert set(guarded) == {*BY_TIME, *BY_USER, *small}
