"""Bulk rows of the bench equal those that the worker's own write makes."""

import psycopg
import pytest

from gieok.calls import Vector
from gieok.ids import new_id
from gieok.privacy.cells import seal_asked_as, seal_details, seal_summary
from gieok.store.database import Database
from gieok.store.windows import Fence, SealedWindow, open_fences, save_memory
from tests.support.bulk import rows, stock
from tests.support.stack import Stack

SIZE = 70
"""More than one day, and some after the first fold of the postings."""

COMPARED = {
    "memory.pairs": "next_seq, covered_through",
    "memory.memories": "character_ids, first_position, last_position, session_ids,"
    " octet_length(summary), octet_length(details),"
    " octet_length(asked_as), importance, began_at, happened_at",
    "memory.memory_characters": "seq, importance, live, pinned, sitting, embedded",
    "memory.vector_blocks": "model, block, held, embeddings::text",
    "memory.recent_postings": "seq, entries",
    "memory.postings": "part, block, entries",
}


@pytest.mark.parametrize("table", COMPARED)
async def test_bulk_rows_equal_rows_written_one_by_one(stack: Stack, table: str) -> None:
    number = new_id().int >> 64 & 0xFFFF_FFFF
    bulk, single = rows.Pair(number, SIZE), rows.Pair(number + 1, SIZE)
    with psycopg.connect(stack.database.superuser_url, autocommit=True) as connection:
        rows.write(connection, [bulk])
        await write_one_by_one(stack, single, like=bulk)
        assert held(connection, table, bulk) == held(connection, table, single)
        assert held(connection, table, bulk)


async def write_one_by_one(stack: Stack, pair: rows.Pair, like: rows.Pair) -> None:
    """What the worker does with windows that left the same as another pair's."""
    worker = Database(stack.url("gieok_memory_worker"), 1)
    await worker.run(pair.scope.user_id, open_fences(pair.scope))
    for seq in range(1, pair.size + 1):
        window = sealed(pair, like, seq)
        query = save_memory(pair.scope, Fence(seq - 1), window, stock.WIDTH)
        assert (await worker.run(pair.scope.user_id, query))[query]
    await worker.close()


def sealed(pair: rows.Pair, like: rows.Pair, seq: int) -> SealedWindow:
    """One window, ready to write."""
    sample, memory_id = stock.sample(like.sample(seq)), new_id()
    vector: Vector = tuple(float(x) for x in like.vectors[seq - 1])
    return SealedWindow(
        memory_id=memory_id,
        first_position=seq,
        last_position=seq,
        session_ids=(),
        summary=seal_summary(pair.cipher, memory_id, sample.content.summary),
        details=seal_details(pair.cipher, memory_id, sample.details),
        importance=sample.importance,
        digests=rows.digests(like.sample(seq)),
        vectors={stock.MODEL: vector},
        extractor="bench",
        prompt_version="1",
        began_at=rows.happened_at(seq),
        happened_at=rows.happened_at(seq),
        asked_as=seal_asked_as(pair.cipher, memory_id, sample.content.asked_as),
    )


def held(connection: psycopg.Connection, table: str, pair: rows.Pair) -> list[tuple[object, ...]]:
    """A pair's rows, less what is its own: names, ids, ciphertexts, times."""
    columns = COMPARED[table].replace("character_ids", "cardinality(character_ids)")
    query = f"SELECT {columns} FROM {table} WHERE user_id = %s"
    found = connection.execute(query.encode(), (pair.scope.user_id,)).fetchall()
    return sorted(found, key=repr)
