"""Queries of a turn: claim, context, message, answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from psycopg.types.json import Jsonb

from gieok.calls import Usage
from gieok.policy import ChatPolicy
from gieok.store.database import Query, Row
from gieok.store.sealed import SealedEarlierTurn, SealedMessage, SealedTurn
from gieok.types import UserId

TurnState = Literal["running", "done", "failed"]
Outcome = Mapping[str, Any]
"""What a turn's events said, less their text: ids, counts and codes."""


@dataclass(frozen=True, slots=True)
class LockedSession:
    """The session of a turn; a closed one takes no more turns.

    `others` counts turns of the user's other sessions that are being answered.
    """

    id: UUID
    character_ids: tuple[UUID, ...]
    open: bool
    others: int


@dataclass(frozen=True, slots=True)
class Begun:
    """A turn that was claimed, with the IANA name of its user's time zone, where it is known."""

    id: UUID
    time_zone: str | None


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn as other requests see it; it is `dead` when it still runs after its lease.

    `message_digest` is None until its message is stored. `by_reroll`: it was found by the id of a
    request to answer it again.
    """

    id: UUID
    session_id: UUID
    character_ids: Sequence[UUID]
    position: int
    state: TurnState
    outcome: Outcome | None
    message_digest: bytes | None
    dead: bool
    by_reroll: bool
    reply_id: UUID | None
    reply_body: bytes | None

    @property
    def answering(self) -> bool:
        """Whether a request is answering it now."""
        return self.state == "running" and not self.dead


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to store; `body` is sealed."""

    id: UUID
    character_id: UUID
    body: bytes
    model: str | None
    finish_reason: str
    fallback_used: bool
    usage: Usage
    latency_ms: int


def lock_session(user_id: UserId, session_id: UUID) -> Query[LockedSession | None]:
    """Lock a session against other claims; None when it is not this user's."""
    params = {"user_id": user_id, "session_id": session_id}
    return Query("lock_session", params, lambda rows: _locked(rows[0]) if rows else None)


def abandon_turns(
    user_id: UserId, session_id: UUID, outcome: Outcome, runner: UUID | None = None
) -> Query[None]:
    """End the turns of a session that nobody answers: their process died, or `runner` gives up."""
    params = {
        "user_id": user_id,
        "session_id": session_id,
        "outcome": Jsonb(outcome),
        "runner": runner,
    }
    return Query("abandon_turns", params, lambda rows: None)


def claim_turn(
    user_id: UserId,
    session_id: UUID,
    turn_id: UUID,
    character_ids: tuple[UUID, ...],
    client_message_id: str,
    time_zone: str | None,
    policy: ChatPolicy,
) -> Query[Begun | None]:
    """Claim a turn, or an older one that was never answered and begins again; None for neither.

    `turn_id` becomes the turn's runner. `character_ids`, unless empty, must be the session's cast.
    """
    params = {
        "user_id": user_id,
        "session_id": session_id,
        "turn_id": turn_id,
        "character_ids": list(character_ids),
        "client_message_id": client_message_id,
        "time_zone": time_zone,
        "lease": policy.turn_lease,
        "most_running": policy.turns_at_once,
    }
    return Query("claim_turn", params, lambda rows: Begun(**rows[0]) if rows else None)


def read_time_zone(user_id: UserId) -> Query[str | None]:
    """The IANA name of the zone of a user's newest turn; None when no turn is kept that has one."""
    return Query("read_time_zone", {"user_id": user_id}, lambda rows: rows[0]["time_zone"])


def move_turn(user_id: UserId, turn_id: UUID) -> Query[None]:
    """Move a turn that begins again behind all others; `raise_fences` must have run before."""
    params = {"user_id": user_id, "turn_id": turn_id}
    return Query("move_turn", params, lambda rows: None)


def read_turn(
    user_id: UserId, client_message_id: str, *, again: bool = False
) -> Query[StoredTurn | None]:
    """A turn by the client's id of its message, or of the request to answer it again.

    Ids of both come from one room: if both came at once all the same, `again` says which to read.
    """
    params = {"user_id": user_id, "client_message_id": client_message_id, "again": again}
    return Query("read_turn", params, lambda rows: StoredTurn(**rows[0]) if rows else None)


def read_history(
    user_id: UserId,
    session_id: UUID,
    client_message_id: str,
    limit: int,
    before: int | None = None,
) -> Query[list[SealedTurn]]:
    """The newest ended turns of a session before a position, oldest first."""
    params = {
        "user_id": user_id,
        "session_id": session_id,
        "client_message_id": client_message_id,
        "limit": limit,
        "before": before,
    }
    return Query("read_history", params, lambda rows: [sealed_turn(r) for r in reversed(rows)])


def read_earlier_talk(
    user_id: UserId, session_id: UUID, limit: int, keep: timedelta, before: int | None = None
) -> Query[list[SealedEarlierTurn]]:
    """The newest turns of other sessions that no memory covers yet, oldest first.

    Everybody in the session was there. None is as old as `keep`, after which raw messages go.
    """
    params = {
        "user_id": user_id,
        "session_id": session_id,
        "limit": limit,
        "before": before,
        "keep": keep,
    }
    return Query("read_earlier_talk", params, lambda rows: [_earlier(r) for r in reversed(rows)])


def store_message(
    user_id: UserId, turn_id: UUID, message_id: UUID, body: bytes, digest: bytes
) -> Query[None]:
    """Store the user's message."""
    params = {
        "user_id": user_id,
        "turn_id": turn_id,
        "message_id": message_id,
        "body": body,
        "digest": digest,
    }
    return Query("store_message", params, lambda rows: None)


def finish_turn(
    user_id: UserId,
    turn_id: UUID,
    runner: UUID,
    outcome: Outcome,
    reply: Reply,
    active_for: timedelta,
) -> Query[bool]:
    """End a turn with its answer and count it; False when it is not the runner's any more."""
    params = {
        "user_id": user_id,
        "turn_id": turn_id,
        "runner": runner,
        "outcome": Jsonb(outcome),
        "active_for": active_for,
        "reply_id": reply.id,
        "character_id": reply.character_id,
        "body": reply.body,
        "model": reply.model,
        "finish_reason": reply.finish_reason,
        "fallback_used": reply.fallback_used,
        "latency_ms": reply.latency_ms,
        **token_counts(reply.usage),
    }
    return Query("finish_turn", params, bool)


def release_turn(user_id: UserId, turn_id: UUID, runner: UUID) -> Query[None]:
    """Undo a claim whose message was never stored."""
    params = {"user_id": user_id, "turn_id": turn_id, "runner": runner}
    return Query("release_turn", params, lambda rows: None)


def count_pending(user_id: UserId, session_id: UUID) -> Query[int]:
    """User messages of a session's scope, over all its sessions, that no window has taken yet."""
    params = {"user_id": user_id, "session_id": session_id}
    return Query("count_pending", params, lambda rows: int(rows[0]["pending"]))


def token_counts(usage: Usage) -> dict[str, int | None]:
    """Usage under its column names."""
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "thoughts_tokens": usage.thoughts,
        "total_tokens": usage.total,
    }


def sealed_turn(row: Row) -> SealedTurn:
    """A turn from a row with the columns user_* and reply_*."""
    reply = None
    if row["reply_id"] is not None:
        reply = SealedMessage(
            row["reply_id"], "assistant", row["reply_by"], row["reply_body"], row["reply_at"]
        )
    user = SealedMessage(row["user_message_id"], "user", None, row["user_body"], row["user_at"])
    return SealedTurn(user, reply)


def _earlier(row: Row) -> SealedEarlierTurn:
    names = dict(zip(row["character_ids"], row["names"], strict=True))
    return SealedEarlierTurn(sealed_turn(row), names)


def _locked(row: Row) -> LockedSession:
    return LockedSession(row["id"], tuple(row["character_ids"]), row["open"], row["others"])
