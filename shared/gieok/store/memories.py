"""Queries of memories: candidates of a recall, a user's own list, deletion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from gieok.calls import Vector
from gieok.policy import RecallPolicy
from gieok.store.database import Query, Row
from gieok.store.sealed import SealedMemory, SealedRelationship
from gieok.types import Explanation, Scope, UserId


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that a recall chose, with its reason."""

    memory: SealedMemory
    why: Explanation


def recall_memories(
    scope: Scope,
    vector: Vector | None,
    embedding_model: str,
    width: int,
    digests: Mapping[int, float],
    policy: RecallPolicy,
) -> Query[list[Found]]:
    """The memories that a question recalls, best first, and `policy.spare` more candidates.

    `digests` are those of the question, each with the weight of a match. Without a vector the
    newest memories take the places that the keyword leg leaves free.
    """
    params = {
        "user_id": scope.user_id,
        "character_ids": list(scope.character_ids),
        "vector": None if vector is None else padded(vector, width),
        "embedding_model": embedding_model,
        "digests": list(digests),
        "weights": list(digests.values()),
        "budget": policy.postings,
        "overfetch": policy.overfetch,
        "fusion": policy.fusion,
        "keyword_share": policy.keyword_share,
        "rrf_k": policy.rrf_k,
        "context": list(policy.context),
        "half_life": policy.half_life,
        "decay_floor": policy.decay_floor,
        "important_from": policy.important_from,
        "reserved": policy.reserved,
        "limit": policy.limit,
        "spare": policy.spare,
    }
    return Query("recall_memories", params, lambda rows: [_found(r) for r in rows])


def list_memories(
    user_id: UserId,
    character_id: UUID | None,
    session_id: UUID | None,
    before: UUID | None,
    limit: int,
) -> Query[list[SealedMemory]]:
    """A user's memories older than `before`, newest first."""
    params = {
        "user_id": user_id,
        "character_id": character_id,
        "session_id": session_id,
        "before": before,
        "limit": limit,
    }
    return Query("list_memories", params, lambda rows: [sealed_memory(r) for r in rows])


def read_memory_cast(user_id: UserId, memory_id: UUID) -> Query[tuple[UUID, ...] | None]:
    """Whose memory it is, even if it fell; None when there is none of this user's."""
    params = {"user_id": user_id, "memory_id": memory_id}
    return Query(
        "read_memory_cast",
        params,
        lambda rows: tuple(rows[0]["character_ids"]) if rows else None,
    )


def delete_memory(user_id: UserId, memory_id: UUID) -> Query[bool]:
    """Delete a memory with everything that refers to it, and keep its words from another one.

    False when it is not this user's, or fell and was made anew. `lock_fences` must have run before.
    """
    return Query("delete_memory", {"user_id": user_id, "memory_id": memory_id}, bool)


def read_relationships(user_id: UserId, session_id: UUID) -> Query[list[SealedRelationship]]:
    """Where a user stands with each character of a session."""
    params = {"user_id": user_id, "session_id": session_id}
    return Query("read_relationships", params, relationships)


def relationships(rows: list[Row]) -> list[SealedRelationship]:
    """Relationship states from their rows."""
    return [SealedRelationship(**r) for r in rows]


def sealed_memory(row: Row) -> SealedMemory:
    """A memory from its row."""
    return SealedMemory(
        id=row["id"],
        character_ids=tuple(row["character_ids"]),
        summary=row["summary"],
        details=row["details"],
        importance=row["importance"],
        involved=tuple(row["involved"] or ()),
        began_at=row["began_at"],
        happened_at=row["happened_at"],
        created_at=row["created_at"],
        pinned=row["pinned"],
        muted=row["muted"],
    )


def padded(vector: Sequence[float], width: int) -> str:
    """A vector as a halfvec literal, filled with zeros to the column's width (cosine unchanged)."""
    return _literal(width) % (*vector, *(0.0,) * (width - len(vector)))


@cache
def _literal(width: int) -> str:
    """A number in five digits: half precision holds fewer, and `repr` is three times slower."""
    return "[" + ",".join(["%.5g"] * width) + "]"


def _found(row: Row) -> Found:
    why = Explanation(
        slot=row["slot"],
        score=row["score"],
        decay=row["decay"],
        context=row["context"],
        similarity=row["similarity"],
        vector_rank=row["vector_rank"],
        keyword_rank=row["keyword_rank"],
    )
    return Found(sealed_memory(row), why)
