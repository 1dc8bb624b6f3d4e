"""What recall reads: indexes alone for all that it scans, whatever row security adds."""

import re

import psycopg
import pytest

from gieok.store.database import kept_queries
from tests.support.stack import Stack


@pytest.fixture(scope="module")
def plan(stack: Stack) -> str:
    """The plan that a connection of the chat function keeps for `recall_memories`.

    On a database of its own: statistics of what other tests left would decide.
    """
    (recall,) = [k for k in kept_queries() if k.query == "recall_memories"]
    fresh = stack.services.database()
    with psycopg.connect(fresh.url("chat"), autocommit=True) as connection:
        # The tables of a test are so small that reading them whole would cost less.
        connection.execute(
            "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off;"
            " SET enable_bitmapscan = off; SET enable_sort = on"
        )
        types = [kind for _, kind in recall.parameters]
        connection.execute(f"PREPARE recall ({', '.join(types)}) AS {recall.body}".encode())
        nulls = ", ".join(["NULL"] * len(types))
        rows = connection.execute(f"EXPLAIN EXECUTE recall ({nulls})".encode()).fetchall()
    return "\n".join(line for (line,) in rows)


def test_places_are_read_from_an_index_alone(plan: str) -> None:
    assert "Index Only Scan using memory_characters_pkey" in plan
    assert "Index Scan using memory_characters_pkey" not in plan


@pytest.mark.parametrize(
    "index", ["vector_blocks_pkey", "recent_postings_pkey", "memory_characters_pkey"]
)
def test_the_scope_is_an_index_condition_and_checked_once(plan: str, index: str) -> None:
    """Row security compares the scope with the parameter before any row is read."""
    lines = plan.splitlines()
    conditions = [lines[n + 1] for n, line in enumerate(lines) if index in line]
    assert conditions
    for condition in conditions:
        assert "Index Cond" in condition
        assert "user_id = $1" in condition
        assert "current_setting" not in condition
    assert "One-Time Filter" in plan
    assert not [line for line in lines if re.match(r"\s+Filter: .*current_setting", line)]


@pytest.mark.parametrize(
    ("index", "columns", "times"),
    [
        ("using postings_pkey", ["character_id", "part"], 1),
        ("memory_characters_pkey", ["character_id", "seq"], 2),
        ("vector_blocks_pkey", ["character_id", "model", "block"], 1),
    ],
)
def test_what_is_looked_up_is_found_by_its_whole_key(
    plan: str, index: str, columns: list[str], times: int
) -> None:
    """However few rows the planner takes a pair to have."""
    lines = plan.splitlines()
    conditions = [lines[n + 1] for n, line in enumerate(lines) if index in line]
    whole = [c for c in conditions if all(f"({column} = " in c for column in columns)]
    assert len(whole) == times


def test_nothing_of_a_user_is_read_whole(plan: str) -> None:
    assert not re.search(r"Seq Scan on (vector|postings|memories|memory_characters)", plan)


def test_vectors_are_compared_where_they_lie(plan: str) -> None:
    """A call a block, or a vector taken out of its block, would cost more than the comparison."""
    (nearest,) = re.findall(r"Sort Key: \(LEAST\((.*)\)\)", plan)
    assert nearest.count("<=>") == nearest.count("embeddings[") > 1
    assert "memory.nearest" not in plan
