"""What happens in the middle of something else: between its batches, or while it waits."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from gieok.engine import Engine
from gieok.store.database import Database, Query, Results
from gieok.types import UserId
from tests.support.world import World


class _Interrupted(Database):
    """A database that has something done once before the first batch with one query."""

    def __init__(self, real: Database, before: str, act: Callable[[], Awaitable[object]]) -> None:
        self._real, self._before, self._act = real, before, act

    async def run(self, user_id: UserId | None, /, *queries: Query[Any]) -> Results:
        """See `Database`."""
        if any(query.name == self._before for query in queries):
            self._before = ""
            await self._act()
        return await self._real.run(user_id, *queries)


def before(engine: Engine, query: str, act: Callable[[], Awaitable[object]]) -> Engine:
    """The engine, on whose database something happens before a query."""
    return replace(engine, database=_Interrupted(engine.database, query, act))


async def until_it_waits(world: World, task: "asyncio.Task[Any]") -> None:
    """Come back once the task waits for somebody's lock; it must not end before."""
    while not await world.sql("SELECT pid FROM pg_locks WHERE NOT granted"):
        assert not task.done()
        await asyncio.sleep(0)
