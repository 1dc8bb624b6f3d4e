"""Delete a memory with what was derived of it."""

from uuid import UUID

from gieok.engine import Engine
from gieok.errors import NotFound
from gieok.store import memories as store
from gieok.store import memory_versions
from gieok.store import relationships as store_of_relationships
from gieok.types import Scope, UserId


async def delete_memory(engine: Engine, user_id: UserId, memory_id: UUID) -> None:
    """Remove a memory with its index, its history and what was derived of it. Raises `NotFound`.

    Facts of its window go with it, and where the user and each character stand is what other
    windows and the user make of it.
    """
    one = memory_versions.read_memory(user_id, memory_id)
    stored = (await engine.database.run(user_id, one))[one]
    cast = stored.sealed.character_ids if stored else ()
    gone = store.delete_memory(user_id, memory_id)
    got = await engine.database.run(
        user_id,
        store_of_relationships.lock_fences(Scope(user_id, cast)),
        store_of_relationships.invalidate_derived(user_id, [memory_id]),
        gone,
    )
    if not (got[gone] or cast):
        raise NotFound("memory")
