"""What a memory says and said: its versions, and whose words they are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from gieok.engine import Engine
from gieok.memories.read import found, only, readable
from gieok.privacy.cells import earlier_summary_cell, summary_cell
from gieok.privacy.cipher import UserCipher
from gieok.privacy.open_or_drop import open_or_drop
from gieok.store import keys, memory_versions
from gieok.store.memory_versions import SealedVersion, StoredMemory
from gieok.types import UserId

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
    cipher, stored = await found(engine, user_id, got[one], got[key])
    only(readable(cipher, [stored.sealed]))
    shown = got[page][:limit]
    more = len(got[page]) > limit
    versions = tuple(_versions(cipher, memory_id, shown, got[first]))
    return History(stored, versions, shown[-1].version if more else None)


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
