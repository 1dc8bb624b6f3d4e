"""A user's own memories: list, read, look back at earlier versions, delete."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok import relationships, telemetry
from gieok.cells import earlier_summary_cell, open_memory
from gieok.claim import cipher_of
from gieok.crypto import UserCipher
from gieok.engine import Engine
from gieok.errors import DecryptionFailed, NotFound
from gieok.paging import Page, page_of
from gieok.sealed import SealedMemory
from gieok.store import keys, memory_versions
from gieok.store import memories as store
from gieok.store import relationships as store_of_relationships
from gieok.store.memory_versions import SealedVersion, StoredMemory
from gieok.types import Memory, UserId

MOST_VERSIONS = 100
"""Of one history; older ones are kept but not shown."""


@dataclass(frozen=True, slots=True)
class Version:
    """What a memory says, or said until `until`. The first was a model's, later ones the user's."""

    number: int
    summary: str
    importance: int
    until: datetime | None


@dataclass(frozen=True, slots=True)
class History:
    """Where a memory came from and what it said, newest first; the first version is the present."""

    stored: StoredMemory
    versions: tuple[Version, ...]


async def list_memories(
    engine: Engine,
    user_id: UserId,
    character_id: UUID | None,
    session_id: UUID | None,
    before: UUID | None,
    limit: int,
) -> Page[Memory]:
    """Memories older than `before`, newest first; an unreadable one is left out and counted."""
    query = store.list_memories(user_id, character_id, session_id, before, limit + 1)
    key = keys.read_user_key(user_id)
    got = await engine.database.run(user_id, query, key)
    page = page_of(got[query], limit, lambda sealed: sealed.id)
    if not page.items:
        return Page((), None)
    cipher = await cipher_of(engine, user_id, got[key])
    return Page(readable(cipher, page.items), page.next)


async def read_memory(engine: Engine, user_id: UserId, memory_id: UUID) -> Memory:
    """One memory. Raises `NotFound`."""
    one, key = memory_versions.read_memory(user_id, memory_id), keys.read_user_key(user_id)
    got = await engine.database.run(user_id, one, key)
    cipher, stored = await _found(engine, user_id, got[one], got[key])
    return _only(readable(cipher, [stored.sealed]))


async def read_history(engine: Engine, user_id: UserId, memory_id: UUID) -> History:
    """A memory's source and its newest `MOST_VERSIONS` versions. Raises `NotFound`.

    An unreadable version is left out and counted.
    """
    one = memory_versions.read_memory(user_id, memory_id)
    earlier = memory_versions.read_memory_versions(user_id, memory_id, MOST_VERSIONS - 1)
    key = keys.read_user_key(user_id)
    got = await engine.database.run(user_id, one, earlier, key)
    cipher, stored = await _found(engine, user_id, got[one], got[key])
    present = _only(readable(cipher, [stored.sealed]))
    said = _earlier(cipher, memory_id, (v for v in got[earlier] if v.version < stored.version))
    now = Version(stored.version, present.summary, present.importance, None)
    return History(stored, (now, *said))


async def delete_memory(engine: Engine, user_id: UserId, memory_id: UUID) -> None:
    """Remove a memory with its index, its history and what was derived of it. Raises `NotFound`.

    Facts of its window go with it, and where the user and each character stand is what other
    windows and the user make of it. The memory goes last, so that a failure can be tried again.
    """
    one = memory_versions.read_memory(user_id, memory_id)
    ended = store_of_relationships.invalidate_derived(user_id, [memory_id])
    got = await engine.database.run(user_id, one, ended)
    stored = got[one]
    cast = stored.sealed.character_ids if stored else ()
    for character_id in {*cast, *got[ended]}:
        await relationships.recompute(engine, user_id, character_id)
    gone = store.delete_memory(user_id, memory_id)
    if not ((await engine.database.run(user_id, gone))[gone] or cast):
        raise NotFound("memory")


def readable(cipher: UserCipher, sealed: Iterable[SealedMemory]) -> tuple[Memory, ...]:
    """Those that can be decrypted, in their order; the others are counted."""
    memories = []
    for one in sealed:
        try:
            memories.append(open_memory(cipher, one))
        except DecryptionFailed:
            telemetry.setback("undecryptable_memory", memory_id=str(one.id))
    return tuple(memories)


async def _found(
    engine: Engine, user_id: UserId, stored: StoredMemory | None, key: keys.StoredKey | None
) -> tuple[UserCipher, StoredMemory]:
    if stored is None:
        raise NotFound("memory")
    return await cipher_of(engine, user_id, key), stored


def _only(opened: tuple[Memory, ...]) -> Memory:
    """An unreadable memory is as good as none."""
    if not opened:
        raise NotFound("memory")
    return opened[0]


def _earlier(cipher: UserCipher, memory_id: UUID, sealed: Iterable[SealedVersion]) -> list[Version]:
    versions = []
    for one in sealed:
        try:
            summary = cipher.open(earlier_summary_cell(memory_id, one.version), one.summary)
        except DecryptionFailed:
            telemetry.setback("undecryptable_version", memory_id=str(memory_id))
            continue
        versions.append(Version(one.version, summary, one.importance, one.replaced_at))
    return versions
