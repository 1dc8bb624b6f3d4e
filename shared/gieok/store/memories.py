"""Queries of memories: candidates of a recall, a user's own list, deletion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from pgvector import HalfVector

from gieok.policy import RecallPolicy
from gieok.sealed import SealedMemory, SealedRelationship
from gieok.store.database import Query, Row
from gieok.types import Scope, UserId, Vector


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be recalled, with what each leg says of it.

    `distance` counts memories of the pair that came after it; None in a leg that did not find it.
    """

    memory: SealedMemory
    distance: int
    similarity: float | None
    keyword_rank: float | None
    newest: bool


def recall_candidates(
    scope: Scope,
    vector: Vector | None,
    embedding_model: str,
    width: int,
    digests: Mapping[int, float],
    policy: RecallPolicy,
) -> Query[list[Candidate]]:
    """Candidates of every leg. Without a vector the newest memories stand in for that leg.

    `digests` are those of the question with what a match counts.
    """
    params = {
        "user_id": scope.user_id,
        "character_ids": list(scope.character_ids),
        "vector": None if vector is None else padded(vector, width),
        "embedding_model": embedding_model,
        "digests": list(digests),
        "weights": list(digests.values()),
        "overfetch": policy.overfetch,
        "important_from": policy.important_from,
        "reserved": policy.reserved,
        "limit": policy.limit,
    }
    return Query("recall_candidates", params, lambda rows: [_candidate(r) for r in rows])


def list_memories(
    user_id: UserId,
    character_id: UUID | None,
    session_id: UUID | None,
    before: UUID | None,
    limit: int,
    memory_id: UUID | None = None,
) -> Query[list[SealedMemory]]:
    """A user's memories older than `before`, newest first."""
    params = {
        "user_id": user_id,
        "character_id": character_id,
        "session_id": session_id,
        "before": before,
        "memory_id": memory_id,
        "limit": limit,
    }
    return Query("list_memories", params, lambda rows: [_memory(r) for r in rows])


def delete_memory(user_id: UserId, memory_id: UUID) -> Query[bool]:
    """Remove a memory and all that hangs on it; False when it is not this user's."""
    return Query("delete_memory", {"user_id": user_id, "memory_id": memory_id}, bool)


def read_relationships(user_id: UserId, session_id: UUID) -> Query[list[SealedRelationship]]:
    """Where a user stands with each character of a session."""
    params = {"user_id": user_id, "session_id": session_id}
    return Query("read_relationships", params, relationships)


def relationships(rows: list[Row]) -> list[SealedRelationship]:
    """Relationship states from their rows."""
    return [SealedRelationship(**r) for r in rows]


def padded(vector: Sequence[float], width: int) -> str:
    """A vector as a halfvec literal, filled with zeros to the column's width (cosine unchanged)."""
    return HalfVector([*vector, *[0.0] * (width - len(vector))]).to_text()


def _memory(row: Row) -> SealedMemory:
    return SealedMemory(
        id=row["id"],
        character_ids=tuple(row["character_ids"]),
        summary=row["summary"],
        details=row["details"],
        importance=row["importance"],
        involved=tuple(row["involved"] or ()),
        happened_at=row["happened_at"],
        created_at=row["created_at"],
        pinned=row["pinned"],
        muted=row["muted"],
    )


def _candidate(row: Row) -> Candidate:
    return Candidate(
        memory=_memory(row),
        distance=row["distance"],
        similarity=row["similarity"],
        keyword_rank=row["keyword_rank"],
        newest=row["newest"],
    )
