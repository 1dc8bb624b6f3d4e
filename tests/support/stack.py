"""The services that tests run on, with one migrated database, and worlds on them."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gieok.policy import COMPANION
from infra.local.stack import Database, Services
from tests.support.world import World, world

AT_ONCE = replace(
    COMPANION, generation=replace(COMPANION.generation, embedding_retries_s=(0.0, 0.0, 0.0))
)
"""The companion policy, not waiting between tries of an embedding."""


@dataclass(frozen=True, slots=True)
class Stack:
    """The running services with one migrated database for the engine's tests."""

    services: Services
    database: Database
    folder: Path
    key_file: Path

    @property
    def socket(self) -> Path:
        """PostgreSQL's socket."""
        return self.services.postgres.sockets / ".s.PGSQL.5432"

    def url(self, role: str) -> str:
        """The database as a role."""
        return self.services.postgres.url(role, self.database.name)

    def world_arguments(self) -> dict[str, Any]:
        """What `tests.support.world.world` takes."""
        return {
            "chat_url": self.url("gieok_chat"),
            "worker_url": self.url("gieok_memory_worker"),
            "sweep_url": self.url("gieok_retention_sweep"),
            "admin_url": self.database.superuser_url,
            "redis": (self.services.redis_url, self.services.redis_token),
            "key_file": self.key_file,
        }


def make_world(
    stack: Stack, *, chat_port: int | None = None, redis: tuple[str, str] | None = None
) -> AbstractAsyncContextManager[World]:
    """A world on the stack; its chat function may go through a proxy, or find no Redis."""
    arguments = stack.world_arguments()
    if chat_port:
        name = stack.database.name
        arguments["chat_url"] = f"postgresql://gieok_chat@127.0.0.1:{chat_port}/{name}"
    if redis:
        arguments["redis"] = redis
    return world(**arguments, policy=AT_ONCE)


@contextmanager
def world_in(runner: asyncio.Runner, stack: Stack) -> Iterator[World]:
    """A world for tests that are no coroutines, since a property runs many examples on one loop."""
    held = AsyncExitStack()
    try:
        yield runner.run(held.enter_async_context(make_world(stack)))
    finally:
        runner.run(held.aclose())
