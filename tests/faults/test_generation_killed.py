"""Workers killed after any step of a last failure and of a late vector: each happens once."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from gieok.generation.generate import generate
from gieok.providers.router import Models
from gieok.types import Scope, UserId
from tests.support.killing import MOST_STEPS, Death, five_messages, run_worker
from tests.support.speakers import Speaker
from tests.support.stack import Stack
from tests.support.vectors import VECTORS
from tests.support.world import MovedClock, World, extraction, somebody

Prepare = Callable[[World, UUID], Awaitable[UserId]]
Check = Callable[[World, UserId], Awaitable[None]]


async def killed_everywhere(
    world: World, stack: Stack, prepare: Prepare, check: Check, answer: str | None = None
) -> None:
    """Kill a worker after each thing it asked of others, let another one finish, and check."""
    haru = await world.character()
    lived = await run_worker(stack, await prepare(world, haru), haru, MOST_STEPS, answer)
    assert lived.status == 0
    assert lived.steps >= 6
    slots = asyncio.Semaphore(2)

    async def killed_at(step: int) -> None:
        async with slots:
            user = await prepare(world, haru)
            assert await run_worker(stack, user, haru, step, answer) == Death(-signal.SIGKILL, 0)
            await finish(world, user, haru, answer)
            await check(world, user)

    await asyncio.gather(*(killed_at(step) for step in range(1, lived.steps, 2)))


async def finish(world: World, user: UserId, haru: UUID, answer: str | None) -> None:
    """What a redelivery does, once the dead worker's lock has run out."""
    worker, ahead = world.worker, MovedClock()
    ahead.ahead = timedelta(hours=3)
    speaker = Speaker()
    speaker.extract = extraction if answer is None else lambda prompt: str(answer)
    models = Models({"test": speaker}, {"test": world.embedder})
    another = replace(worker, models=models, clock=ahead)
    # As SQS delivers it again, until the dead one's lock runs out.
    while await generate(another, Scope(user, (haru,))) == ["busy"]:  # noqa: ASYNC110
        await asyncio.sleep(0.1)


async def failed_four_times(world: World, haru: UUID) -> UserId:
    """A user whose window has one try left."""
    user = await five_messages(world, haru)
    assert await world.generate(user, haru) == ["not_due"]  # by the clock of today
    await world.sql("UPDATE memory.pairs SET failures = 4 WHERE user_id = %s", user)
    return user


async def is_parked_once(world: World, user: UserId) -> None:
    found = await world.sql(
        "SELECT attempts, p.failures, p.skipped_through = w.last_position"
        " FROM ops.parked_windows w JOIN memory.pairs p USING (user_id, character_ids)"
        " WHERE user_id = %s",
        user,
    )
    assert found == [(5, 0, True)]


async def test_a_worker_killed_at_any_step_of_the_last_failure_parks_the_window_once(
    world: World, stack: Stack
) -> None:
    await killed_everywhere(world, stack, failed_four_times, is_parked_once, answer="[]")


async def memory_without_vector(world: World, haru: UUID) -> UserId:
    """A user with a memory that has no vector yet."""
    user = somebody()
    await world.talk_and_generate(user, haru, "강아지 콩이")
    await world.sql("DELETE FROM memory.vector_blocks WHERE user_id = %s", user)
    flag = "UPDATE memory.memory_characters SET embedded = false WHERE user_id = %s"
    await world.sql(flag, user)
    return user


async def has_one_vector(world: World, user: UserId) -> None:
    found = await world.sql(
        "SELECT mc.embedded, count(v.seq), p.backfill_at FROM memory.memory_characters mc"
        " JOIN memory.pairs p USING (user_id)"
        f" LEFT JOIN {VECTORS} USING (user_id, character_id, seq)"
        " WHERE user_id = %s GROUP BY mc.embedded, p.backfill_at",
        user,
    )
    assert found == [(True, 1, None)]


async def test_a_worker_killed_at_any_step_of_a_backfill_leaves_one_vector(
    world: World, stack: Stack
) -> None:
    await killed_everywhere(world, stack, memory_without_vector, has_one_vector)
