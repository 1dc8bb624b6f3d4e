"""Versions of a relationship: write one, and make the one that a loss asks for.

When a version is lost that a later one carries on, the same transaction puts an empty one on top.
Whoever reads the newest version meets it, never the state of before, and has it made here.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from gieok.engine import Engine
from gieok.errors import Conflict
from gieok.privacy.cells import open_version, seal_relationship
from gieok.privacy.cipher import UserCipher
from gieok.relationship.rules import replayed
from gieok.store import relationships as store
from gieok.store import windows
from gieok.store.relationships import StoredVersion
from gieok.store.sealed import SealedRelationship
from gieok.types import Relationship, Scope, UserId, VersionSource

TRIES = 10
"""Tries of a change that meets another one each time."""


@dataclass(frozen=True, slots=True)
class Made:
    """A version to be written. `memory_id` is that of the window its content is from."""

    relationship: Relationship
    source: VersionSource
    memory_id: UUID | None = None


async def standing(
    engine: Engine, cipher: UserCipher, scope: Scope, found: Sequence[SealedRelationship]
) -> Sequence[SealedRelationship]:
    """The newest versions of a scope, none of them empty: `found`, or read again once made.

    Raises `Conflict` when others kept changing them.
    """
    while await make_lost(engine, cipher, scope.user_id, found):
        states = windows.read_scope_relationships(scope)
        found = (await engine.database.run(scope.user_id, states))[states]
    return found


async def make_lost(
    engine: Engine, cipher: UserCipher, user_id: UserId, newest: Sequence[SealedRelationship]
) -> bool:
    """Make the newest versions that are empty; whether any was, so that they must be read again.

    Raises `Conflict` when others kept changing one.
    """
    lost = [version.character_id for version in newest if not version.body]
    for character_id in lost:
        await _recompute(engine, cipher, user_id, character_id)
    return bool(lost)


async def _recompute(
    engine: Engine, cipher: UserCipher, user_id: UserId, character_id: UUID
) -> None:
    """Write what the versions that stand add up to, unless somebody else did."""
    history = store.read_relationship_history(user_id, character_id)
    for _ in range(TRIES):
        versions = (await engine.database.run(user_id, history))[history]
        newest = next((v for v in reversed(versions) if v.invalidated_at is None), None)
        if newest is None or newest.sealed.body:
            return
        made = Made(replayed(_what_they_did(cipher, versions)), "recomputed")
        if await write(engine, cipher, user_id, character_id, made, newest.sealed.version):
            return
    raise Conflict("the relationship keeps changing")


def _what_they_did(cipher: UserCipher, history: Sequence[StoredVersion]) -> Iterator[Relationship]:
    """What the versions that stand and were not recomputed say; oldest first."""
    stand = (v for v in history if v.invalidated_at is None and v.source != "recomputed")
    return (says for _, says in opened(cipher, stand))


def opened(
    cipher: UserCipher, versions: Iterable[StoredVersion]
) -> Iterator[tuple[StoredVersion, Relationship]]:
    """Versions with what they say; one that cannot be decrypted is left out and counted."""
    for version in versions:
        if relationship := open_version(cipher, version.sealed):
            yield version, relationship


async def write(
    engine: Engine,
    cipher: UserCipher,
    user_id: UserId,
    character_id: UUID,
    made: Made,
    base: int,
) -> bool:
    """Write a version made from version `base`; False when that is not the newest any more."""
    scope = Scope(user_id, (character_id,))
    sealed = seal_relationship(cipher, character_id, made.relationship)
    written = store.write_relationship(user_id, sealed, made.source, base, made.memory_id)
    got = await engine.database.run(
        user_id, windows.open_fences(scope), store.lock_fences(scope), written
    )
    return got[written] is not None
