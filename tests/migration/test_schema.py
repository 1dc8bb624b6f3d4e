"""Schema = migrations, each applied once and never changed; every query plans under its role."""

from importlib import import_module
from importlib.resources import files
from uuid import UUID

import psycopg
import pytest
from psycopg.rows import dict_row

from gieok.errors import MadeByPreRelease, Misconfigured
from gieok.ids import new_id
from gieok.operations import migrate as migrations
from gieok.operations.migrate import Migration, known, migrate
from gieok.store.database import Query, kept_queries, statement_of, text_of
from gieok.store.kept import kept
from tests.migration.queries import ROLES
from tests.support.stack import Stack

KEPT = {function.query for function in kept_queries()}


@pytest.fixture
def fresh(stack: Stack) -> str:
    """The superuser's URL of an empty database."""
    name = f"empty_{new_id().hex}"
    with psycopg.connect(stack.services.postgres.url(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name}")
    return stack.services.postgres.url(database=name)


async def test_migrations_apply_once_in_order(fresh: str) -> None:
    assert await migrate(fresh) == [m.name for m in known()]
    assert await migrate(fresh) == []


def test_migrations_are_numbered_without_gaps() -> None:
    assert [m.version for m in known()] == list(range(1, len(known()) + 1))


async def test_a_migration_changed_after_it_was_applied_is_refused(
    fresh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(fresh)
    first, *rest = known()
    changed = [Migration(first.version, first.name, first.sql + "-- changed"), *rest]
    monkeypatch.setattr(migrations, "known", lambda: changed)
    with pytest.raises(Misconfigured, match=first.name):
        await migrate(fresh)


async def test_a_database_of_a_pre_release_is_refused_with_what_to_do(fresh: str) -> None:
    """Those had other first migrations than the baseline's."""
    await migrate(fresh)
    with psycopg.connect(fresh) as connection:
        connection.execute("UPDATE ops.migrations SET name = '0001_older' WHERE version = 1")
    with pytest.raises(MadeByPreRelease, match="start with an empty database"):
        await migrate(fresh)


async def test_a_migration_that_this_version_lacks_is_refused(
    fresh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(fresh)
    fewer = known()[:-1]
    monkeypatch.setattr(migrations, "known", lambda: fewer)
    with pytest.raises(Misconfigured, match="lacks"):
        await migrate(fresh)


async def test_a_failing_migration_leaves_nothing_of_itself(
    fresh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(fresh)
    broken = Migration(len(known()) + 1, "9999_broken", "CREATE TABLE half (a int); SELECT 1/0;")
    more = [*known(), broken]
    monkeypatch.setattr(migrations, "known", lambda: more)
    with pytest.raises(psycopg.errors.DivisionByZero):
        await migrate(fresh)
    with psycopg.connect(fresh) as connection:
        half = connection.execute("SELECT to_regclass('half')").fetchone()
    assert half == (None,)


async def test_another_vector_width_names_both_numbers(fresh: str) -> None:
    await migrate(fresh, 1024)
    with pytest.raises(Misconfigured, match=r"1024.*768"):
        await migrate(fresh, 768)


async def test_a_database_of_another_width_holds_such_vectors(fresh: str) -> None:
    await migrate(fresh, 1024)
    with psycopg.connect(fresh) as connection:
        kind = connection.execute(
            "SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
            " WHERE attrelid = 'memory.vector_blocks'::regclass AND attname = 'embeddings'"
        ).fetchone()
    assert kind == ("halfvec(1024)[]",)


async def test_a_width_that_no_page_holds_is_refused_before_anything(fresh: str) -> None:
    with pytest.raises(Misconfigured, match=r"4096.*3072"):
        await migrate(fresh, 4096)
    with psycopg.connect(fresh) as connection:
        assert connection.execute("SELECT to_regclass('ops.migrations')").fetchone() == (None,)


@pytest.mark.parametrize("width", [384, 768, 1024, 1536, migrations.WIDEST])
async def test_a_full_block_fits_beside_the_longest_names(fresh: str, width: int) -> None:
    """255 bytes of a user's id, as `auth` allows, and a model's name of 90."""
    await migrate(fresh, width)
    with psycopg.connect(fresh) as connection:
        connection.execute(
            "SELECT memory.put_vector(repeat('u', 255), %s, seq, repeat('m', 90),"
            "  array_fill(0.5, ARRAY[%s])::halfvec)"
            " FROM generate_series(0, memory.vectors_a_block() - 1) AS seq",
            (UUID(int=1), width),
        )
        held = connection.execute(
            "SELECT pg_column_size(user_id), cardinality(array_remove(embeddings, NULL))"
            " = memory.vectors_a_block() FROM memory.vector_blocks"
        ).fetchall()
    assert held == [(255 + 4, True)], "a block was split, or its user's id went out of line"


@pytest.mark.parametrize(
    ("role", "query"),
    [(role, q) for role, queries in ROLES.items() for q in queries if q.name not in KEPT],
    ids=lambda value: value.name if isinstance(value, Query) else value,
)
async def test_every_query_plans_under_the_role_that_runs_it(
    stack: Stack, role: str, query: Query[object]
) -> None:
    link = await psycopg.AsyncConnection.connect(stack.url(role), autocommit=True)
    async with link:
        cursor = psycopg.AsyncClientCursor(link)
        await cursor.execute("EXPLAIN " + text_of(query.name), query.params)
        assert await cursor.fetchall()


@pytest.mark.parametrize(
    ("role", "query"),
    [(role, q) for role, queries in ROLES.items() for q in queries if q.name in KEPT],
    ids=lambda value: value.name if isinstance(value, Query) else value,
)
async def test_every_kept_query_runs_as_its_function_under_its_role(
    stack: Stack, role: str, query: Query[object]
) -> None:
    """What it returns has the columns and types that its file declares, or the server refuses."""
    link = await psycopg.AsyncConnection.connect(stack.url(role), row_factory=dict_row)
    async with link:
        cursor = psycopg.AsyncClientCursor(link)
        await cursor.execute("SELECT set_config('gieok.user_id', %s, true)", ("somebody",))
        await cursor.execute(statement_of(query.name), query.params)
        await link.rollback()
    assert statement_of(query.name).startswith(f"SELECT * FROM kept.{query.name}_")


async def test_the_functions_of_another_release_stay(
    fresh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever still runs the old code during a deployment finds its own."""
    await migrate(fresh)
    older = kept("read_user_key", "-- Kept: user_id text -> wrapped bytea\nSELECT NULL::bytea")
    assert older
    with psycopg.connect(fresh, autocommit=True) as connection:
        connection.execute(older.definition)
        await migrate(fresh)
        found = connection.execute(
            "SELECT count(*) FROM pg_proc WHERE proname LIKE 'read_user_key_%'"
        ).fetchone()
    assert found == (2,)


def test_every_sql_file_is_planned_and_says_what_it_is_for() -> None:
    planned = {query.name for queries in ROLES.values() for query in queries}
    assert set(query_files()) == planned
    for name in planned:
        assert text_of(name).startswith("-- "), name


def test_every_sql_file_lies_beside_the_function_of_its_name() -> None:
    for name, folder in query_files().items():
        assert hasattr(import_module(f"gieok.store.{folder}"), name), f"{folder}/{name}.sql"


def query_files() -> dict[str, str]:
    """Every query's name and the folder of its file; a name that is there twice is refused."""
    folders = [f for f in files("gieok.store").joinpath("sql").iterdir() if f.is_dir()]
    found = [
        (f.name.removesuffix(".sql"), folder.name) for folder in folders for f in folder.iterdir()
    ]
    assert len(dict(found)) == len(found), "one name, one file"
    return dict(found)


@pytest.mark.parametrize("feature", ["uuidv7(", "uuidv4(", "VIRTUAL", "RETURNING OLD"])
def test_nothing_is_used_that_only_postgresql_18_has(feature: str) -> None:
    """The cloud's server is 17."""
    texts = [m.sql for m in known()] + [text_of(q.name) for qs in ROLES.values() for q in qs]
    assert not [t for t in texts if feature in t]
