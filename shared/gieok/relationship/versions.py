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
from gieok.relationship.rules import replayed, without
from gieok.store import relationships as store
from gieok.store import windows
from gieok.store.relationships import StoredVersion
from gieok.store.sealed import SealedRelationship
from gieok.types import Relationship, Scope, UserId, VersionSource

TRIES = 10
"""Tries of a change that meets another one each time."""
REPLAYED = 100
"""Newest versions that are replayed after a loss. What was lost before all of them is taken out of
the oldest of these instead, so that a recomputation costs the same however long two have talked."""


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
    newest = store.list_relationship_versions(user_id, character_id, None, 1)
    latest = store.read_latest_versions(user_id, character_id, REPLAYED)
    for _ in range(TRIES):
        got = await engine.database.run(user_id, newest, latest)
        if not got[newest] or got[newest][0].sealed.body:
            return
        versions = list(opened(cipher, got[latest]))
        start = Relationship()
        if len(got[latest]) == REPLAYED and versions:
            start = await _without_lost(engine, cipher, user_id, *versions.pop(0))
        did = (says for version, says in versions if version.source != "recomputed")
        made = Made(replayed(did, start), "recomputed")
        if await write(engine, cipher, user_id, character_id, made, got[newest][0].sealed.version):
            return
    raise Conflict("the relationship keeps changing")


async def _without_lost(
    engine: Engine,
    cipher: UserCipher,
    user_id: UserId,
    version: StoredVersion,
    says: Relationship,
) -> Relationship:
    """What a version says, less what it carries on of those that were lost since."""
    character_id, number = version.sealed.character_id, version.sealed.version
    lost = store.read_lost_versions(user_id, character_id, number)
    for one in (await engine.database.run(user_id, lost))[lost]:
        gone = open_version(cipher, one.sealed)
        was = open_version(cipher, one.was) if one.was else None
        if gone:
            says = without(says, gone, was or Relationship())
    return says


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
