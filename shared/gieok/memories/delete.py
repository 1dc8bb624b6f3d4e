"""Delete a memory with what was derived of it, for good."""

from uuid import UUID

from gieok.engine import Engine
from gieok.errors import NotFound
from gieok.store import memories as store
from gieok.store import relationships as store_of_relationships
from gieok.types import Scope, UserId


async def delete_memory(engine: Engine, user_id: UserId, memory_id: UUID) -> None:
    """Remove a memory with its index, its history and what was derived of it. Raises `NotFound`.

    Facts of its window go with it, and where the user and each character stand is what other
    windows and the user make of it. Its window is never remembered anew, whatever is changed around
    it: only what the user writes in the place of their own words is. One that fell a moment ago and
    is being made anew goes just the same; once it was, the new one is the one to delete.
    """
    whose = store.read_memory_cast(user_id, memory_id)
    cast = (await engine.database.run(user_id, whose))[whose]
    if cast is None:
        raise NotFound("memory")
    deleted = store.delete_memory(user_id, memory_id)
    got = await engine.database.run(
        user_id,
        store_of_relationships.lock_fences(Scope(user_id, cast)),
        store_of_relationships.invalidate_derived(user_id, [memory_id]),
        deleted,
    )
    if not got[deleted]:
        raise NotFound("memory")
