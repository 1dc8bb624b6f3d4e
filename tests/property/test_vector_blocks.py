"""Blocks hold exactly the live vectors, whatever happens to the memories in whatever order."""

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
    """What happens to the vector of a place: a new one, a mute, an unmute, its end."""

    kind: str
    seq: int
    model: str
    value: float


changes = st.lists(
    st.builds(
        Change,
        st.sampled_from(["write", "write", "mute", "unmute", "delete"]),
        st.sampled_from(PLACES),
        st.sampled_from(MODELS),
        st.sampled_from([0.25, 0.5, 0.75]),
    ),
    max_size=30,
)

STATEMENTS = {
    "write": "INSERT INTO memory.vectors VALUES (%(user)s, %(character)s, %(seq)s, %(model)s,"
    " gen_random_uuid(), true, array_fill(%(value)s, ARRAY[768])::halfvec)"
    " ON CONFLICT (user_id, character_id, seq, model) DO UPDATE SET embedding = excluded.embedding",
    "mute": "UPDATE memory.vectors SET live = false WHERE user_id = %(user)s AND seq = %(seq)s",
    "unmute": "UPDATE memory.vectors SET live = true WHERE user_id = %(user)s AND seq = %(seq)s",
    "delete": "DELETE FROM memory.vectors WHERE user_id = %(user)s AND seq = %(seq)s"
    " AND model = %(model)s",
}
LIVE = (
    "SELECT model, seq, embedding::text FROM memory.vectors WHERE user_id = %s AND live"
    " ORDER BY model, seq"
)
HELD = (
    "SELECT model, block * memory.vectors_a_block() + slot - 1 AS seq, embedding::text"
    " FROM (SELECT model, block, generate_subscripts(embeddings, 1) AS slot,"
    "  unnest(embeddings) AS embedding FROM memory.vector_blocks WHERE user_id = %s) AS packed"
    " WHERE embedding IS NOT NULL ORDER BY model, seq"
)


@pytest.fixture(scope="module")
def worker(stack: Stack) -> Iterator[psycopg.Connection]:
    """A connection of the worker's role, under row security; nothing of it is kept."""
    with psycopg.connect(stack.url("gieok_memory_worker")) as connection:
        yield connection
        connection.rollback()


@given(changes)
def test_blocks_hold_the_live_vectors(worker: psycopg.Connection, changes: list[Change]) -> None:
    worker.rollback()
    user, character = f"user-{uuid4().hex}", UUID(int=7)
    worker.execute("SELECT set_config('gieok.user_id', %s, true)", (user,))
    for seq in PLACES:
        _place(worker, user, character, seq)
    for change in changes:
        values = {
            "user": user,
            "character": character,
            "seq": change.seq,
            "model": change.model,
            "value": change.value,
        }
        worker.execute(STATEMENTS[change.kind].encode(), values)
    live = worker.execute(LIVE, (user,)).fetchall()
    held = worker.execute(HELD, (user,)).fetchall()
    empty = worker.execute(
        "SELECT count(*) FROM memory.vector_blocks WHERE user_id = %s"
        " AND cardinality(array_remove(embeddings, NULL)) = 0",
        (user,),
    ).fetchone()
    assert held == live
    assert empty == (0,)


def _place(worker: psycopg.Connection, user: str, character: UUID, seq: int) -> None:
    """A memory in a relationship, without a vector."""
    memory_id = uuid4()
    worker.execute(
        "INSERT INTO memory.memories (id, user_id, character_ids, first_position, last_position,"
        " session_ids, summary, details, importance, extractor, prompt_version, began_at,"
        " happened_at)"
        " VALUES (%s, %s, ARRAY[%s], %s, %s, '{}', 's', 'd', 5, 'e', '1', now(), now())",
        (memory_id, user, character, seq, seq),
    )
    worker.execute(
        "INSERT INTO memory.memory_characters (user_id, character_id, seq, memory_id, sitting)"
        " VALUES (%s, %s, %s, %s, %s)",
        (user, character, seq, memory_id, seq),
    )
