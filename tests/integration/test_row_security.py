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


async def test_every_table_with_a_users_rows_forces_row_level_security(world: World) -> None:
    tables = await world.sql(USER_TABLES)
    assert len(tables) >= 8
    assert [t for t, forced in tables if not forced] == []


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
