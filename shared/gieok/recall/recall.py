"""Find what a character remembers for a message: a turn's recall, and that of a preview.

Every rung of the ladder of fallbacks has the same scope: the query that finds candidates.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from gieok import telemetry
from gieok.calls import Embeddings, ModelUse
from gieok.engine import Engine
from gieok.errors import DatabaseUnavailable
from gieok.indexing import keywords
from gieok.policy import RecallPolicy
from gieok.privacy.cells import open_memory
from gieok.privacy.cipher import UserCipher
from gieok.privacy.open_or_drop import open_or_drop
from gieok.recall.diversity import each_once
from gieok.recall.prepare import Asked, Prepared, is_rewritten, prepare
from gieok.store.database import Query
from gieok.store.memories import Found, recall_memories
from gieok.store.vectors import has_missing_vectors
from gieok.types import Recalled, Recollection, Scope


async def recall(
    engine: Engine, asked: Asked, uses: list[ModelUse], alongside: Sequence[Query[None]] = ()
) -> Recollection:
    """What the message brings to mind, within the policy's deadline; never an error.

    A rewriting prolongs it by the seconds that the rewriting may take.

    One round trip, with `alongside` before it in its transaction. After "failed" those may or may
    not have run; run them again.
    """
    policy = engine.policy.recall
    extra = policy.rewrite_s if is_rewritten(asked, policy) else 0.0
    try:
        async with asyncio.timeout(policy.deadline_s + extra):
            found = await _recall(engine, asked, uses, alongside)
    except TimeoutError:
        return _failed("deadline")
    except DatabaseUnavailable:
        return _failed("database")
    except Exception as error:  # noqa: BLE001 - the ladder's last rung: a turn outlives its recall
        telemetry.failure("recall_crashed", error)
        return _failed("unexpected")
    if found.status == "degraded":
        telemetry.setback("recall_degraded", reason=found.reason)
    return found


def _failed(reason: str) -> Recollection:
    telemetry.setback("recall_failed", reason=reason)
    return Recollection("failed", reason)


async def _recall(
    engine: Engine, asked: Asked, uses: list[ModelUse], alongside: Sequence[Query[None]]
) -> Recollection:
    prepared = await prepare(engine, asked, uses)
    embedded = prepared.embedded
    candidates = query_for(engine, asked.scope, asked.cipher, prepared)
    missing = has_missing_vectors(asked.scope, embedded.model if embedded else "")
    got = await engine.database.run(asked.scope.user_id, *alongside, candidates, missing)
    policy = engine.policy.recall
    found = conclude(asked.cipher, got[candidates], embedded, policy, missing=got[missing])
    return replace(found, rewrite=prepared.rewriting.status)


def query_for(
    engine: Engine, scope: Scope, cipher: UserCipher, prepared: Prepared
) -> Query[list[Found]]:
    """The one query of a recall, to run alone or in a batch with others."""
    policy, embedded = engine.policy.recall, prepared.embedded
    terms = prepared.rewriting.rewrite.terms
    return recall_memories(
        scope,
        embedded.vectors[0] if embedded else None,
        embedded.model if embedded else "",
        engine.vector_width,
        keywords.query_digests(prepared.words, cipher.index_key, policy.query_terms, terms),
        policy,
    )


def conclude(
    cipher: UserCipher,
    found: Sequence[Found],
    embedded: Embeddings | None,
    policy: RecallPolicy,
    *,
    missing: bool = False,
) -> Recollection:
    """Decrypt what was found, take at most `policy.limit` that differ, and say what found them.

    An unreadable memory is dropped and counted. "vectors_missing" (`missing`): the question has a
    vector, but a live memory has none of its model, so that its meaning was not compared: the
    assignment was changed by hand, or its embedding has failed so far. That cannot be seen in what
    was found: words may outrank every vector, and where nothing was found there may be nothing.
    """
    best, spare = _places(found, policy)
    readable = _opened(cipher, best)
    recalled = each_once(readable)
    if spare and len(recalled) < policy.limit:
        # Only what says the same or does not open leaves places to the spare ones.
        readable += _opened(cipher, spare)
        recalled = each_once(readable)[: policy.limit]
        best += spare
    dropped = len(best) - len(readable)
    if embedded is None:
        return Recollection("degraded", "no_query_vector", tuple(recalled), dropped)
    if missing:
        return Recollection("degraded", "vectors_missing", tuple(recalled), dropped)
    if dropped:
        return Recollection("degraded", "undecryptable", tuple(recalled), dropped)
    return Recollection("ok", "always", tuple(recalled))


def _places(found: Sequence[Found], policy: RecallPolicy) -> tuple[list[Found], list[Found]]:
    """Who has a place, best first, and who is spare: what is reserved is never pushed out."""
    reserved = [f for f in found if f.why.slot == "importance"][: policy.limit]
    others = [f for f in found if f.why.slot != "importance"]
    sure = policy.limit - len(reserved)
    if newest := _newest_behind(others, sure, policy.newest_from):
        others = [*others[: sure - 1], newest, *(f for f in others[sure - 1 :] if f is not newest)]
    return [*others[:sure], *reserved], others[sure:]


def _newest_behind(others: Sequence[Found], sure: int, share: float) -> Found | None:
    """The newest of those that the question found by words and by meaning, if it is behind the last
    place and nearly won it, and all places are held by such ones.

    So a crowd does not keep out what changed since, and nothing else loses its place.
    """
    held = others[:sure]
    if not held or len(held) < sure or not all(f.why.of_both_legs for f in held):
        return None
    least = share * held[-1].why.score
    near = [f for f in others[sure:] if f.why.of_both_legs and f.why.score >= least]
    newest = max([*held, *near], key=lambda f: f.memory.happened_at)
    return newest if newest in near else None


def _opened(cipher: UserCipher, found: Sequence[Found]) -> list[Recalled]:
    opened = (open_or_drop("memory", _open, cipher, f, memory_id=f.memory.id) for f in found)
    return [one for one in opened if one]


def _open(cipher: UserCipher, found: Found) -> Recalled:
    return Recalled(open_memory(cipher, found.memory), found.why)
