"""Memories whose vectors are missing, or of another model."""

from datetime import timedelta
from uuid import UUID

from gieok.errors import ModelRateLimited
from gieok.ids import parse
from gieok.types import UserId
from tests.support.client import Client
from tests.support.world import World, somebody


async def of_another_model(me: Client, *memory_ids: str) -> None:
    """What a change of the assignment by hand leaves: memories embedded by another model."""
    await me.world.sql(
        "WITH moved AS (DELETE FROM memory.vectors WHERE memory_id = ANY (%s) RETURNING *)"
        " INSERT INTO memory.vectors (user_id, character_id, seq, model, memory_id, embedding)"
        " SELECT user_id, character_id, seq, 'older', memory_id, embedding FROM moved",
        [parse("mem", one) for one in memory_ids],
    )


async def memory_without_vector(world: World, *cast: UUID, message: str = "강아지 콩이") -> UserId:
    """A user with a memory that the embedder had no vector for."""
    user = somebody()
    await world.say(user, cast, message)
    world.clock.ahead = timedelta(hours=3)
    world.embedder.error = ModelRateLimited("e")
    assert await world.generate(user, *cast) == ["written", "not_due"]
    world.embedder.error = None
    return user
