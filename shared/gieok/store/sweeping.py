"""Queries of the retention sweep: each bounded, safe to repeat, under one advisory lock."""

from dataclasses import dataclass

from gieok.policy import GenerationPolicy, RetentionPolicy
from gieok.store.database import Query
from gieok.types import Scope, UserId

LOCK_KEY = 0x73776565  # "swee": one sweep at a time
MOST_SCOPES = 500
"""Hints of one run; the next run finds the rest."""


@dataclass(frozen=True, slots=True)
class Purged:
    """Rows a purge removed; `lost` of them no window had taken."""

    purged: int
    lost: int


def list_due_scopes(policy: GenerationPolicy) -> Query[list[Scope]]:
    """Scopes with something for the worker, oldest message first."""
    params = {
        "lock_key": LOCK_KEY,
        "idle_after": policy.idle_after,
        "flush_after": policy.flush_after,
        "settle_after": policy.settle_after,
        "threshold": policy.threshold,
        "limit": MOST_SCOPES,
    }
    return Query(
        "list_due_scopes",
        params,
        lambda rows: [Scope(UserId(r["user_id"]), tuple(r["character_ids"])) for r in rows],
    )


def expire_sessions(policy: RetentionPolicy) -> Query[int]:
    """Expire a batch of sessions; how many."""
    return Query("expire_sessions", {"lock_key": LOCK_KEY, "batch": policy.purge_batch}, len)


def purge_turns(policy: RetentionPolicy) -> Query[Purged]:
    """Purge a batch of raw messages."""
    params = {"lock_key": LOCK_KEY, "keep": policy.raw_messages, "batch": policy.purge_batch}
    return Query("purge_turns", params, lambda rows: Purged(**rows[0]))
