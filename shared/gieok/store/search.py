"""The queries of a user's search among their own memories."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from gieok.calls import Vector
from gieok.store.database import Query, Row
from gieok.store.memories import padded, sealed_memory
from gieok.store.sealed import SealedMemory
from gieok.types import UserId


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that a search found; None for the score of a leg that did not find it."""

    memory: SealedMemory
    similarity: float | None
    keyword_score: float | None


def search_memories(
    user_id: UserId,
    character_id: UUID | None,
    session_id: UUID | None,
    vector: Vector | None,
    embedding_model: str,
    width: int,
    digests: Mapping[int, float],
    limit: int,
) -> Query[list[Hit]]:
    """The best `limit` memories of each leg, muted ones too, in no order.

    Without a vector only the keyword leg finds any. `digests` are those of the words with what a
    match counts.
    """
    params = {
        "user_id": user_id,
        "character_id": character_id,
        "session_id": session_id,
        "vector": None if vector is None else padded(vector, width),
        "embedding_model": embedding_model,
        "digests": list(digests),
        "weights": list(digests.values()),
        "limit": limit,
    }
    return Query("search_memories", params, lambda rows: [_hit(r) for r in rows])


def search_misses_vectors(
    user_id: UserId, character_id: UUID | None, session_id: UUID | None, embedding_model: str
) -> Query[bool]:
    """Whether any memory that a search covers, muted or not, has no vector of the model.

    One whose text the model refuses to embed is not missed. Exact, where `has_missing_vectors`
    looks at few: a search reads them all anyway.
    """
    params = {
        "user_id": user_id,
        "character_id": character_id,
        "session_id": session_id,
        "embedding_model": embedding_model,
    }
    return Query("search_misses_vectors", params, lambda rows: bool(rows[0]["missing"]))


def _hit(row: Row) -> Hit:
    return Hit(sealed_memory(row), row["similarity"], row["keyword_score"])
