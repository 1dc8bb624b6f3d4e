"""Queries that take conversation back, and what was remembered of it."""

from dataclasses import dataclass
from uuid import UUID

from psycopg.types.json import Jsonb

from gieok.policy import ChatPolicy
from gieok.store.database import Query, Row
from gieok.store.retention import Removal
from gieok.store.sealed import SealedMessage
from gieok.store.turns import Outcome
from gieok.types import Role, Scope, UserId

END = 2**63 - 1
"""Behind every position."""


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A raw message with its turn, and the scope that its memory would have."""

    id: UUID
    role: Role
    body: bytes
    turn_id: UUID
    session_id: UUID
    position: int
    client_message_id: str
    scope: Scope


@dataclass(frozen=True, slots=True)
class Reopened:
    """A turn that is being answered again: its position, and what the user had said, where."""

    position: int
    time_zone: str | None
    said: SealedMessage


def find_message(user_id: UserId, message_id: UUID) -> Query[FoundMessage | None]:
    """A raw message that is still kept; None when it is gone or not this user's."""
    params = {"user_id": user_id, "message_id": message_id}
    return Query("find_message", params, lambda rows: _found(user_id, rows[0]) if rows else None)


def raise_fences(
    scope: Scope, session_id: UUID | None = None, own: UUID | None = None
) -> Query[None]:
    """Supersede extractions in flight that know any of the cast, and lock the fences.

    Nothing happens while the session answers a message, unless it answers the turn `own`.
    """
    params = {
        "user_id": scope.user_id,
        "character_ids": list(scope.character_ids),
        "session_id": session_id,
        "own": own,
    }
    return Query("raise_fences", params, lambda rows: None)


def invalidate_windows(
    scope: Scope,
    session_id: UUID,
    first_position: int,
    last_position: int,
    *,
    own: UUID | None = None,
    answer_of: UUID | None = None,
) -> Query[int]:
    """Invalidate what windows made of turns of a session; `raise_fences` must have run before.

    Returns how many turns, remembered or skipped before, are to be read again. Of the turn
    `answer_of` only the answer goes or changes: what the user decided of its words stands. Nothing
    happens while the session answers a message, unless it answers the turn `own`.
    """
    params = {
        "user_id": scope.user_id,
        "character_ids": list(scope.character_ids),
        "session_id": session_id,
        "first_position": first_position,
        "last_position": last_position,
        "own": own,
        "answer_of": answer_of,
    }
    return Query("invalidate_windows", params, lambda rows: int(rows[0]["reopened"]))


def carry_decisions(user_id: UserId, memory_id: UUID) -> Query[None]:
    """Mute and weigh a new memory as the user did with the one that fell in its place."""
    params = {"user_id": user_id, "memory_id": memory_id}
    return Query("carry_decisions", params, lambda rows: None)


def remove_turns(to: FoundMessage, outcome: Outcome) -> Query[bool]:
    """Remove the turns after a message; False when it is gone, or while its session answers one.

    `outcome` is that of its turn when the answer goes.
    """
    params = {
        "user_id": to.scope.user_id,
        "turn_id": to.turn_id,
        "answer_goes": to.role == "user",
        "outcome": Jsonb(outcome),
    }
    return Query("remove_turns", params, bool)


def edit_message(user_id: UserId, message_id: UUID, body: bytes, digest: bytes) -> Query[bool]:
    """Replace a message's text; False when it is gone, or while its session answers a message.

    `digest` is the request digest of the new text.
    """
    params = {"user_id": user_id, "message_id": message_id, "body": body, "digest": digest}
    return Query("edit_message", params, bool)


def claim_reroll(
    user_id: UserId, turn_id: UUID, runner: UUID, reroll_id: str, policy: ChatPolicy
) -> Query[Reopened | None]:
    """Begin to answer a turn again; None while its session runs another turn, or takes none, and
    while the user's other sessions run as many as they may."""
    params = {
        "user_id": user_id,
        "turn_id": turn_id,
        "runner": runner,
        "reroll_id": reroll_id,
        "lease": policy.turn_lease,
        "most_running": policy.turns_at_once,
    }
    return Query("claim_reroll", params, lambda rows: _reopened(rows[0]) if rows else None)


def drop_places(user_id: UserId, character_id: UUID) -> Query[None]:
    """Take every place that memories have in a pair, and so all ways to them there.

    `raise_fences` ran before, `drop_index` comes next, `removal.remove` when all is committed.
    """
    params = {"user_id": user_id, "character_id": character_id}
    return Query("drop_places", params, lambda rows: None)


def drop_index(user_id: UserId, character_id: UUID) -> Query[None]:
    """Drop what a pair's memories are found by, after `drop_places`.

    A statement of its own: who wrote to the index while the places went is seen by it.
    """
    params = {"user_id": user_id, "character_id": character_id}
    return Query("drop_index", params, lambda rows: None)


def reset_character(user_id: UserId, character_id: UUID) -> Query[Removal]:
    """Remove what a character and the user had alone, but for memories: those are left to remove.

    `raise_fences` must have run before.
    """
    params = {"user_id": user_id, "character_id": character_id}
    return Query("reset_character", params, lambda rows: Removal(**rows[0]))


def close_reset_turns(user_id: UserId, character_id: UUID) -> Query[None]:
    """Close turns that every character of their cast forgot; `reset_character` ran before."""
    params = {"user_id": user_id, "character_id": character_id}
    return Query("close_reset_turns", params, lambda rows: None)


def _found(user_id: UserId, row: Row) -> FoundMessage:
    cast = tuple(row.pop("character_ids"))
    return FoundMessage(**row, scope=Scope(user_id, cast))


def _reopened(row: Row) -> Reopened:
    said = SealedMessage(row["id"], "user", None, row["body"], row["created_at"])
    return Reopened(row["position"], row["time_zone"], said)
