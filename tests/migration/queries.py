"""Every query of the store, with parameters as the engine would give them."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from gieok.policy import COMPANION
from gieok.sealed import SealedRelationship
from gieok.store import keys, memories, operations, sessions, sweeping, turns, windows
from gieok.store.database import Query
from gieok.types import ModelUse, Scope, Usage, UserId

USER = UserId("somebody")
ONE, TWO = UUID(int=1), UUID(int=2)
SCOPE = Scope(USER, (ONE, TWO))
HOUR = timedelta(hours=1)
NOW = datetime(2026, 11, 30, tzinfo=UTC)
REPLY = turns.Reply(ONE, TWO, b"x", "m", "stop", False, Usage(1, 2, 3, 4), 5)
FENCE = windows.Fence(1, 2)
STATE = SealedRelationship(TWO, ONE, 1, b"b")
WINDOW = windows.SealedWindow(
    ONE, 1, 2, (ONE,), b"s", b"d", 5, {1: 90}, {"m": (1.0,)}, "x", "1", NOW, (STATE,)
)

CHAT: list[Query[Any]] = [
    sessions.create_session(SCOPE, ONE, "c", HOUR),
    sessions.create_session(SCOPE, ONE, None, HOUR),
    turns.lock_session(USER, ONE),
    turns.fail_dead_turns(USER, ONE, "c", {}),
    turns.claim_turn(USER, ONE, TWO, (), "c", HOUR),
    turns.claim_turn(USER, ONE, TWO, (ONE,), "c", HOUR),
    sessions.discard_empty_session(USER, ONE),
    turns.release_turn(USER, ONE),
    turns.read_turn(USER, "c"),
    keys.read_user_key(USER),
    keys.store_user_key(USER, b"w"),
    sessions.read_cast(USER, ONE),
    turns.read_history(USER, ONE, "c", 6),
    memories.read_relationships(USER, ONE),
    operations.read_assignments(),
    turns.store_message(USER, ONE, TWO, b"m"),
    turns.finish_turn(USER, ONE, "done", {}, REPLY, HOUR),
    turns.finish_turn(USER, ONE, "failed", {}, None, HOUR),
    operations.record_usage(USER, [ModelUse("CHAT", "p", "m", Usage(), 3, "ok")]),
    operations.record_usage(USER, []),
    turns.count_pending(USER, ONE),
    memories.recall_candidates(SCOPE, (1.0,), "m", 768, {1: 1.0, 2: 0.4}, COMPANION.recall),
    memories.recall_candidates(SCOPE, None, "", 768, {}, COMPANION.recall),
    sessions.list_sessions(USER, None, None, 5),
    sessions.list_sessions(USER, ONE, TWO, 5),
    sessions.read_session(USER, ONE),
    sessions.read_messages(USER, ONE, None, 5),
    sessions.read_messages(USER, ONE, TWO, 5),
    sessions.end_session(USER, ONE),
    sessions.read_characters(None),
    memories.list_memories(USER, None, None, None, 5),
    memories.list_memories(USER, ONE, TWO, ONE, 5, TWO),
    memories.delete_memory(USER, ONE),
]
WORKER: list[Query[Any]] = [
    windows.open_pairs(SCOPE),
    windows.read_pair(SCOPE),
    windows.read_pending_turns(SCOPE, 41),
    windows.read_scope_relationships(SCOPE),
    sessions.read_characters((ONE, TWO)),
    keys.read_user_key(USER),
    operations.read_assignments(),
    windows.save_memory(SCOPE, FENCE, WINDOW, 768),
    windows.save_relationships(SCOPE, WINDOW),
    windows.skip_window(SCOPE, FENCE, 3),
    operations.record_usage(USER, []),
]
SWEEP: list[Query[Any]] = [
    sweeping.list_due_scopes(COMPANION.generation),
    sweeping.expire_sessions(COMPANION.retention),
    sweeping.purge_turns(COMPANION.retention),
]
