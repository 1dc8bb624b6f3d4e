"""A process that dies at a step of our choice."""

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from gieok.types import UserId
from tests.support.checkout import python_environment
from tests.support.stack import Stack
from tests.support.world import World, somebody

MOST_STEPS = 40


@dataclass(frozen=True)
class Death:
    """How a process ended: its status, and its step count when it lived."""

    status: int
    steps: int


async def run_worker(
    stack: Stack, user: UserId, character: UUID, fatal: int, answer: str | None = None
) -> Death:
    """A worker process for one scope, killed at step `fatal`; its model may say `answer` only."""
    given = {**stack.world_arguments(), "user_id": user, "character_id": str(character)}
    return await run_killed("tests.faults.dying_worker", fatal, {**given, "answer": answer})


async def run_killed(module: str, fatal: int, given: Mapping[str, Any]) -> Death:
    """A process that runs a module of `tests/faults`, killed at step `fatal`."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
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
