"""A user's own memories: list, read, delete."""

from uuid import UUID

from gieok import telemetry
from gieok.cells import open_memory
from gieok.claim import cipher_of
from gieok.engine import Engine
from gieok.errors import DecryptionFailed, NotFound
from gieok.sealed import SealedMemory
from gieok.store import keys
from gieok.store import memories as store
from gieok.store.database import Query
from gieok.types import Memory, UserId


async def list_memories(
    engine: Engine,
    user_id: UserId,
    character_id: UUID | None,
    session_id: UUID | None,
    before: UUID | None,
    limit: int,
) -> list[Memory]:
    """Memories older than `before`, newest first; an unreadable one is left out and counted."""
    page = store.list_memories(user_id, character_id, session_id, before, limit)
    return await _read(engine, user_id, page)


async def read_memory(engine: Engine, user_id: UserId, memory_id: UUID) -> Memory:
    """One memory. Raises `NotFound`."""
    one = store.list_memories(user_id, None, None, None, 1, memory_id)
    found = await _read(engine, user_id, one)
    if not found:
        raise NotFound("memory")
    return found[0]


async def delete_memory(engine: Engine, user_id: UserId, memory_id: UUID) -> None:
    """Remove a memory with its vector and its digests. Raises `NotFound`."""
    gone = store.delete_memory(user_id, memory_id)
    if not (await engine.database.run(user_id, gone))[gone]:
        raise NotFound("memory")


async def _read(engine: Engine, user_id: UserId, page: Query[list[SealedMemory]]) -> list[Memory]:
    key = keys.read_user_key(user_id)
    got = await engine.database.run(user_id, page, key)
    if not got[page]:
        return []
    cipher = await cipher_of(engine, user_id, got[key])
    memories = []
    for sealed in got[page]:
        try:
            memories.append(open_memory(cipher, sealed))
        except DecryptionFailed:
            telemetry.setback("undecryptable_memory", memory_id=str(sealed.id))
    return memories
