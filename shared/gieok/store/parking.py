"""Queries of an operator who looks at parked windows and has them tried again.

`gieok_operator` sees everybody's positions and reasons, and nobody's content.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok.store.database import Query, Row
from gieok.types import Scope, UserId


@dataclass(frozen=True, slots=True)
class ParkedWindow:
    """A window that was put aside.

    `turns` messages of the user were in it; `kept` of them are not purged yet.
    """

    id: UUID
    scope: Scope
    first_position: int
    last_position: int
    reason: str
    attempts: int
    parked_at: datetime
    turns: int
    kept: int


@dataclass(frozen=True, slots=True)
class Retried:
    """A retry: how many messages of the window are left, and how many are read again."""

    kept: int
    unread: int


def list_parked_windows(after: UUID, limit: int) -> Query[list[ParkedWindow]]:
    """Parked windows after an id, oldest first, without those that were tried again."""
    params = {"after": after, "limit": limit}
    return Query("list_parked_windows", params, lambda rows: [_parked(r) for r in rows])


def supersede_parked_scope(parked_id: UUID) -> Query[None]:
    """Supersede an extraction in flight for a parked window's cast, and lock its fence."""
    return Query("supersede_parked_scope", {"parked_id": parked_id}, lambda rows: None)


def retry_parked_window(parked_id: UUID) -> Query[Retried | None]:
    """Open a parked window, so that it is read again; None when there is no such window.

    `supersede_parked_scope` must have run before. Messages that are in a memory, were changed
    since or belong to a reset stay out.
    """
    params = {"parked_id": parked_id}
    return Query("retry_parked_window", params, lambda rows: Retried(**rows[0]) if rows else None)


def _parked(row: Row) -> ParkedWindow:
    scope = Scope(UserId(row.pop("user_id")), tuple(row.pop("character_ids")))
    return ParkedWindow(**row, scope=scope)
