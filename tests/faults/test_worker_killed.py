"""A worker killed between any two steps, with real processes: exactly one memory all the same."""

import asyncio
import json
import signal
import sys
from dataclasses import dataclass
from uuid import UUID

from gieok.types import UserId
from tests.support.checkout import python_environment
from tests.support.stack import Stack
from tests.support.world import World, somebody

MOST_STEPS = 40


@dataclass(frozen=True)
class Death:
    """How a worker process ended: its status, and its step count when it lived."""

    status: int
    steps: int


async def run_worker(
    stack: Stack, user: UserId, character: UUID, fatal: int, answer: str | None = None
) -> Death:
    """A worker process for one scope, killed at step `fatal`; its model may say `answer` only."""
    given = {**stack.world_arguments(), "user_id": user, "character_id": str(character)}
    given["answer"] = answer
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.faults.dying_worker",
        str(fatal),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=python_environment(),
    )
    out, _ = await process.communicate(json.dumps(given, default=str).encode())
    assert process.returncode is not None
    return Death(process.returncode, int(out.split()[-1]) if process.returncode == 0 else 0)


async def five_messages(world: World, character: UUID) -> UserId:
    """A user with a window that is due."""
    user = somebody()
    for number in range(5):
        await world.say(user, character, f"{number}번째 이야기")
    return user


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
