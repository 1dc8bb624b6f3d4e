"""Every query of the store, with parameters as the engine would give them."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from gieok.calls import ModelChoice, ModelUse, Usage
from gieok.policy import COMPANION
from gieok.store import (
    facts,
    keys,
    memories,
    memory_versions,
    operations,
    parking,
    reembedding,
    relationships,
    retention,
    revision,
    search,
    sessions,
    turns,
    vectors,
    windows,
)
from gieok.store.database import Query
from gieok.store.sealed import NewRelationship, SealedFact
from gieok.types import Scope, UserId

USER = UserId("somebody")
ONE, TWO = UUID(int=1), UUID(int=2)
SCOPE = Scope(USER, (ONE, TWO))
HOUR = timedelta(hours=1)
NOW = datetime(2026, 11, 30, tzinfo=UTC)
REPLY = turns.Reply(ONE, TWO, b"x", "m", "stop", False, Usage(1, 2, 3, 4), 5)
FENCE = windows.Fence(1, 0, None)
SUMMARY = vectors.SealedDocument(ONE, 1, b"s", None)
CHOICE = ModelChoice("p", "m")
STATE = NewRelationship(TWO, ONE, b"b")
REMOVAL = retention.Removal(USER, ONE, 1)
MESSAGE = revision.FoundMessage(ONE, "user", b"m", ONE, TWO, 3, "c", SCOPE)
FACT = SealedFact(TWO, ONE, ONE, "profile", "user", "real", 0.9, b"c", b"f")
WINDOW = windows.SealedWindow(
    ONE, 1, 2, (ONE,), b"s", b"d", 5, {1: 90}, {"m": (1.0,)}, "x", "1", NOW, NOW
)
AMENDED = memory_versions.SealedAmendment(ONE, 1, b"s", b"d", 5, True, None, True, False, b"e", 4)
RATED = memory_versions.SealedAmendment(ONE, 1, None, None, 5, None, True, False, True, None, 5)

CHAT: list[Query[Any]] = [
    sessions.create_session(SCOPE, ONE, "c", HOUR),
    sessions.create_session(SCOPE, ONE, None, HOUR),
    turns.lock_session(USER, ONE),
    turns.abandon_turns(USER, ONE, {}),
    turns.abandon_turns(USER, ONE, {}, TWO),
    turns.claim_turn(USER, ONE, TWO, (), "c", "UTC", COMPANION.chat),
    turns.claim_turn(USER, ONE, TWO, (ONE,), "c", None, COMPANION.chat),
    turns.read_time_zone(USER),
    sessions.discard_empty_session(USER, ONE),
    turns.release_turn(USER, ONE, TWO),
    turns.read_turn(USER, "c"),
    turns.read_turn(USER, "c", again=True),
    turns.move_turn(USER, ONE),
    keys.read_user_key(USER),
    keys.store_user_key(USER, b"w"),
    sessions.read_cast(USER, ONE),
    turns.read_history(USER, ONE, "c", 6),
    turns.read_history(USER, ONE, "c", 6, 7),
    turns.read_earlier_talk(USER, ONE, 6, HOUR),
    turns.read_earlier_talk(USER, ONE, 6, HOUR, 7),
    memories.read_relationships(USER, ONE),
    operations.read_assignments(),
    turns.store_message(USER, ONE, TWO, b"m", b"d"),
    turns.finish_turn(USER, ONE, TWO, {}, REPLY, HOUR),
    operations.record_usage(USER, [ModelUse("CHAT", "p", "m", Usage(), 3, "ok")]),
    operations.record_usage(USER, []),
    turns.count_pending(USER, ONE),
    memories.recall_memories(SCOPE, (1.0,), "m", 768, {1: 1.0, 2: 0.4}, COMPANION.recall),
    memories.recall_memories(SCOPE, None, "", 768, {}, COMPANION.recall),
    vectors.has_missing_vectors(SCOPE, "m"),
    sessions.list_sessions(USER, None, None, 5),
    sessions.list_sessions(USER, ONE, TWO, 5),
    sessions.read_session(USER, ONE),
    sessions.read_messages(USER, ONE, None, 5),
    sessions.read_messages(USER, ONE, TWO, 5),
    sessions.read_messages(USER, ONE, None, 1, TWO),
    revision.find_message(USER, ONE),
    revision.raise_fences(SCOPE),
    revision.raise_fences(SCOPE, ONE, TWO),
    revision.invalidate_windows(SCOPE, ONE, 3, revision.END, answer_of=TWO),
    revision.invalidate_windows(SCOPE, ONE, 3, 3, own=TWO),
    revision.remove_turns(MESSAGE, {}),
    revision.edit_message(USER, ONE, b"m", b"d"),
    revision.claim_reroll(USER, ONE, TWO, "c", COMPANION.chat),
    revision.drop_places(USER, ONE),
    revision.drop_index(USER, ONE),
    revision.reset_character(USER, ONE),
    retention.remove_memories(REMOVAL, ONE, 5),
    retention.end_removal(REMOVAL),
    revision.close_reset_turns(USER, ONE),
    sessions.end_session(USER, ONE),
    sessions.read_characters(None),
    memories.list_memories(USER, None, None, None, 5),
    memories.list_memories(USER, ONE, TWO, ONE, 5),
    memories.read_memory_cast(USER, ONE),
    memories.delete_memory(USER, ONE),
    memory_versions.read_memory(USER, ONE),
    memory_versions.read_memory_versions(USER, ONE, None, 9),
    memory_versions.read_memory_versions(USER, ONE, 7, 9),
    memory_versions.amend_memory(USER, AMENDED),
    memory_versions.amend_memory(USER, RATED),
    memory_versions.reindex_memory(USER, ONE, b"s", {1: 90}, {"m": (1.0,)}, 768),
    memory_versions.reindex_memory(USER, ONE, b"s", {}, {}, 768),
    search.search_memories(USER, None, None, (1.0,), "m", 768, {1: 1.0}, 5),
    search.search_memories(USER, ONE, TWO, None, "", 768, {}, 5),
    search.search_misses_vectors(USER, None, None, "m"),
    search.search_misses_vectors(USER, ONE, TWO, "m"),
    windows.open_fences(SCOPE),
    windows.read_scope_relationships(SCOPE),
    relationships.lock_fences(SCOPE),
    relationships.write_relationship(USER, STATE, "user", 0, None),
    relationships.write_relationship(USER, STATE, "restored", 1, TWO),
    relationships.list_relationship_versions(USER, ONE, None, 5),
    relationships.list_relationship_versions(USER, ONE, 7, 5),
    relationships.read_latest_versions(USER, ONE, 5),
    relationships.read_lost_versions(USER, ONE, 7),
    relationships.read_clock(),
    relationships.invalidate_derived(USER, [ONE, TWO]),
    relationships.invalidate_derived(USER, [ONE], saying=b"s"),
]
WORKER: list[Query[Any]] = [
    windows.open_fences(SCOPE),
    windows.read_fence(SCOPE),
    windows.read_pending_turns(SCOPE, COMPANION.generation),
    windows.note_next_look(SCOPE, NOW, NOW),
    windows.forget_next_look(SCOPE, NOW),
    windows.read_scope_relationships(SCOPE),
    relationships.read_latest_versions(USER, ONE, 5),
    relationships.read_lost_versions(USER, ONE, 7),
    relationships.write_relationship(USER, STATE, "recomputed", 1, None),
    sessions.read_characters((ONE, TWO)),
    keys.read_user_key(USER),
    operations.read_assignments(),
    windows.save_memory(SCOPE, FENCE, WINDOW, 768),
    relationships.lock_fences(SCOPE),
    relationships.supersede_stale(SCOPE, (0, 3)),
    revision.carry_decisions(USER, ONE),
    relationships.save_relationships(SCOPE, ONE, [STATE]),
    facts.save_facts(USER, ONE, [FACT]),
    windows.skip_window(SCOPE, FENCE, 3),
    windows.fail_window(SCOPE, FENCE, NOW),
    windows.refuse_window(SCOPE, FENCE, 3),
    windows.park_window(SCOPE, FENCE, 1, 3, 2, "model_malformed"),
    vectors.read_due_backfill(SCOPE, NOW, 32),
    vectors.add_vectors(USER, [SUMMARY], {"m": {0: (1.0,)}, "n": {0: (1.0,)}}, 768),
    vectors.refuse_vectors(USER, [SUMMARY], "m"),
    vectors.delay_backfill(SCOPE, NOW, COMPANION.generation, failed=True),
    vectors.delay_backfill(SCOPE, NOW, COMPANION.generation, failed=False),
    reembedding.read_missing_vectors(USER, "m", ONE, 32),
    reembedding.settle_embedded(USER),
    reembedding.delete_vectors(USER, ["m"], 9),
    operations.record_usage(USER, []),
]
SWEEP: list[Query[Any]] = [
    retention.list_due_scopes(COMPANION.generation),
    retention.list_due_backfills(COMPANION.generation),
    retention.mark_hinted([SCOPE]),
    retention.forget_hints(),
    retention.expire_sessions(COMPANION.retention),
    retention.purge_turns(COMPANION.retention),
    retention.list_removals(),
    retention.remove_memories(REMOVAL, ONE, 5),
    retention.end_removal(REMOVAL),
]
OPERATOR: list[Query[Any]] = [
    operations.read_assignments(),
    reembedding.start_reembedding(CHOICE),
    reembedding.stop_reembedding(),
    reembedding.lock_embedding_model(),
    reembedding.switch_embedding_model("m", 0),
    reembedding.count_missing_vectors("m"),
    reembedding.count_vectors(),
    reembedding.list_users_missing_vectors("m", "", 9),
    reembedding.list_superseded_users(["m"], "", 9),
    parking.list_parked_windows(ONE, 9),
    parking.supersede_parked_scope(ONE),
    parking.retry_parked_window(ONE),
]

ROLES = {
    "gieok_chat": CHAT,
    "gieok_memory_worker": WORKER,
    "gieok_retention_sweep": SWEEP,
    "gieok_operator": OPERATOR,
}
