"""A reset beside others: nothing of what it takes is left, or found, whoever works at the time."""

import asyncio
from uuid import UUID

import psycopg
import pytest

from gieok.calls import ModelChoice
from gieok.errors import DatabaseUnavailable, NotFound
from gieok.indexing.backfill import backfill
from gieok.memories.amend import Amendment, amend_memory
from gieok.memories.delete import delete_memory
from gieok.memories.read import read_memory
from gieok.retention.sweep import sweep
from gieok.revision.reset import reset
from gieok.store import vectors
from gieok.store.database import text_of
from gieok.store.vectors import SealedDocument
from gieok.types import Scope, UserId
from tests.support.conversation import generate_idle, summaries
from tests.support.meanwhile import before, until_it_waits
from tests.support.world import World, extraction, somebody

MINT = "민트초코는 절대 안 먹어"
TABLES = ("memories", "memory_characters", "vector_blocks", "recent_postings", "postings", "facts")
FIRST_REMOVAL = "remove_memories"


async def rows_left(world: World, user: UserId) -> dict[str, int]:
    left = {
        t: await world.sql(f"SELECT 1 FROM memory.{t} WHERE user_id = %s", user) for t in TABLES
    }
    return {table: len(rows) for table, rows in left.items() if rows}


async def the_memory(world: World, user: UserId) -> UUID:
    ((memory_id,),) = await world.sql("SELECT id FROM memory.memories WHERE user_id = %s", user)
    return UUID(str(memory_id))


async def without_vectors(world: World, user: UserId) -> None:
    await world.sql("UPDATE memory.memory_characters SET embedded = false WHERE user_id = %s", user)


async def test_two_resets_at_once_leave_nothing_of_what_two_characters_shared(world: World) -> None:
    haru, bada, user = await world.character(), await world.character("바다"), somebody()
    both = tuple(sorted((haru, bada)))
    await world.say(user, both, "둘에게 비밀")
    await generate_idle(world, user, *both)
    # The second one begins and ends between what the first one does.
    engine = before(world.engine, FIRST_REMOVAL, lambda: reset(world.engine, user, bada))
    await reset(engine, user, haru)
    assert await rows_left(world, user) == {}


async def test_resets_that_overlap_in_every_batch_leave_nothing(world: World) -> None:
    haru, bada, user = await world.character(), await world.character("바다"), somebody()
    both = tuple(sorted((haru, bada)))
    for message in ("둘에게 비밀", "또 하나", "셋째 이야기"):
        await world.say(user, both, message)
        await generate_idle(world, user, *both)
    await asyncio.gather(*(reset(world.engine, user, c) for c in (haru, bada, haru, bada)))
    assert await rows_left(world, user) == {}


@pytest.mark.parametrize("who", ["backfill", "amend", "mute", "delete"])
async def test_who_writes_while_a_reset_removes_leaves_nothing_in_the_index(
    world: World, who: str
) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, MINT)
    memory_id = await the_memory(world, user)
    retold = "나는 민트초코를 아주 좋아해" if who == "amend" else None
    amended = Amendment(summary=retold, muted=True)

    async def write() -> None:
        await without_vectors(world, user)
        if who == "backfill":
            await backfill(world.worker, Scope(user, (haru,)))
        else:
            with pytest.raises(NotFound):
                await (
                    delete_memory(world.engine, user, memory_id)
                    if who == "delete"
                    else amend_memory(world.engine, user, memory_id, amended)
                )

    await reset(before(world.engine, FIRST_REMOVAL, write), user, haru)
    assert await rows_left(world, user) == {}


async def test_a_vector_that_is_being_written_goes_with_its_memory(world: World) -> None:
    """As the replacement of the embedding model writes: it holds no fence."""
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, MINT)
    found = SealedDocument(await the_memory(world, user), 1, b"", None)
    model = ModelChoice("next", "next-1").model
    written = vectors.add_vectors(user, [found], {model: {0: (1.0,)}}, world.engine.vector_width)
    async with await psycopg.AsyncConnection.connect(world.admin_url) as writing:
        await writing.execute(text_of(written.name), written.params)
        resetting = asyncio.create_task(reset(world.engine, user, haru))
        await until_it_waits(world, resetting)
        await writing.commit()
    await resetting
    assert await rows_left(world, user) == {}


async def test_nothing_is_recalled_listed_or_read_while_a_reset_removes(world: World) -> None:
    world.speaker.extract = lambda p: extraction(p, importance=10)
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, MINT)
    memory_id = await the_memory(world, user)

    async def look() -> None:
        assert await the_memory(world, user) == memory_id  # it is still there
        assert (await world.say(user, haru, MINT)).meta.memory_hit_count == 0
        assert await summaries(world, user) == []
        with pytest.raises(NotFound):
            await read_memory(world.engine, user, memory_id)

    await reset(before(world.engine, FIRST_REMOVAL, look), user, haru)
    assert await rows_left(world, user) == {}


async def test_the_sweep_ends_a_reset_whose_process_died(world: World) -> None:
    haru, user, other = await world.character(), somebody(), somebody()
    for somebodys in (user, other):
        await world.talk_and_generate(somebodys, haru, MINT)

    async def die() -> None:
        raise DatabaseUnavailable("gone")

    with pytest.raises(DatabaseUnavailable):
        await reset(before(world.engine, FIRST_REMOVAL, die), user, haru)
    assert await rows_left(world, user) == {"memories": 1}
    await world.say(user, haru, "처음 만난 사람처럼")
    await generate_idle(world, user, haru)  # the two talk on meanwhile
    await sweep(world.sweeper)
    assert await summaries(world, user) == ["처음 만난 사람처럼"]
    assert (await rows_left(world, user))["memories"] == 1
    assert (await rows_left(world, other))["memories"] == 1
    await sweep(world.sweeper)
    assert await world.sql("SELECT user_id FROM memory.pairs WHERE removing") == []


async def test_a_backfill_holds_no_memory_while_it_waits_for_the_fence(world: World) -> None:
    """Whoever holds the fence may need the memory next: each would wait for the other."""
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, MINT)
    await without_vectors(world, user)
    async with await psycopg.AsyncConnection.connect(world.admin_url) as deleting:
        of = "WHERE user_id = %s"
        await deleting.execute(f"SELECT FROM memory.pairs {of} FOR UPDATE".encode(), (user,))
        filling = asyncio.create_task(backfill(world.worker, Scope(user, (haru,))))
        await until_it_waits(world, filling)
        await deleting.execute(
            f"SELECT FROM memory.memories {of} FOR UPDATE NOWAIT".encode(), (user,)
        )
        await deleting.execute(
            f"SELECT FROM memory.memory_characters {of} FOR UPDATE NOWAIT".encode(), (user,)
        )
        await deleting.commit()
    await filling
    flagged = await world.sql(f"SELECT embedded FROM memory.memory_characters {of}", user)
    assert flagged == [(True,)]
