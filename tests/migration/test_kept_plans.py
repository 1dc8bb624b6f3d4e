"""Plans that are kept read by index, and only what they are asked for, under row security too."""

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from gieok.store.database import kept_queries
from gieok.store.kept import Kept
from infra.local.stack import Database
from tests.bench import rows
from tests.conftest import Stack
from tests.migration.queries import ROLES

USERS, MEMORIES = 200, 50

FUNCTIONS = pytest.mark.parametrize("function", kept_queries(), ids=lambda function: function.query)

_TALKS = """
SET session_replication_role = replica;
INSERT INTO chat.sessions (id, user_id, character_ids, expires_at)
SELECT gen_random_uuid(), user_id, character_ids, now() + interval '1 day'
FROM memory.pairs, generate_series(1, 5);
INSERT INTO chat.turns
    (id, user_id, session_id, character_ids, client_message_id, number, state, lease_until)
SELECT gen_random_uuid(), user_id, id, character_ids, gen_random_uuid(), number, 'done', now()
FROM chat.sessions, generate_series(1, 20) AS number
ORDER BY number;
INSERT INTO chat.messages (id, user_id, turn_id, role, body)
SELECT gen_random_uuid(), user_id, id, role, '\\x00'
FROM chat.turns, unnest(ARRAY['user', 'assistant']) AS role;
ANALYZE;
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
    """Some hundred users who talked, with statistics as autovacuum keeps them."""
    database = stack.services.database()
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        rows.write(connection, [rows.Pair(number, MEMORIES) for number in range(USERS)])
        connection.execute(_TALKS)
    return database


@FUNCTIONS
def test_no_table_is_read_whole_even_while_it_is_empty(empty: Database, function: Kept) -> None:
    assert not [node for node in plan_of(function, empty) if node["Node Type"] == "Seq Scan"]


@FUNCTIONS
def test_an_index_is_read_from_its_first_column_on(lived_in: Database, function: Kept) -> None:
    """Else it is read whole, which no setting forbids."""
    with psycopg.connect(lived_in.superuser_url) as connection:
        rows_of = connection.execute(_FIRST_COLUMNS).fetchall()
    first_columns: dict[str, str] = dict(rows_of)
    for node in plan_of(function, lived_in):
        assert node["Node Type"] != "Seq Scan", node
        if "Index Name" in node:
            column = first_columns[node["Index Name"]]
            assert re.search(rf"\(\"?{column}\"? ", node.get("Index Cond", "")), node


def plan_of(function: Kept, database: Database) -> Iterator[dict[str, Any]]:
    """The nodes of the plan that a connection of the role that calls it would keep."""
    role = next(r for r, queries in ROLES.items() if function.query in {q.name for q in queries})
    types = ", ".join(kind for _, kind in function.parameters)
    nulls = ", ".join(["NULL"] * len(function.parameters))
    with psycopg.connect(database.server.url(role, database.name), autocommit=True) as connection:
        connection.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off")
        connection.execute(f"PREPARE it ({types}) AS {function.body}".encode())
        explained = connection.execute(f"EXPLAIN (FORMAT JSON) EXECUTE it ({nulls})".encode())
        for (plans,) in explained.fetchall():
            yield from nodes(plans[0]["Plan"])


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A plan's node and all below it."""
    yield plan
    for below in plan.get("Plans", []):
        yield from nodes(below)
