"""Memories whose vectors are missing, or of another model."""

from datetime import timedelta
from uuid import UUID

from gieok.errors import ModelRateLimited
from gieok.ids import parse
from gieok.types import UserId
from tests.support.client import Client
from tests.support.world import World, somebody

VECTORS = (
    "(SELECT user_id, character_id, block * memory.vectors_a_block() + slot - 1 AS seq, model,"
    " embeddings[slot] AS embedding"
    " FROM memory.vector_blocks, generate_subscripts(embeddings, 1) AS slot"
    " WHERE embeddings[slot] IS NOT NULL) AS v"
)
"""In SQL: every vector on its own, in place of a table."""


async def of_another_model(me: Client, *memory_ids: str) -> None:
    """What a change of the assignment by hand leaves: memories embedded by another model."""
    ids = [parse("mem", one) for one in memory_ids]
    of_them = (
        f"FROM {VECTORS} JOIN memory.memory_characters mc USING (user_id, character_id, seq)"
        " WHERE mc.memory_id = ANY (%s)"
    )
    older = "memory.put_vector(user_id, character_id, seq, 'older', embedding)"
    await me.world.sql(f"SELECT {older} {of_them}", ids)
    others = "memory.drop_vectors(user_id, character_id, seq, kept => ARRAY['older'])"
    await me.world.sql(f"SELECT {others} {of_them} AND v.model <> 'older'", ids)


async def memory_without_vector(world: World, *cast: UUID, message: str = "강아지 콩이") -> UserId:
    """A user with a memory that the embedder had no vector for."""
    user = somebody()
    await world.say(user, cast, message)
    world.clock.ahead = timedelta(hours=3)
    world.embedder.error = ModelRateLimited("e")
    assert await world.generate(user, *cast) == ["written", "not_due"]
    world.embedder.error = None
    return user
