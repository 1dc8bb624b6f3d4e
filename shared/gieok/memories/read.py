"""A user's own memories: list, read, look back at earlier versions, delete."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from gieok.engine import Engine
from gieok.errors import NotFound
from gieok.privacy.cells import earlier_summary_cell, open_memory, summary_cell
from gieok.privacy.cipher import UserCipher
from gieok.privacy.ciphers import cipher_of
from gieok.privacy.open_or_drop import open_or_drop
from gieok.store import keys, memory_versions
from gieok.store import memories as store
from gieok.store import relationships as store_of_relationships
from gieok.store.memory_versions import SealedVersion, StoredMemory
from gieok.store.paging import page_of
from gieok.store.sealed import SealedMemory
from gieok.types import Memory, Page, Scope, UserId

Author = Literal["extractor", "user"]
"""Whose words a summary is in."""


@dataclass(frozen=True, slots=True)
class Version:
    """What a memory says, or said until `until`. The first is always the extractor's."""

    number: int
    summary: str
    importance: int
    written_by: Author
    until: datetime | None


@dataclass(frozen=True, slots=True)
class History:
    """Where a memory came from, and a page of what it says and said, newest first.

    `cursor`: the next page starts behind this number; None at the end.
    """

    stored: StoredMemory
    versions: tuple[Version, ...]
    cursor: int | None


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
    cipher, stored = await _found(engine, user_id, got[one], got[key])
    return _only(readable(cipher, [stored.sealed]))


async def read_history(
    engine: Engine, user_id: UserId, memory_id: UUID, before: int | None, limit: int
) -> History:
    """A memory's source and its versions older than `before`, the present first.

    An unreadable version is left out and counted. Raises `NotFound`, also when the present is one.
    """
    one = memory_versions.read_memory(user_id, memory_id)
    page = memory_versions.read_memory_versions(user_id, memory_id, before, limit + 1)
    first = memory_versions.read_memory_versions(user_id, memory_id, 2, 1)
    key = keys.read_user_key(user_id)
    got = await engine.database.run(user_id, one, page, first, key)
    cipher, stored = await _found(engine, user_id, got[one], got[key])
    _only(readable(cipher, [stored.sealed]))
    shown = got[page][:limit]
    more = len(got[page]) > limit
    versions = tuple(_versions(cipher, memory_id, shown, got[first]))
    return History(stored, versions, shown[-1].version if more else None)


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
        store_of_relationships.lock_pairs(Scope(user_id, cast)),
        store_of_relationships.invalidate_derived(user_id, [memory_id]),
        gone,
    )
    if not (got[gone] or cast):
        raise NotFound("memory")


def readable(cipher: UserCipher, sealed: Iterable[SealedMemory]) -> tuple[Memory, ...]:
    """Those that can be decrypted, in their order; the others are counted."""
    opened = (open_or_drop("memory", open_memory, cipher, one, memory_id=one.id) for one in sealed)
    return tuple(memory for memory in opened if memory)


async def _found(
    engine: Engine, user_id: UserId, stored: StoredMemory | None, key: keys.StoredKey | None
) -> tuple[UserCipher, StoredMemory]:
    if stored is None:
        raise NotFound("memory")
    return await cipher_of(engine.database, engine.keyring, user_id, key), stored


def _only(opened: tuple[Memory, ...]) -> Memory:
    """An unreadable memory is as good as none."""
    if not opened:
        raise NotFound("memory")
    return opened[0]


def _versions(
    cipher: UserCipher,
    memory_id: UUID,
    shown: Sequence[SealedVersion],
    first: Sequence[SealedVersion],
) -> Iterator[Version]:
    """Those of `shown` that can be read. What says the same as the first is the extractor's."""
    sealed = {one.version: one for one in (*first, *shown)}
    told = {number: _summary(cipher, memory_id, one) for number, one in sealed.items()}
    for one in shown:
        summary = told[one.version]
        if summary is not None:
            author: Author = "extractor" if summary == told.get(1) else "user"
            yield Version(one.version, summary, one.importance, author, one.replaced_at)


def _summary(cipher: UserCipher, memory_id: UUID, version: SealedVersion) -> str | None:
    earlier = earlier_summary_cell(memory_id, version.version)
    cell = earlier if version.replaced_at else summary_cell(memory_id)
    return open_or_drop("version", cipher.open, cell, version.summary, memory_id=memory_id)
