"""The app's client, for tests of the HTTP API that say what the models say."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.support.client import Client, client
from tests.support.reembedding import house as house  # a fixture of this folder
from tests.support.world import World


@pytest_asyncio.fixture
async def me(world: World) -> AsyncIterator[Client]:
    """A user without memories at the whole app, and a character."""
    async with client(world) as made:
        yield made
