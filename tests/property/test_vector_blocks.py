"""Blocks hold exactly the vectors that were put and not dropped, in whatever order."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID, uuid4

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.stack import Stack

MODELS = ("one", "two")
PLACES = range(1, 13)
"""More than two blocks."""


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to a place: a vector, the end of all but one model's, the end of all."""

    kind: str
    seq: int
    model: str
    value: float


changes = st.lists(
    st.builds(
        Change,
        st.sampled_from(["put", "put", "keep one", "drop"]),
        st.sampled_from(PLACES),
        st.sampled_from(MODELS),
        st.sampled_from([0.25, 0.5, 0.75]),
    ),
    max_size=30,
)

PUT = (
    "SELECT memory.put_vector(%(user)s, %(character)s, %(seq)s, %(model)s,"
    " array_fill(%(value)s, ARRAY[768])::halfvec)"
)
DROP = "SELECT memory.drop_vectors(%(user)s, %(character)s, %(seq)s, kept => %(kept)s)"
HELD = (
    "SELECT model, block * memory.vectors_a_block() + slot - 1 AS seq, embedding::text"
    " FROM (SELECT model, block, generate_subscripts(embeddings, 1) AS slot,"
    "  unnest(embeddings) AS embedding FROM memory.vector_blocks WHERE user_id = %s) AS packed"
    " WHERE embedding IS NOT NULL ORDER BY model, seq"
)

COUNTED = (
    "SELECT coalesce(sum(bit_count(held::bit(64))), 0)::integer,"
    " count(*) FILTER (WHERE cardinality(array_remove(embeddings, NULL)) = 0)"
    " FROM memory.vector_blocks WHERE user_id = %s"
)


@pytest.fixture(scope="module")
def worker(stack: Stack) -> Iterator[psycopg.Connection]:
    """A connection of the worker's role, under row security; nothing of it is kept."""
    with psycopg.connect(stack.url("gieok_memory_worker")) as connection:
        yield connection
        connection.rollback()


@given(changes)
def test_blocks_hold_what_was_put(worker: psycopg.Connection, changes: list[Change]) -> None:
    worker.rollback()
    user, character = f"user-{uuid4().hex}", UUID(int=7)
    worker.execute("SELECT set_config('gieok.user_id', %s, true)", (user,))
    wanted: dict[tuple[str, int], float] = {}
    for change in changes:
        kept = [change.model] if change.kind == "keep one" else []
        values = {
            "user": user,
            "character": character,
            "seq": change.seq,
            "model": change.model,
            "value": change.value,
            "kept": kept,
        }
        worker.execute((PUT if change.kind == "put" else DROP).encode(), values)
        if change.kind == "put":
            wanted[change.model, change.seq] = change.value
        else:
            for model in {*MODELS} - {*kept}:
                wanted.pop((model, change.seq), None)
    found = worker.execute(HELD, (user,)).fetchall()
    assert found == [(model, seq, _literal(wanted[model, seq])) for model, seq in sorted(wanted)]
    counted = worker.execute(COUNTED, (user,)).fetchone()
    assert counted == (len(wanted), 0)


def _literal(value: float) -> str:
    return "[" + ",".join([f"{value:g}"] * 768) + "]"
