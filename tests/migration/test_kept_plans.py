"""Plans that are kept read by index, and no more the more a user has, under row security too."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import psycopg
import pytest

from gieok.store.database import Query, kept_queries
from gieok.store.kept import Kept
from infra.local.stack import Database
from tests.migration.queries import ONE, ROLES, TWO, USER
from tests.support.bulk import rows
from tests.support.stack import Stack

USERS, MEMORIES = 200, 50
MUCH = 2_000
"""Of memories, and of turns, that one user has, whose queries these are."""

KEPT = {function.query: function for function in kept_queries()}
CALLS = [(role, q) for role, queries in ROLES.items() for q in queries if q.name in KEPT]
FUNCTIONS = pytest.mark.parametrize("function", kept_queries(), ids=lambda function: function.query)

_ONE_HAS_MUCH = """
UPDATE memory.pairs SET user_id = %(user)s, character_ids = ARRAY[%(one)s] WHERE user_id = %(was)s;
UPDATE memory.memories SET user_id = %(user)s, character_ids = ARRAY[%(one)s],
    id = CASE first_position WHEN 1 THEN %(one)s ELSE id END WHERE user_id = %(was)s;
UPDATE memory.memory_characters SET user_id = %(user)s, character_id = %(one)s,
    memory_id = CASE seq WHEN 1 THEN %(one)s ELSE memory_id END WHERE user_id = %(was)s;
UPDATE memory.vector_blocks SET user_id = %(user)s, character_id = %(one)s, model = 'm'
    WHERE user_id = %(was)s;
UPDATE memory.recent_postings SET user_id = %(user)s, character_id = %(one)s
    WHERE user_id = %(was)s;
UPDATE memory.postings SET user_id = %(user)s, character_id = %(one)s WHERE user_id = %(was)s;
INSERT INTO chat.characters (id, name, persona, fallback_line)
SELECT id, 'n', 'p', 'f' FROM unnest(ARRAY[%(one)s, %(two)s]) AS id;
INSERT INTO chat.sessions (id, user_id, character_ids, expires_at)
SELECT CASE number WHEN 1 THEN %(one)s ELSE gen_random_uuid() END, %(user)s, ARRAY[%(one)s],
       now() + interval '1 day'
FROM generate_series(1, %(much)s / 10) AS number
"""
_TALKS = """
INSERT INTO chat.sessions (id, user_id, character_ids, expires_at)
SELECT gen_random_uuid(), user_id, character_ids, now() + interval '1 day'
FROM memory.pairs, generate_series(1, 5)
WHERE user_id <> %(user)s;
INSERT INTO chat.turns
    (id, user_id, session_id, character_ids, client_message_id, number, state, lease_until)
SELECT gen_random_uuid(), user_id, id, character_ids, gen_random_uuid(), number, 'done', now()
FROM chat.sessions, generate_series(1, 10) AS number
ORDER BY number;
INSERT INTO chat.turns
    (id, user_id, session_id, character_ids, client_message_id, number, lease_until, runner)
VALUES (%(one)s, %(user)s, %(one)s, ARRAY[%(one)s], 'c', 11, now() + interval '1 hour', %(two)s);
INSERT INTO chat.messages (id, user_id, turn_id, role, body)
SELECT gen_random_uuid(), user_id, id, role, ''
FROM chat.turns, unnest(ARRAY['user', 'assistant']) AS role
WHERE state = 'done';
INSERT INTO memory.pairs (user_id, character_ids) VALUES (%(user)s, ARRAY[%(one)s, %(two)s]);
UPDATE memory.pairs SET covered_through = (SELECT max(position) FROM chat.turns) - 30
WHERE user_id = %(user)s
"""
_FIRST_COLUMNS = """
SELECT c.relname, a.attname
FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
"""


@pytest.fixture(scope="module")
def empty(stack: Stack) -> Database:
    """As a deployment finds it on its first day."""
    return stack.services.database()


@pytest.fixture(scope="module")
def lived_in(stack: Stack) -> Database:
    """Some hundred users who talked and one who did much; statistics as autovacuum keeps them."""
    database = stack.services.database()
    much = rows.Pair(USERS, MUCH)
    names = {"user": USER, "was": much.scope.user_id, "one": ONE, "two": TWO, "much": MUCH}
    with psycopg.connect(
        database.superuser_url, autocommit=True, cursor_factory=psycopg.ClientCursor
    ) as connection:
        few = [rows.Pair(number, MEMORIES) for number in range(USERS)]
        rows.write(connection, [*few, much])
        connection.execute("SET session_replication_role = replica")
        connection.execute(_ONE_HAS_MUCH, names)
        connection.execute(_TALKS, names)
        connection.execute("VACUUM ANALYZE")
    return database


@FUNCTIONS
def test_no_table_is_read_whole_even_while_it_is_empty(empty: Database, function: Kept) -> None:
    assert not [node for node in planned(function, empty) if node["Node Type"] == "Seq Scan"]


@FUNCTIONS
def test_an_index_is_read_from_its_first_column_on(lived_in: Database, function: Kept) -> None:
    """Else it is read whole, which no setting forbids."""
    with psycopg.connect(lived_in.superuser_url) as connection:
        found = connection.execute(_FIRST_COLUMNS).fetchall()
    first_columns: dict[str, str] = dict(found)
    for node in planned(function, lived_in):
        assert node["Node Type"] != "Seq Scan", node
        if "Index Name" in node:
            column = first_columns[node["Index Name"]]
            assert re.search(rf"\(\"?{column}\"? ", node.get("Index Cond", "")), node


@pytest.mark.parametrize(("role", "query"), CALLS, ids=lambda value: getattr(value, "name", value))
def test_a_user_who_has_much_costs_no_more(
    lived_in: Database, role: str, query: Query[Any]
) -> None:
    """But for their vectors, which are all compared."""
    for node in explained(KEPT[query.name], lived_in, role, "ANALYZE, TIMING OFF", query.params):
        scanned = {node.get("Relation Name"), node.get("Index Name")} - {None}
        if scanned and not scanned & {"vector_blocks", "vector_blocks_pkey"}:
            assert rows_read(node) < MUCH / 4, node


def planned(function: Kept, database: Database) -> list[dict[str, Any]]:
    """The plan that a connection of a role that calls it would keep."""
    role = next(role for role, query in CALLS if query.name == function.query)
    nothing = dict.fromkeys(name for name, _ in function.parameters)
    return explained(function, database, role, "COSTS ON", nothing)


def explained(
    function: Kept, database: Database, role: str, how: str, params: Mapping[str, object]
) -> list[dict[str, Any]]:
    """The nodes of the plan that is kept for a role, `how` they are to be explained; undone."""
    types = ", ".join(kind for _, kind in function.parameters)
    given = ", ".join(f"%({name})s::{kind}" for name, kind in function.parameters)
    url = database.server.url(role, database.name)
    with psycopg.connect(url, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute("SELECT set_config('gieok.user_id', %s, true)", (USER,))
        connection.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off")
        connection.execute(f"PREPARE it ({types}) AS {function.body}".encode())
        explain = f"EXPLAIN ({how}, FORMAT JSON) EXECUTE it ({given})".encode()
        plans = connection.execute(explain, params).fetchall()
        connection.rollback()
    return [node for (plan,) in plans for node in nodes(plan[0]["Plan"])]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A plan's node and all below it."""
    yield plan
    for below in plan.get("Plans", []):
        yield from nodes(below)


def rows_read(node: dict[str, Any]) -> float:
    """What a plan's node went through, in all its loops."""
    kinds = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck")
    read: float = node["Actual Loops"] * sum(node.get(kind, 0) for kind in kinds)
    return read
