"""Queries of relationship versions: writing one, a page of them, the end of some.

Whoever writes a version holds the fences first (`lock_fences`) and moves those of extractions in
flight, so that no version is made from a state that is not the newest.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.types.json import Jsonb

from gieok.store.database import Query, Row
from gieok.store.sealed import NewRelationship, SealedRelationship
from gieok.types import Scope, UserId, VersionSource


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A version with what is told of it. `memory_id` is that of the window it came from.

    `invalidated_at` is None while it stands.
    """

    sealed: SealedRelationship
    source: VersionSource
    memory_id: UUID | None
    created_at: datetime
    invalidated_at: datetime | None


@dataclass(frozen=True, slots=True)
class LostVersion:
    """A version that stands no more, and the one it was made from, None for the first."""

    sealed: SealedRelationship
    was: SealedRelationship | None


def lock_fences(scope: Scope) -> Query[None]:
    """Lock the fences of every cast with any of the characters until the batch ends."""
    params = {"user_id": scope.user_id, "character_ids": list(scope.character_ids)}
    return Query("lock_fences", params, lambda rows: None)


def supersede_stale(scope: Scope, versions: Sequence[int]) -> Query[None]:
    """Supersede a window that was shown other versions than the newest; `lock_fences` came before.

    `versions` are in the order of the scope, 0 where there was none.
    """
    params = {
        "user_id": scope.user_id,
        "character_ids": list(scope.character_ids),
        "versions": list(versions),
    }
    return Query("supersede_stale", params, lambda rows: None)


def save_relationships(
    scope: Scope, memory_id: UUID, versions: Iterable[NewRelationship]
) -> Query[None]:
    """Write the versions of a window whose memory was written; `lock_fences` came before."""
    rows = [
        {"id": str(v.id), "character_id": str(v.character_id), "body": v.body.hex()}
        for v in versions
    ]
    params = {
        "user_id": scope.user_id,
        "character_ids": list(scope.character_ids),
        "memory_id": memory_id,
        "versions": Jsonb(rows),
    }
    return Query("save_relationships", params, lambda rows: None)


def write_relationship(
    user_id: UserId, made: NewRelationship, source: VersionSource, base: int, memory_id: UUID | None
) -> Query[int | None]:
    """Write a version that was made from version `base` (0: from nothing), and return its number.

    None when `base` is not the newest version that stands. `lock_fences` must have run before.
    """
    params = {
        "user_id": user_id,
        "id": made.id,
        "character_id": made.character_id,
        "body": made.body,
        "source": source,
        "base": base,
        "memory_id": memory_id,
    }
    return Query("write_relationship", params, lambda rows: rows[0]["version"] if rows else None)


def list_relationship_versions(
    user_id: UserId, character_id: UUID, before: int | None, limit: int
) -> Query[list[StoredVersion]]:
    """Versions that stand, older than `before`, newest first."""
    params = {
        "user_id": user_id,
        "character_id": character_id,
        "before": before,
        "limit": limit,
    }
    return Query("list_relationship_versions", params, _versions)


def read_latest_versions(
    user_id: UserId, character_id: UUID, limit: int
) -> Query[list[StoredVersion]]:
    """The newest versions that stand and are made, at most `limit`, oldest first."""
    params = {"user_id": user_id, "character_id": character_id, "limit": limit}
    return Query("read_latest_versions", params, _versions)


def read_lost_versions(
    user_id: UserId, character_id: UUID, carrying: int
) -> Query[list[LostVersion]]:
    """Versions that were lost since version `carrying`, which carries them on; newest first."""
    params = {"user_id": user_id, "character_id": character_id, "carrying": carrying}
    return Query("read_lost_versions", params, lambda rows: [_lost(character_id, r) for r in rows])


def read_clock() -> Query[datetime]:
    """The database's time, since that clock dates messages."""
    return Query("read_clock", {}, lambda rows: rows[0]["now"])


def invalidate_derived(
    user_id: UserId, memory_ids: Sequence[UUID], *, saying: bytes | None = None
) -> Query[None]:
    """End the relationship versions and facts that came with these memories.

    With `saying`, only of memories whose sealed summary is that one. `lock_fences` must have run
    before. It must run before the memories are deleted, which would clear the versions' memory ids.
    """
    params = {"user_id": user_id, "memory_ids": list(memory_ids), "summary": saying}
    return Query("invalidate_derived", params, lambda rows: None)


def _versions(rows: list[Row]) -> list[StoredVersion]:
    return [
        StoredVersion(
            SealedRelationship(r["id"], r["character_id"], r["version"], r["body"]),
            r["source"],
            r["memory_id"],
            r["created_at"],
            r["invalidated_at"],
        )
        for r in rows
    ]


def _lost(character_id: UUID, row: Row) -> LostVersion:
    made = SealedRelationship(row["id"], character_id, row["version"], row["body"])
    if row["was_id"] is None:
        return LostVersion(made, None)
    was = SealedRelationship(row["was_id"], character_id, row["was_version"], row["was_body"])
    return LostVersion(made, was)
