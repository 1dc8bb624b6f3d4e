"""Queries of users' wrapped data keys."""

from dataclasses import dataclass

from gieok.store.database import Query, Row
from gieok.types import UserId


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A user's key row; `wrapped` is None once the key was destroyed."""

    wrapped: bytes | None


def read_user_key(user_id: UserId) -> Query[StoredKey | None]:
    """The user's key row; None for a user who never wrote."""
    return Query("read_user_key", {"user_id": user_id}, _key)


def store_user_key(user_id: UserId, wrapped: bytes) -> Query[None]:
    """Store a user's first data key; it changes nothing when the user has one."""
    params = {"user_id": user_id, "wrapped": wrapped}
    return Query("store_user_key", params, lambda rows: None)


def _key(rows: list[Row]) -> StoredKey | None:
    return StoredKey(rows[0]["wrapped"]) if rows else None
