"""Queries of generation: the fence, what is pending, and the one write of a window."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from gieok.calls import Vector
from gieok.ids import new_id
from gieok.policy import GenerationPolicy
from gieok.store.database import Query, Row
from gieok.store.memories import padded, relationships
from gieok.store.sealed import PendingTurn, SealedRelationship, SealedTurn
from gieok.store.turns import sealed_turn
from gieok.types import Scope

SITTING = timedelta(hours=2)
"""Brief memories no further apart belong to one sitting: after as long a session counts as idle."""

BRIEF = 100
"""Keyword digests of a memory of a turn or two, at most. Those of one sitting lend each other their
scores in recall, which windows of five messages lose by (docs/decisions/13)."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A scope's fence as it was read: a write requires the same version.

    `failures` are those of the window after the cursor, which is not to be tried before `retry_at`.
    `refused` is the position of the last turn of the shortest window whose content a model refused.
    `vectors_missing`: some memory of the cast waits for one.
    """

    version: int
    failures: int = 0
    retry_at: datetime | None = None
    refused: int = 0
    vectors_missing: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """Turns that no window has taken yet, and the exchanges before them; both oldest first."""

    turns: tuple[PendingTurn, ...]
    earlier: tuple[SealedTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class SealedWindow:
    """A window's memory, ready to write.

    `asked_as` are the allusions to it, if any; `digests` are those of its words with their impacts,
    `vectors` its own by model.
    """

    memory_id: UUID
    first_position: int
    last_position: int
    session_ids: tuple[UUID, ...]
    summary: bytes
    details: bytes
    importance: int
    digests: Mapping[int, int]
    vectors: Mapping[str, Vector]
    extractor: str
    prompt_version: str
    began_at: datetime
    happened_at: datetime
    asked_as: bytes | None = None


def open_fences(scope: Scope) -> Query[None]:
    """Make sure the fence rows of a scope exist."""
    return Query("open_fences", _of(scope), lambda rows: None)


def read_fence(scope: Scope) -> Query[Fence]:
    """The fence; `open_fences` came before."""
    return Query("read_fence", _of(scope), lambda rows: Fence(**rows[0]))


def read_pending_turns(scope: Scope, policy: GenerationPolicy) -> Query[Pending]:
    """As many turns as tell what the next window is, and the exchanges that it may refer to.

    Those are the newest of the memory before, as long as they are held and it is not muted.
    """
    params = {
        **_of(scope),
        "limit": policy.threshold + 1,
        "idle_after": policy.idle_after,
        "flush_after": policy.flush_after,
        "earlier": policy.earlier_exchanges,
    }
    return Query("read_pending_turns", params, _pending)


def read_scope_relationships(scope: Scope) -> Query[list[SealedRelationship]]:
    """Where the user stands with each character of the scope."""
    return Query("read_scope_relationships", _of(scope), relationships)


def save_memory(scope: Scope, fence: Fence, window: SealedWindow, width: int) -> Query[bool]:
    """Write a window's memory and move the cursor; False when the fence moved."""
    params = {
        **_of(scope),
        "version": fence.version,
        "memory_id": window.memory_id,
        "first_position": window.first_position,
        "last_position": window.last_position,
        "session_ids": list(window.session_ids),
        "summary": window.summary,
        "details": window.details,
        "asked_as": window.asked_as,
        "importance": window.importance,
        "digests": list(window.digests),
        "impacts": list(window.digests.values()),
        "models": list(window.vectors),
        "vectors": [padded(v, width) for v in window.vectors.values()],
        "extractor": window.extractor,
        "prompt_version": window.prompt_version,
        "began_at": window.began_at,
        "happened_at": window.happened_at,
        "sitting": SITTING,
        "brief": BRIEF,
    }
    return Query("save_memory", params, bool)


def skip_window(scope: Scope, fence: Fence, last_position: int) -> Query[bool]:
    """Record that a window held nothing; False when the fence moved."""
    params = {**_of(scope), "version": fence.version, "last_position": last_position}
    return Query("skip_window", params, bool)


def fail_window(scope: Scope, fence: Fence, retry_at: datetime) -> Query[bool]:
    """Record one more failure of the window after the cursor; False when the fence moved."""
    params = {
        **_of(scope),
        "version": fence.version,
        "attempts": fence.failures + 1,
        "retry_at": retry_at,
    }
    return Query("fail_window", params, bool)


def refuse_window(scope: Scope, fence: Fence, last_position: int) -> Query[bool]:
    """Record that a window's content was refused; False when the fence moved.

    From then on a window ends before its last turn, which is tried alone.
    """
    params = {**_of(scope), "version": fence.version, "refused": last_position}
    return Query("refuse_window", params, bool)


def note_next_look(scope: Scope, at: datetime, now: datetime) -> Query[bool]:
    """Note that a hint for a moment is being sent; False when one for an earlier one is on its way.

    So hints of the worker to itself don't multiply.
    """
    return Query("note_next_look", {**_of(scope), "at": at, "now": now}, bool)


def forget_next_look(scope: Scope, at: datetime) -> Query[None]:
    """Take the note of a hint back that could not be sent."""
    return Query("forget_next_look", {**_of(scope), "at": at}, lambda rows: None)


def park_window(
    scope: Scope, fence: Fence, first_position: int, last_position: int, turns: int, reason: str
) -> Query[bool]:
    """Park a window that failed too often, with its reason; False when the fence moved."""
    params = {
        **_of(scope),
        "version": fence.version,
        "parked_id": new_id(),
        "first_position": first_position,
        "last_position": last_position,
        "turns": turns,
        "reason": reason,
        "attempts": fence.failures + 1,
    }
    return Query("park_window", params, bool)


def _of(scope: Scope) -> dict[str, object]:
    return {"user_id": scope.user_id, "character_ids": list(scope.character_ids)}


def _pending(rows: list[Row]) -> Pending:
    before = [r for r in rows if r["earlier"] and r["user_message_id"]]
    return Pending(
        tuple(_pending_turn(r) for r in rows if not r["earlier"]),
        tuple(sealed_turn(r) for r in before),
    )


def _pending_turn(row: Row) -> PendingTurn:
    return PendingTurn(
        session_id=row["session_id"],
        position=row["position"],
        running=row["running"],
        followed=row["followed"],
        closing=row["closing"],
        last_active_at=row["last_active_at"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
        due_at=row["due_at"],
        sealed=sealed_turn(row) if row["user_message_id"] else None,
        ends_before=row["ends_before"],
        time_zone=row["time_zone"],
    )
