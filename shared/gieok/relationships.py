"""Where a user and a character stand: read it with its history, correct it, restore a version."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from gieok import telemetry
from gieok.cells import open_relationship, seal_relationship
from gieok.claim import cipher_of
from gieok.crypto import UserCipher
from gieok.engine import Engine
from gieok.errors import Conflict, DecryptionFailed, NotFound
from gieok.relationship import corrected, replayed, restored
from gieok.store import keys, sessions, windows
from gieok.store import relationships as store
from gieok.store.relationships import Source, StoredVersion
from gieok.types import Relationship, RelationshipState, Scope, StateField, UserId

TRIES = 10
"""Of a change that meets another one each time."""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a relationship, decrypted. `number` counts from 1."""

    number: int
    relationship: Relationship
    source: Source
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
    newest = store.list_versions(user_id, character_id, None, 1)
    page = store.list_versions(user_id, character_id, before, limit + 1)
    known, key = sessions.read_characters((character_id,)), keys.read_user_key(user_id)
    got = await engine.database.run(user_id, known, newest, page, key)
    if not got[known]:
        raise NotFound("character")
    if not got[newest]:
        return History(None, (), None)
    cipher, rows = await cipher_of(engine, user_id, got[key]), got[page]
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

    Values are within `relationship`'s bounds. What is so already changes nothing. Raises `NotFound`
    (character), `Conflict` when others kept changing it.
    """
    await _change(
        engine,
        user_id,
        character_id,
        None,
        lambda before, _: _Made(corrected(before, given), "user"),
    )


async def restore(engine: Engine, user_id: UserId, character_id: UUID, number: int) -> None:
    """Make a version with the state of an earlier one; what differs is held like a correction.

    Raises `NotFound` (character, or a version that does not stand), `Conflict`.
    """

    def change(before: Relationship, earlier: Version | None) -> _Made:
        if earlier is None:
            raise NotFound("version")
        return _Made(restored(before, earlier.relationship), "restored", earlier.memory_id)

    await _change(engine, user_id, character_id, number, change)


async def recompute(engine: Engine, user_id: UserId, character_id: UUID) -> None:
    """Make a version without what invalidated ones brought in, if a later one still has it.

    Call it after versions were invalidated; doing it again changes nothing. Raises `Conflict`.
    """
    history, key = store.read_history(user_id, character_id), keys.read_user_key(user_id)
    for _ in range(TRIES):
        got = await engine.database.run(user_id, history, key)
        standing = [v.sealed.version for v in got[history] if v.invalidated_at is None]
        if not standing:
            return
        cipher = await cipher_of(engine, user_id, got[key])
        opened = {v.number: v.relationship for v in _opened(cipher, got[history])}
        made = _Made(replayed(_steps(got[history], opened)), "recomputed")
        if _says(made.relationship) == _says(opened.get(standing[-1], Relationship())):
            return
        if await _write(engine, user_id, character_id, cipher, made, standing[-1]):
            return
    raise Conflict("the relationship keeps changing")


@dataclass(frozen=True, slots=True)
class _Made:
    """A version to be written. `memory_id` is that of the window its content is from."""

    relationship: Relationship
    source: Source
    memory_id: UUID | None = None


async def _change(
    engine: Engine,
    user_id: UserId,
    character_id: UUID,
    number: int | None,
    change: Callable[[Relationship, Version | None], _Made],
) -> None:
    """Write what `change` makes of the newest version and version `number`; anew if it moved."""
    newest = store.list_versions(user_id, character_id, None, 1)
    named = store.list_versions(user_id, character_id, (number or 0) + 1, 1)
    known, key = sessions.read_characters((character_id,)), keys.read_user_key(user_id)
    for _ in range(TRIES):
        got = await engine.database.run(user_id, known, newest, named, key)
        if not got[known]:
            raise NotFound("character")
        cipher = await cipher_of(engine, user_id, got[key])
        before = next(_opened(cipher, got[newest]), None)
        earlier = next((v for v in _opened(cipher, got[named]) if v.number == number), None)
        standing = before.relationship if before else Relationship()
        made = change(standing, earlier)
        if _says(made.relationship) == _says(standing):
            return
        base = got[newest][0].sealed.version if got[newest] else 0
        if await _write(engine, user_id, character_id, cipher, made, base):
            return
    raise Conflict("the relationship keeps changing")


async def _write(
    engine: Engine,
    user_id: UserId,
    character_id: UUID,
    cipher: UserCipher,
    made: _Made,
    base: int,
) -> bool:
    """Write a version made from version `base`; False when that is not the newest any more."""
    scope = Scope(user_id, (character_id,))
    sealed = seal_relationship(cipher, character_id, made.relationship)
    written = store.write_relationship(user_id, sealed, made.source, base, made.memory_id)
    got = await engine.database.run(
        user_id, windows.open_pairs(scope), store.lock_pairs(scope), written
    )
    return got[written] is not None


def _says(relationship: Relationship) -> tuple[RelationshipState, tuple[StateField, ...]]:
    """What makes two versions different: a run whose answer was lost finds its work done."""
    return relationship.state, relationship.held


def _opened(cipher: UserCipher, rows: Iterable[StoredVersion]) -> Iterator[Version]:
    for row in rows:
        try:
            relationship = open_relationship(cipher, row.sealed)
        except DecryptionFailed:
            telemetry.setback("undecryptable_relationship", version_id=str(row.sealed.id))
            continue
        number = row.sealed.version
        yield Version(number, relationship, row.source, row.memory_id, row.created_at)


def _steps(
    history: Sequence[StoredVersion], opened: Mapping[int, Relationship]
) -> Iterator[tuple[Relationship, Relationship]]:
    """(before, after) of each version that stands; recomputed ones add nothing of their own."""
    for place, row in enumerate(history):
        number = row.sealed.version
        if row.invalidated_at or row.source == "recomputed" or number not in opened:
            continue
        base = next((b for b in reversed(history[:place]) if _stood_when(b, row)), None)
        before = opened.get(base.sealed.version) if base else None
        yield before or Relationship(), opened[number]


def _stood_when(earlier: StoredVersion, later: StoredVersion) -> bool:
    return earlier.invalidated_at is None or earlier.invalidated_at > later.created_at
