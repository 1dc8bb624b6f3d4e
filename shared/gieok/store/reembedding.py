"""Queries of an operator who replaces the embedding model, and of the work that follows from it.

`gieok_operator` sees who lacks what and chooses the model; reading and writing a user's own rows is
the worker's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from gieok.calls import ModelChoice
from gieok.store.database import Query, Row
from gieok.store.vectors import SealedDocument
from gieok.types import UserId


@dataclass(frozen=True, slots=True)
class MissingVectors:
    """Live memories, those that lack a vector of some model, and those of these it refuses."""

    live: int
    missing: int
    refused: int


def start_reembedding(choice: ModelChoice) -> Query[bool]:
    """Have documents embedded by a next model too.

    False while another model is the next one, and for the model that is assigned already.
    """
    params = {"provider": choice.provider, "model": choice.model}
    return Query("start_reembedding", params, bool)


def stop_reembedding() -> Query[None]:
    """Have documents embedded by the assigned model alone again."""
    return Query("stop_reembedding", {}, lambda rows: None)


def lock_embedding_model() -> Query[None]:
    """Keep others from writing vectors until the transaction ends."""
    return Query("lock_embedding_model", {}, lambda rows: None)


def switch_embedding_model(model: str, allowed: int) -> Query[bool]:
    """Let the next model take over, unless more than `allowed` memories lack its vector."""
    return Query("switch_embedding_model", {"model": model, "allowed": allowed}, bool)


def count_missing_vectors(model: str) -> Query[MissingVectors]:
    """How many live memories there are, and how many of them have no vector of the model."""
    return Query("count_missing_vectors", {"model": model}, lambda rows: MissingVectors(**rows[0]))


def count_vectors() -> Query[dict[str, int]]:
    """How many vectors there are of each model."""
    return Query("count_vectors", {}, lambda rows: {r["model"]: r["vectors"] for r in rows})


def list_users_missing_vectors(model: str, after: str, limit: int) -> Query[list[UserId]]:
    """Users after one, in order, of whom some live memory lacks a vector of the model."""
    params = {"model": model, "after": after, "limit": limit}
    return Query("list_users_missing_vectors", params, _users)


def list_superseded_users(kept: Sequence[str], after: str, limit: int) -> Query[list[UserId]]:
    """Users after one, in order, who have vectors of models that are not kept."""
    params = {"kept": list(kept), "after": after, "limit": limit}
    return Query("list_superseded_users", params, _users)


def read_missing_vectors(
    user_id: UserId, model: str, after: UUID, limit: int
) -> Query[list[SealedDocument]]:
    """Live memories after one, oldest first, that lack a vector of the model."""
    params = {"user_id": user_id, "model": model, "after": after, "limit": limit}
    return Query("read_missing_vectors", params, lambda rows: [SealedDocument(**r) for r in rows])


def settle_embedded(user_id: UserId) -> Query[None]:
    """Bring up to date which of a user's memories wait for a vector of the assigned model."""
    return Query("settle_embedded", {"user_id": user_id}, lambda rows: None)


def delete_vectors(user_id: UserId, kept: Sequence[str], limit: int) -> Query[int]:
    """Delete a batch of a user's vectors of models that are not kept; how many were deleted.

    `limit` counts blocks.
    """
    params = {"user_id": user_id, "kept": list(kept), "limit": limit}
    return Query("delete_vectors", params, lambda rows: sum(r["vectors"] for r in rows))


def _users(rows: list[Row]) -> list[UserId]:
    return [UserId(r["user_id"]) for r in rows]
