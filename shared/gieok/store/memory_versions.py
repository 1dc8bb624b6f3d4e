"""Queries of one memory and its versions: read it, change it, index its new text, look back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok.calls import Vector
from gieok.store.database import Query, Row
from gieok.store.memories import padded, sealed_memory
from gieok.store.sealed import SealedMemory
from gieok.types import UserId


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory at rest, with where it came from. `version` begins at 1; each edit adds one.

    `weighed`: its importance is the user's.
    """

    sealed: SealedMemory
    version: int
    edited_at: datetime | None
    weighed: bool
    session_ids: tuple[UUID, ...]
    extractor: str
    prompt_version: str


@dataclass(frozen=True, slots=True)
class SealedVersion:
    """What a memory said until `replaced_at`, or says while that is None, at rest."""

    version: int
    summary: bytes
    importance: int
    replaced_at: datetime | None


@dataclass(frozen=True, slots=True)
class SealedAmendment:
    """A memory as it is to be. A field that is None stays as it is; `summary` comes with `details`.

    `reworded`: the user chose its words, `weighed`: its importance. `earlier` is the present
    summary, sealed as a version; None for a change that makes no version.
    """

    memory_id: UUID
    version: int
    summary: bytes | None
    details: bytes | None
    importance: int
    pinned: bool | None
    muted: bool | None
    reworded: bool
    weighed: bool
    earlier: bytes | None
    earlier_importance: int


def read_memory(user_id: UserId, memory_id: UUID) -> Query[StoredMemory | None]:
    """One memory that stands; None when it is not this user's."""
    params = {"user_id": user_id, "memory_id": memory_id}
    return Query("read_memory", params, lambda rows: _stored(rows[0]) if rows else None)


def amend_memory(user_id: UserId, amendment: SealedAmendment) -> Query[bool]:
    """Change a memory; False when it is gone or another version stands."""
    params = {
        "user_id": user_id,
        "memory_id": amendment.memory_id,
        "version": amendment.version,
        "summary": amendment.summary,
        "details": amendment.details,
        "importance": amendment.importance,
        "pinned": amendment.pinned,
        "muted": amendment.muted,
        "reworded": amendment.reworded,
        "weighed": amendment.weighed,
        "edited": amendment.earlier is not None,
        "earlier_summary": amendment.earlier,
        "earlier_importance": amendment.earlier_importance,
    }
    return Query("amend_memory", params, bool)


def reindex_memory(
    user_id: UserId,
    memory_id: UUID,
    summary: bytes,
    digests: Mapping[int, int],
    vectors: Mapping[str, Vector],
    width: int,
) -> Query[None]:
    """Replace a memory's digests and its vectors, by model, if `summary` is still its summary."""
    params = {
        "user_id": user_id,
        "memory_id": memory_id,
        "summary": summary,
        "digests": list(digests),
        "impacts": list(digests.values()),
        "models": list(vectors),
        "vectors": [padded(v, width) for v in vectors.values()],
    }
    return Query("reindex_memory", params, lambda rows: None)


def read_memory_versions(
    user_id: UserId, memory_id: UUID, before: int | None, limit: int
) -> Query[list[SealedVersion]]:
    """The versions of a memory older than `before`, newest first, the present one among them."""
    params = {"user_id": user_id, "memory_id": memory_id, "before": before, "limit": limit}
    return Query("read_memory_versions", params, lambda rows: [SealedVersion(**r) for r in rows])


def _stored(row: Row) -> StoredMemory:
    return StoredMemory(
        sealed=sealed_memory(row),
        version=row["version"],
        edited_at=row["edited_at"],
        weighed=row["weighed"],
        session_ids=tuple(row["session_ids"]),
        extractor=row["extractor"],
        prompt_version=row["prompt_version"],
    )
