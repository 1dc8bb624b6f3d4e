"""How many round trips an engine makes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.support.proxy import Proxy, proxy_to
from tests.support.stack import Stack, make_world
from tests.support.world import World


@asynccontextmanager
async def counted(stack: Stack) -> AsyncIterator[tuple[World, Proxy]]:
    """A world whose chat function talks to the database through a counting proxy."""
    async with proxy_to(stack.socket) as proxy, make_world(stack, chat_port=proxy.port) as world:
        yield world, proxy
