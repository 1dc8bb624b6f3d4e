"""Queries of the retention sweep: each bounded, safe to repeat, under one advisory lock."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from psycopg.types.json import Jsonb

from gieok.policy import GenerationPolicy, RetentionPolicy
from gieok.store.database import Query, Row
from gieok.types import Scope, UserId

LOCK_KEY = 0x73776565  # "swee": one sweep at a time
MOST_SCOPES = 500
"""Hints of one run; the next run goes on with those that waited longest."""
MOST_BACKFILLS = 100
"""Hints for missing vectors in one run: when the embedder is away, many wait at once."""
MOST_REMOVALS = 100
"""Resets that one run ends for whoever died over them."""
FORGET_AFTER = timedelta(days=1)
"""Whoever was hinted so long ago is as new."""


@dataclass(frozen=True, slots=True)
class Purged:
    """How many turns a purge removed, and how many of them held a message that is in no memory."""

    purged: int
    lost: int


@dataclass(frozen=True, slots=True)
class Removal:
    """A character whose reset has memories left to remove, and the version of its fence then."""

    user_id: UserId
    character_id: UUID
    version: int


def list_due_scopes(policy: GenerationPolicy, limit: int = MOST_SCOPES) -> Query[list[Scope]]:
    """Scopes with a due window, without those that were hinted lately or wait for their next try.

    Scopes that were never hinted come first, then those whose last hint is longest ago.
    """
    params = {
        "lock_key": LOCK_KEY,
        "idle_after": policy.idle_after,
        "flush_after": policy.flush_after,
        "settle_after": policy.settle_after,
        "threshold": policy.threshold,
        "hint_again_after": policy.hint_again_after,
        "limit": limit,
    }
    return Query("list_due_scopes", params, _scopes)


def list_due_backfills(policy: GenerationPolicy, limit: int = MOST_BACKFILLS) -> Query[list[Scope]]:
    """Pairs with memories that wait for a vector, with the order and exceptions of due scopes."""
    params = {
        "lock_key": LOCK_KEY,
        "hint_again_after": policy.hint_again_after,
        "limit": limit,
    }
    return Query("list_due_backfills", params, _scopes)


def mark_hinted(scopes: Iterable[Scope]) -> Query[None]:
    """Record that these scopes were sent a hint now."""
    rows = [
        {"user_id": s.user_id, "character_ids": [str(c) for c in s.character_ids]} for s in scopes
    ]
    return Query("mark_hinted", {"scopes": Jsonb(rows)}, lambda rows: None)


def forget_hints() -> Query[None]:
    """Delete records of hints that are older than `FORGET_AFTER`."""
    return Query("forget_hints", {"keep": FORGET_AFTER}, lambda rows: None)


def expire_sessions(policy: RetentionPolicy) -> Query[int]:
    """Expire a batch of sessions; how many were expired."""
    return Query("expire_sessions", {"lock_key": LOCK_KEY, "batch": policy.purge_batch}, len)


def purge_turns(policy: RetentionPolicy) -> Query[Purged]:
    """Delete a batch of turns past their time, with their messages."""
    params = {"lock_key": LOCK_KEY, "keep": policy.raw_messages, "batch": policy.purge_batch}
    return Query("purge_turns", params, lambda rows: Purged(**rows[0]))


def list_removals(limit: int = MOST_REMOVALS) -> Query[list[Removal]]:
    """Characters whose reset left memories to remove."""
    params = {"lock_key": LOCK_KEY, "limit": limit}
    return Query("list_removals", params, lambda rows: [Removal(**row) for row in rows])


def remove_memories(removal: Removal, after: UUID, batch: int) -> Query[UUID | None]:
    """Delete at most `batch` memories behind an id that no character has a place for any more.

    Returns the last one's id; None when there was none left.
    """
    params = {
        "user_id": removal.user_id,
        "character_id": removal.character_id,
        "after": after,
        "batch": batch,
    }
    return Query("remove_memories", params, lambda rows: rows[0]["id"] if rows else None)


def end_removal(removal: Removal) -> Query[None]:
    """Record that nothing is left to remove, unless the fence moved: then it is looked at again."""
    params = {
        "user_id": removal.user_id,
        "character_id": removal.character_id,
        "version": removal.version,
    }
    return Query("end_removal", params, lambda rows: None)


def _scopes(rows: list[Row]) -> list[Scope]:
    return [Scope(UserId(r["user_id"]), tuple(r["character_ids"])) for r in rows]
