"""How many windows a second the workers write: as many processes as are deployed, one hint each.

Models have no latency; lock, database and stand-in services are on this machine too.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import UUID

from gieok.types import Scope, UserId
from tests.bench.house import House, connected, world_on
from tests.bench.size import Size
from tests.support.bulk import stock
from tests.support.checkout import python_environment
from tests.support.stack import Stack
from tests.support.world import World, somebody

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 8


async def measure(house: House, size: Size) -> dict[str, float]:
    """The figures of the table's row about workers; raises when a window was written twice."""
    stack = house.stack()
    async with world_on(stack) as world:
        scopes = await talk(world, size.windows)
    with connected(stack.database) as connection:
        connection.execute("VACUUM ANALYZE")
    seconds, done = run(stack, scopes, size.workers)
    house.drop(stack)
    expected = {"written": size.windows, "extractions": size.windows, "embeddings": size.windows}
    assert {name: done[name] for name in expected} == expected, done
    return {"windows_per_s": round(size.windows / seconds, 1)}


async def talk(world: World, windows: int) -> list[Scope]:
    """So many users with one window each that is due when its session has gone idle."""
    character, slots = await world.character(), asyncio.Semaphore(AT_ONCE)

    async def one() -> Scope:
        async with slots:
            return await _conversation(world, character)

    return list(await asyncio.gather(*(one() for _ in range(windows))))


async def _conversation(world: World, character: UUID) -> Scope:
    user: UserId = somebody()
    session = None
    for sample in map(stock.sample, range(world.engine.policy.generation.threshold)):
        told = await world.say(user, character, sample.details[0].text, session)
        session = told.session_id
    return Scope(user, (character,))


def run(stack: Stack, scopes: list[Scope], workers: int) -> tuple[float, Counter[str]]:
    """Let the workers share the scopes; seconds from their start to the last one's end."""
    shares = [scopes[first::workers] for first in range(min(workers, len(scopes)))]
    processes = [_start(stack, share) for share in shares]
    for process in processes:
        assert _line(process) == "ready"
    started = time.perf_counter()
    for process in processes:
        _tell(process, "go")
    done: Counter[str] = Counter()
    for process in processes:
        done.update(json.loads(_line(process)))
    seconds = time.perf_counter() - started
    for process in processes:
        process.communicate()
    return seconds, done


def _start(stack: Stack, scopes: list[Scope]) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.worker_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=python_environment(POWERTOOLS_LOG_LEVEL="CRITICAL"),
    )
    task: dict[str, Any] = {
        "world": {**stack.world_arguments(), "key_file": str(stack.key_file)},
        "scopes": [(s.user_id, [str(c) for c in s.character_ids]) for s in scopes],
    }
    _tell(process, json.dumps(task))
    return process


def _tell(process: "subprocess.Popen[str]", line: str) -> None:
    assert process.stdin
    print(line, file=process.stdin, flush=True)


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline().strip()
