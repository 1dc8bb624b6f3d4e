"""Queries of conversations, their characters and their raw messages."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from gieok.store.database import Query, Row
from gieok.store.sealed import SealedMessage
from gieok.types import Character, Scope, Session, UserId


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A raw message at rest with what is known of how it came about."""

    sealed: SealedMessage
    speaker: str
    turn_number: int
    client_message_id: str
    model: str | None
    finish_reason: str | None
    fallback_used: bool
    prompt_tokens: int | None
    completion_tokens: int | None
    total_tokens: int | None
    edited_at: datetime | None


def create_session(
    scope: Scope, session_id: UUID, client_message_id: str | None, active_for: timedelta
) -> Query[None]:
    """Open a conversation, unless a character is unknown or the message came before."""
    params = {
        "user_id": scope.user_id,
        "character_ids": list(scope.character_ids),
        "session_id": session_id,
        "client_message_id": client_message_id,
        "active_for": active_for,
    }
    return Query("create_session", params, lambda rows: None)


def discard_empty_session(user_id: UserId, session_id: UUID) -> Query[None]:
    """Remove a session that has no turn."""
    params = {"user_id": user_id, "session_id": session_id}
    return Query("discard_empty_session", params, lambda rows: None)


def read_session(user_id: UserId, session_id: UUID) -> Query[Session | None]:
    """One conversation; None when it is not this user's."""
    params = {"user_id": user_id, "session_id": session_id}
    return Query("read_session", params, lambda rows: _session(rows[0]) if rows else None)


def list_sessions(
    user_id: UserId, character_id: UUID | None, before: UUID | None, limit: int
) -> Query[list[Session]]:
    """Conversations older than `before`, newest first."""
    params = {"user_id": user_id, "character_id": character_id, "before": before, "limit": limit}
    return Query("list_sessions", params, lambda rows: [_session(r) for r in rows])


def read_messages(
    user_id: UserId,
    session_id: UUID,
    before: UUID | None,
    limit: int,
    message_id: UUID | None = None,
) -> Query[list[StoredMessage]]:
    """Raw messages of a session older than `before`, newest first; or just one."""
    params = {
        "user_id": user_id,
        "session_id": session_id,
        "before": before,
        "limit": limit,
        "message_id": message_id,
    }
    return Query("read_messages", params, lambda rows: [_message(r) for r in rows])


def end_session(user_id: UserId, session_id: UUID) -> Query[bool]:
    """Close a conversation; False when it was closed already or is not this user's."""
    return Query("end_session", {"user_id": user_id, "session_id": session_id}, bool)


def read_cast(user_id: UserId, session_id: UUID) -> Query[list[Character]]:
    """The characters of a session."""
    params = {"user_id": user_id, "session_id": session_id}
    return Query("read_cast", params, lambda rows: [Character(**r) for r in rows])


def read_characters(character_ids: tuple[UUID, ...] | None) -> Query[list[Character]]:
    """Characters in the order asked for; all, by name, for None."""
    params = {"character_ids": None if character_ids is None else list(character_ids)}
    return Query("read_characters", params, lambda rows: [Character(**r) for r in rows])


def _session(row: Row) -> Session:
    return Session(**{**row, "character_ids": tuple(row["character_ids"])})


def _message(row: Row) -> StoredMessage:
    return StoredMessage(
        sealed=SealedMessage(
            row["id"], row["role"], row["character_id"], row["body"], row["created_at"]
        ),
        speaker=row["speaker"] or "",
        turn_number=row["number"],
        client_message_id=row["client_message_id"],
        model=row["model"],
        finish_reason=row["finish_reason"],
        fallback_used=row["fallback_used"],
        prompt_tokens=row["prompt_tokens"],
        completion_tokens=row["completion_tokens"],
        total_tokens=row["total_tokens"],
        edited_at=row["edited_at"],
    )
