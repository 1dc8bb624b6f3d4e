"""Row-level security under the queries: a role sees its transaction's user, or nothing."""

import psycopg
import pytest

from tests.support.stack import Stack
from tests.support.world import World, somebody

USER_TABLES = """
SELECT c.oid::regclass::text, c.relrowsecurity AND c.relforcerowsecurity
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
WHERE c.relkind = 'r' AND c.relnamespace::regnamespace::text IN ('chat','memory','privacy','ops')
"""


async def test_every_table_with_users_rows_is_guarded(world: World) -> None:
    tables = await world.sql(USER_TABLES)
    registry = await world.sql("SELECT name FROM privacy.user_tables")
    assert {t for t, _ in tables} == {t for (t,) in registry}
    assert [t for t, forced in tables if not forced] == []


async def test_the_user_is_part_of_every_key_of_such_a_table(world: World) -> None:
    """Else its rows could not be spread over partitions by user."""
    without = await world.sql(
        "SELECT conrelid::regclass::text, conname FROM pg_constraint c"
        " JOIN privacy.user_tables t ON t.name = conrelid::regclass::text"
        " WHERE contype IN ('p', 'u', 'f') AND NOT EXISTS ("
        "  SELECT FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attname = 'user_id'"
        "  AND a.attnum = ANY (c.conkey))"
    )
    unique = await world.sql(
        "SELECT indrelid::regclass::text, indexrelid::regclass::text FROM pg_index i"
        " JOIN privacy.user_tables t ON t.name = indrelid::regclass::text"
        " JOIN pg_attribute a ON a.attrelid = indrelid AND a.attname = 'user_id'"
        " WHERE indisunique AND a.attnum <> ALL (indkey)"
    )
    assert (without, unique) == ([], [])


async def test_a_table_whose_key_does_not_begin_with_the_user_cannot_be_guarded(
    world: World,
) -> None:
    with pytest.raises(psycopg.errors.RaiseException, match="begins with user_id"):
        await world.sql(
            "DO $$ BEGIN CREATE TABLE chat.loose (id uuid PRIMARY KEY, user_id text);"
            " CALL privacy.guard('chat.loose'); END $$"
        )


@pytest.mark.parametrize("role", ["gieok_chat", "gieok_memory_worker"])
async def test_without_a_scope_nothing_is_seen_and_with_one_only_its_own(
    world: World, stack: Stack, role: str
) -> None:
    haru, user, other = await world.character(), somebody(), somebody()
    for someone in (user, other):
        await world.talk_and_generate(someone, haru, "비밀")
    async with await psycopg.AsyncConnection.connect(stack.url(role), autocommit=True) as link:
        for table, _ in await world.sql(USER_TABLES):
            if not await readable(world, role, table):
                continue
            count = f"SELECT count(*) FROM {table}"
            assert await one(link, count) == 0, table
            async with link.transaction():
                await link.execute("SELECT set_config('gieok.user_id', %s, true)", (user,))
                theirs = await one(link, f"{count} WHERE user_id <> '{user}'")
                assert theirs == 0, table
            assert await one(link, count) == 0, f"{table}: the scope ends with its transaction"


async def test_a_role_cannot_write_for_another_user(world: World, stack: Stack) -> None:
    user, other = somebody(), somebody()
    async with await psycopg.AsyncConnection.connect(stack.url("gieok_chat")) as link:
        await link.execute("SELECT set_config('gieok.user_id', %s, true)", (user,))
        theirs = "INSERT INTO privacy.user_keys (user_id, wrapped) VALUES (%s, 'x')"
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await link.execute(theirs, (other,))
        await link.rollback()


async def test_no_function_role_owns_a_table_or_passes_policies(world: World) -> None:
    roles = "'gieok_chat','gieok_memory_worker','gieok_retention_sweep'"
    found = await world.sql(
        f"SELECT rolname FROM pg_roles WHERE rolname IN ({roles})"
        " AND (rolsuper OR rolbypassrls OR rolcreaterole)"
    )
    owned = await world.sql(f"SELECT FROM pg_tables WHERE tableowner IN ({roles})")
    assert (found, owned) == ([], [])


async def readable(world: World, role: str, table: str) -> bool:
    ((allowed,),) = await world.sql("SELECT has_table_privilege(%s, %s, 'SELECT')", role, table)
    return bool(allowed)


async def one(link: psycopg.AsyncConnection, query: str) -> int:
    row = await (await link.execute(query.encode())).fetchone()
    assert row
    return int(row[0])
