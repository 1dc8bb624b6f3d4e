"""A worker killed between any two steps, with real processes: exactly one memory all the same."""

import asyncio
import signal

from gieok.types import UserId
from tests.support.killing import MOST_STEPS, five_messages, run_worker
from tests.support.stack import Stack
from tests.support.world import World


async def memories_of(world: World, user: UserId) -> int:
    (row,) = await world.sql("SELECT count(*) FROM memory.memories WHERE user_id = %s", user)
    return int(row[0])


async def test_a_worker_killed_at_any_step_leaves_exactly_one_memory(
    world: World, stack: Stack
) -> None:
    haru = await world.character()
    lived = await run_worker(stack, await five_messages(world, haru), haru, MOST_STEPS)
    assert lived.status == 0
    assert lived.steps >= 10, "lock, claim, extract, embed, save, and a second look"
    slots = asyncio.Semaphore(3)

    async def killed_at(step: int) -> None:
        async with slots:
            user = await five_messages(world, haru)
            death = await run_worker(stack, user, haru, step)
            assert death.status == -signal.SIGKILL
            retried = await run_worker(stack, user, haru, MOST_STEPS)
            assert retried.status == 0
            assert await memories_of(world, user) == 1, f"killed at step {step}"

    await asyncio.gather(*(killed_at(step) for step in range(lived.steps)))


async def test_two_worker_processes_at_once_make_one_memory(world: World, stack: Stack) -> None:
    haru = await world.character()
    user = await five_messages(world, haru)
    deaths = await asyncio.gather(*(run_worker(stack, user, haru, MOST_STEPS) for _ in range(3)))
    assert {d.status for d in deaths} == {0}
    assert await memories_of(world, user) == 1
