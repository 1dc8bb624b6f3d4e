"""Queries of vectors that are made after their memory: missing ones, and those of another model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok.policy import GenerationPolicy
from gieok.store.database import Query
from gieok.store.memories import padded
from gieok.types import Scope, UserId, Vector


@dataclass(frozen=True, slots=True)
class SealedSummary:
    """What a memory's vector is made of, at rest, and which version of it."""

    id: UUID
    version: int
    summary: bytes


def read_unembedded(scope: Scope, now: datetime, limit: int) -> Query[list[SealedSummary]]:
    """Memories of a cast without a vector, oldest first; none before their next try is due."""
    params = {**_of(scope), "now": now, "limit": limit}
    return Query("read_unembedded", params, lambda rows: [SealedSummary(**r) for r in rows])


def add_vectors(
    user_id: UserId,
    memories: Sequence[SealedSummary],
    vectors: Mapping[str, Iterable[Vector]],
    width: int,
) -> Query[int]:
    """Write the memories' vectors by model, in the memories' order; how many were written.

    A memory that was edited, replaced or removed since its summary was read gets none.
    """
    rows = [
        (m, model, v) for model, of in vectors.items() for m, v in zip(memories, of, strict=True)
    ]
    params = {
        "user_id": user_id,
        "memory_ids": [m.id for m, _, _ in rows],
        "versions": [m.version for m, _, _ in rows],
        "models": [model for _, model, _ in rows],
        "vectors": [padded(v, width) for _, _, v in rows],
    }
    return Query("add_vectors", params, lambda rows: int(rows[0]["written"]))


def delay_refill(
    scope: Scope, now: datetime, policy: GenerationPolicy, *, failed: bool
) -> Query[None]:
    """After a failed try keep the cast's missing vectors back, longer each time."""
    params = {
        **_of(scope),
        "now": now,
        "failed": failed,
        "first": policy.retry_after,
        "growth": policy.retry_growth,
        "longest": policy.retry_longest,
    }
    return Query("delay_refill", params, lambda rows: None)


def _of(scope: Scope) -> dict[str, object]:
    return {"user_id": scope.user_id, "character_ids": list(scope.character_ids)}
