"""A user's own memories: a page of them, or one."""

from collections.abc import Iterable
from uuid import UUID

from gieok.engine import Engine
from gieok.errors import NotFound
from gieok.privacy.cells import open_memory
from gieok.privacy.cipher import UserCipher
from gieok.privacy.ciphers import cipher_of
from gieok.privacy.open_or_drop import open_or_drop
from gieok.store import keys, memory_versions
from gieok.store import memories as store
from gieok.store.memory_versions import StoredMemory
from gieok.store.paging import page_of
from gieok.store.sealed import SealedMemory
from gieok.types import Memory, Page, UserId


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
    cipher = await cipher_of(engine.database, engine.keyring, user_id, got[key])
    return Page(readable(cipher, page.items), page.next)


async def read_memory(engine: Engine, user_id: UserId, memory_id: UUID) -> Memory:
    """One memory. Raises `NotFound`."""
    one, key = memory_versions.read_memory(user_id, memory_id), keys.read_user_key(user_id)
    got = await engine.database.run(user_id, one, key)
    cipher, stored = await found(engine, user_id, got[one], got[key])
    return only(readable(cipher, [stored.sealed]))


def readable(cipher: UserCipher, sealed: Iterable[SealedMemory]) -> tuple[Memory, ...]:
    """Those that can be decrypted, in their order; the others are counted."""
    opened = (open_or_drop("memory", open_memory, cipher, one, memory_id=one.id) for one in sealed)
    return tuple(memory for memory in opened if memory)


async def found(
    engine: Engine, user_id: UserId, stored: StoredMemory | None, key: keys.StoredKey | None
) -> tuple[UserCipher, StoredMemory]:
    """The user's cipher and the memory as it rests. Raises `NotFound` when there is none."""
    if stored is None:
        raise NotFound("memory")
    return await cipher_of(engine.database, engine.keyring, user_id, key), stored


def only(opened: tuple[Memory, ...]) -> Memory:
    """The one memory that was opened. Raises `NotFound`: an unreadable one is as good as none."""
    if not opened:
        raise NotFound("memory")
    return opened[0]
