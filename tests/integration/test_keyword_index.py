"""A memory is found by a word of its own, however old it is, and no more once it is gone."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

import psycopg

from gieok.ids import new_id
from gieok.indexing import keywords
from gieok.memories.delete import delete_memory
from gieok.policy import RecallPolicy
from gieok.privacy.cipher import derive_index_key
from gieok.store.database import Query
from gieok.store.memories import recall_memories
from gieok.store.windows import Fence, SealedWindow, open_fences, save_memory
from gieok.types import Scope
from tests.support.world import VECTOR_WIDTH, World, somebody

KEY = derive_index_key(bytes(32))
SIZE = 300
"""More than one block of postings, with recent ones behind it."""
ALONE = RecallPolicy(limit=1, spare=0, reserved=0, overfetch=1)
ASKED = (1, 2, 31, 32, 33, 255, 256, 257, 287, 288, 289, 299, 300)
"""Seqs around every fold and every edge of a block."""


async def test_a_word_of_its_own_finds_a_memory_of_any_age(world: World) -> None:
    scope = Scope(somebody(), (await world.character(),))
    ids = await write(world, scope)
    assert [await found(world, scope, seq) for seq in ASKED] == [ids[seq - 1] for seq in ASKED]


async def test_what_is_deleted_leaves_its_neighbours_findable(world: World) -> None:
    scope = Scope(somebody(), (await world.character(),))
    ids = await write(world, scope)
    gone = ASKED[::2]
    for seq in gone:
        await delete_memory(world.engine, scope.user_id, ids[seq - 1])
    for seq in ASKED:
        mine = await found(world, scope, seq)
        assert (mine != ids[seq - 1]) if seq in gone else (mine == ids[seq - 1])
    held = "SELECT count(*) FROM memory.{} p, unnest(entries) AS entry WHERE user_id = %s AND {}"
    place = "block = 0 AND (entry >> 4) & 255 = %s"
    assert await world.sql(held.format("postings", place), scope.user_id, 1) == [(0,)]


async def test_new_words_take_the_place_of_old_ones_in_a_block(world: World) -> None:
    scope = Scope(somebody(), (await world.character(),))
    ids = await write(world, scope)
    words = keywords.index_terms(["감자"], KEY)
    await world.sql(
        "SELECT memory.put_postings(%s, %s, 5, %s, %s::smallint[])",
        scope.user_id,
        scope.character_ids[0],
        list(words),
        list(words.values()),
    )
    assert await asked(world, scope, "감자") == ids[4]
    assert await found(world, scope, 5) != ids[4]
    assert await found(world, scope, 6) == ids[5]


async def write(world: World, scope: Scope) -> Sequence[UUID]:
    """Memories, each with a word of its own beside words that all have; their ids by age."""
    ids = [new_id() for _ in range(SIZE)]
    batch: list[Query[object]] = [open_fences(scope)]
    for place, memory_id in enumerate(ids):
        terms = [
            own_word(place + 1),
            "산책",
            "강아지",
            *(f"말{(place * 7 + n) % 90}" for n in range(9)),
        ]
        batch.append(
            save_memory(scope, Fence(place), window(memory_id, place, terms), VECTOR_WIDTH)
        )
    await world.worker.database.run(scope.user_id, *batch)
    return ids


def window(memory_id: UUID, place: int, terms: Sequence[str]) -> SealedWindow:
    """A window without vectors, ready to write."""
    return SealedWindow(
        memory_id=memory_id,
        first_position=place + 1,
        last_position=place + 1,
        session_ids=(),
        summary=b"s",
        details=b"d",
        importance=1,
        digests=keywords.index_terms(terms, KEY),
        vectors={},
        extractor="x",
        prompt_version="1",
        began_at=datetime.now(UTC),
        happened_at=datetime.now(UTC),
    )


async def found(world: World, scope: Scope, seq: int) -> UUID | None:
    """What its own word finds."""
    return await asked(world, scope, own_word(seq))


def own_word(seq: int) -> str:
    """A word that shares no beginning and no two syllables with another one."""
    return f"{chr(ord('가') + 36 * seq)}콩{chr(ord('각') + 36 * seq)}"


async def asked(world: World, scope: Scope, words: str) -> UUID | None:
    digests = keywords.query_digests(words, KEY)
    query = recall_memories(scope, None, "", VECTOR_WIDTH, digests, ALONE)
    found = (await world.engine.database.run(scope.user_id, query))[query]
    return next((f.memory.id for f in found if f.why.keyword_rank is not None), None)


async def test_what_is_written_and_dropped_at_once_is_there_and_gone(world: World) -> None:
    """More than the fences let through: eight connections at one pair, each third memory gone."""
    scope, writers, each = Scope(somebody(), (new_id(),)), 8, 40
    await asyncio.gather(*(write_and_drop(world, scope, k, writers, each) for k in range(writers)))
    seqs = range(1, writers * each + 1)
    entries = {s: len(keywords.index_terms([own_word(s)], KEY)) for s in seqs if s % 3}
    assert await held_entries(world, scope) == entries
    assert await held_vectors(world, scope) == entries.keys()


async def write_and_drop(world: World, scope: Scope, first: int, step: int, count: int) -> None:
    place = (scope.user_id, scope.character_ids[0])
    vector = f"[{','.join(['1'] * VECTOR_WIDTH)}]"
    connection = await psycopg.AsyncConnection.connect(world.admin_url, autocommit=True)
    async with connection:
        for seq in range(first + 1, first + 1 + step * count, step):
            words = keywords.index_terms([own_word(seq)], KEY)
            await connection.execute(
                "SELECT memory.put_postings(%s, %s, %s, %s, %s::smallint[])",
                (*place, seq, list(words), list(words.values())),
            )
            await connection.execute(
                "SELECT memory.put_vector(%s, %s, %s, 'm', %s::halfvec)", (*place, seq, vector)
            )
            if seq % 3 == 0:
                await connection.execute(
                    "SELECT memory.drop_postings(%s, %s, %s), memory.drop_vectors(%s, %s, %s)",
                    (*place, seq, *place, seq),
                )


async def held_entries(world: World, scope: Scope) -> dict[int, int]:
    """How many entries the keyword index holds, by seq."""
    found = await world.sql(
        "SELECT seq, sum(entries)::integer FROM ("
        "  SELECT (block << 8) | ((entry >> 4) & 255) AS seq, 1 AS entries"
        "  FROM memory.postings, unnest(entries) AS entry WHERE user_id = %s"
        "  UNION ALL"
        "  SELECT seq, cardinality(entries) FROM memory.recent_postings WHERE user_id = %s"
        ") AS held GROUP BY seq",
        scope.user_id,
        scope.user_id,
    )
    return dict(found)


async def held_vectors(world: World, scope: Scope) -> set[int]:
    """The seqs that have a vector."""
    found = await world.sql(
        "SELECT block * memory.vectors_a_block() + slot"
        " FROM memory.vector_blocks, generate_series(0, memory.vectors_a_block() - 1) AS slot"
        " WHERE user_id = %s AND memory.holds(held, slot) AND embeddings[slot + 1] IS NOT NULL",
        scope.user_id,
    )
    return {seq for (seq,) in found}
