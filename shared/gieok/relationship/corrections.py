"""Where a user and a character stand: read it with its history, correct it, restore a version."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from gieok.engine import Engine
from gieok.errors import Conflict, NotFound
from gieok.privacy.cipher import UserCipher
from gieok.privacy.ciphers import cipher_of
from gieok.relationship.rules import corrected, restored
from gieok.relationship.versions import TRIES, Made, make_lost, opened, write
from gieok.store import keys, sessions
from gieok.store import relationships as store
from gieok.store.relationships import StoredVersion
from gieok.types import Relationship, StateField, UserId, VersionSource


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a relationship, decrypted. `number` counts from 1."""

    number: int
    relationship: Relationship
    source: VersionSource
    memory_id: UUID | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class History:
    """The version that counts, None before the first, and a page of all that stand, newest first.

    `cursor`: the next page starts behind this number; None at the end.
    """

    current: Version | None
    versions: tuple[Version, ...]
    cursor: int | None


async def read_relationship(
    engine: Engine, user_id: UserId, character_id: UUID, before: int | None, limit: int
) -> History:
    """The relationship, with its versions older than `before`. Raises `NotFound` (character).

    A version that cannot be decrypted is left out and counted.
    """
    newest = store.list_relationship_versions(user_id, character_id, None, 1)
    page = store.list_relationship_versions(user_id, character_id, before, limit + 1)
    known, key = sessions.read_characters((character_id,)), keys.read_user_key(user_id)
    got = await engine.database.run(user_id, known, newest, page, key)
    if not got[known]:
        raise NotFound("character")
    if not got[newest]:
        return History(None, (), None)
    cipher, rows = await cipher_of(engine.database, engine.keyring, user_id, got[key]), got[page]
    if await make_lost(engine, cipher, user_id, [v.sealed for v in got[newest]]):
        return await read_relationship(engine, user_id, character_id, before, limit)
    shown = rows[:limit]
    return History(
        current=next(_opened(cipher, got[newest]), None),
        versions=tuple(_opened(cipher, shown)),
        cursor=shown[-1].sealed.version if len(rows) > limit else None,
    )


async def correct(
    engine: Engine, user_id: UserId, character_id: UUID, given: Mapping[StateField, Any]
) -> None:
    """Make a version with these fields as the user wants them; they are held from then on.

    The values are within the bounds of `relationship.rules`. A field that has its value already is
    held from now on too, and so outranks all that was said before. Raises `NotFound` (character),
    and `Conflict` when others kept changing the relationship.
    """

    def change(before: Relationship, _: Version | None, at: datetime) -> Made:
        return Made(corrected(before, given, at), "user")

    await _change(engine, user_id, character_id, None, change)


async def restore(engine: Engine, user_id: UserId, character_id: UUID, number: int) -> None:
    """Make a version with the state of an earlier one; what differs is held like a correction.

    It goes when that version goes. When nothing differs, nothing changes. Raises `NotFound`
    (character, or a version that does not stand) and `Conflict`.
    """

    def change(before: Relationship, earlier: Version | None, at: datetime) -> Made:
        if earlier is None:
            raise NotFound("version")
        return Made(restored(before, earlier.relationship, at), "restored", earlier.memory_id)

    await _change(engine, user_id, character_id, number, change)


async def _change(
    engine: Engine,
    user_id: UserId,
    character_id: UUID,
    number: int | None,
    change: Callable[[Relationship, Version | None, datetime], Made],
) -> None:
    """Write what `change` makes of the newest version and of version `number`; again if others were
    faster.

    The time of the change is that of the first try, so that a try whose answer was lost finds its
    work done.
    """
    newest = store.list_relationship_versions(user_id, character_id, None, 1)
    named = store.list_relationship_versions(user_id, character_id, (number or 0) + 1, 1)
    known, key = sessions.read_characters((character_id,)), keys.read_user_key(user_id)
    clock, at = store.read_clock(), None
    for _ in range(TRIES):
        got = await engine.database.run(user_id, known, newest, named, key, clock)
        if not got[known]:
            raise NotFound("character")
        cipher, at = (
            await cipher_of(engine.database, engine.keyring, user_id, got[key]),
            at or got[clock],
        )
        if await make_lost(engine, cipher, user_id, [v.sealed for v in got[newest]]):
            continue
        before = next(_opened(cipher, got[newest]), None)
        earlier = next((v for v in _opened(cipher, got[named]) if v.number == number), None)
        now = before.relationship if before else Relationship()
        made = change(now, earlier, at)
        if (made.relationship.state, made.relationship.held) == (now.state, now.held):
            return
        base = got[newest][0].sealed.version if got[newest] else 0
        if await write(engine, cipher, user_id, character_id, made, base):
            return
    raise Conflict("the relationship keeps changing")


def _opened(cipher: UserCipher, versions: Iterable[StoredVersion]) -> Iterator[Version]:
    for row, says in opened(cipher, versions):
        yield Version(row.sealed.version, says, row.source, row.memory_id, row.created_at)
