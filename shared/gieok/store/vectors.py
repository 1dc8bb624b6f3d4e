"""Queries of vectors that are missing, and of those that are made after their memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok.calls import Vector
from gieok.policy import GenerationPolicy
from gieok.store.database import Query
from gieok.store.memories import padded
from gieok.types import Scope, UserId


@dataclass(frozen=True, slots=True)
class SealedDocument:
    """What a memory's vector is made of, sealed, and the version of the memory it is of."""

    id: UUID
    version: int
    summary: bytes
    asked_as: bytes | None


def read_due_backfill(scope: Scope, now: datetime, limit: int) -> Query[list[SealedDocument]]:
    """Memories of a cast without a vector, oldest first; none before their next try is due."""
    params = {**_of(scope), "now": now, "limit": limit}
    return Query("read_due_backfill", params, lambda rows: [SealedDocument(**r) for r in rows])


def has_missing_vectors(scope: Scope, model: str) -> Query[bool]:
    """Whether live memories of a cast are known to have no vector of a model.

    Looks at each character's oldest one, which has none after a change of the model by hand, and
    at all that wait for one. A gap among newer ones that wait for nothing is not seen: to find it
    takes half a millisecond for a thousand memories.
    """
    params = {**_of(scope), "model": model}
    return Query("has_missing_vectors", params, lambda rows: bool(rows[0]["missing"]))


def add_vectors(
    user_id: UserId,
    memories: Sequence[SealedDocument],
    vectors: Mapping[str, Mapping[int, Vector]],
    width: int,
) -> Query[int]:
    """Write vectors by model and by the memory's place; how many memories were written.

    A memory that was edited, replaced or removed since it was read gets none.
    """
    rows = [(memories[i], model, v) for model, of in vectors.items() for i, v in of.items()]
    params = {
        "user_id": user_id,
        "memory_ids": [m.id for m, _, _ in rows],
        "versions": [m.version for m, _, _ in rows],
        "models": [model for _, model, _ in rows],
        "vectors": [padded(v, width) for _, _, v in rows],
    }
    return Query("add_vectors", params, lambda rows: int(rows[0]["written"]))


def refuse_vectors(user_id: UserId, memories: Sequence[SealedDocument], model: str) -> Query[None]:
    """Record that a model refuses to embed these memories, so that they wait for no vector of it.

    A memory that was edited since it was read still waits.
    """
    params = {
        "user_id": user_id,
        "memory_ids": [m.id for m in memories],
        "versions": [m.version for m in memories],
        "model": model,
    }
    return Query("refuse_vectors", params, lambda rows: None)


def delay_backfill(
    scope: Scope, now: datetime, policy: GenerationPolicy, *, failed: bool
) -> Query[None]:
    """Set when the cast's missing vectors may be tried again: later after each failure."""
    params = {
        **_of(scope),
        "now": now,
        "failed": failed,
        "first": policy.retry_after,
        "growth": policy.retry_growth,
        "longest": policy.retry_longest,
    }
    return Query("delay_backfill", params, lambda rows: None)


def _of(scope: Scope) -> dict[str, object]:
    return {"user_id": scope.user_id, "character_ids": list(scope.character_ids)}
