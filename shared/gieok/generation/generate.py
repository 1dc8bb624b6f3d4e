"""Make memories of conversation: claim → extract → embed → save → release.

The fence in the pair's row makes each window one memory, whatever the queue, the lock or a dying
process do. No connection is held while a model is asked.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Literal

from gieok import telemetry
from gieok.calls import ModelUse, StructuredPrompt, Vector
from gieok.engine import Engine
from gieok.errors import (
    LockUnavailable,
    ModelError,
    ModelMalformed,
    ModelTimeout,
)
from gieok.extraction.answer import in_words_that_were_said, read, shortcomings
from gieok.extraction.facts import fingerprint
from gieok.extraction.request import PROMPT_VERSION, repair_request, request
from gieok.generation.due_window import ClaimedWindow, Look, Nothing, look
from gieok.generation.hints import hint
from gieok.ids import new_id
from gieok.indexing import keywords
from gieok.indexing.backfill import backfill
from gieok.indexing.embedding import embed_document, of_policy
from gieok.privacy.cells import seal_details, seal_fact, seal_relationship, summary_cell
from gieok.store import facts, operations, relationships, windows
from gieok.store.sealed import NewRelationship, SealedFact
from gieok.types import Extraction, Scope

Outcome = Literal[
    "written", "skipped", "parked", "superseded", "failed", "waiting", "not_due", "busy"
]

MOST_WINDOWS = 5
"""Of one call; a larger backlog is left to the next hint."""
LONGEST_DELAY = timedelta(seconds=900)
"""Of a hint (SQS); what comes later is left to the sweep."""


async def generate(engine: Engine, scope: Scope) -> list[Outcome]:
    """Write every window of the scope that is due, oldest first; what became of each.

    A window that was "superseded" (another worker was faster, or what it was made from changed
    meanwhile) is looked at again. The last outcome says why it stopped: "not_due" (nothing left),
    "failed" (the models did not give what was asked for; it is tried again, and "parked" in the
    end), "waiting" (for that try), "busy" (another worker holds the scope); after any other one
    there may be more. Whoever has to look again is sent a hint.
    Raises `DatabaseUnavailable`, `KeyServiceUnavailable`, `Conflict` (others kept changing a
    relationship), `DecryptionFailed` (a key that is not the user's); then nothing was written.
    """
    started, policy = time.monotonic(), engine.policy.generation
    async with _courtesy_lock(engine, scope) as free:
        if not free:
            await hint(engine.queue, scope, policy.busy_again)
            return ["busy"]
        looked = await look(engine, scope)
        last_start = started + policy.call_s - policy.deadline_s
        outcomes = await _windows(engine, scope, looked, last_start)
        more = looked.vectors_missing and await backfill(engine, scope)
    if more or outcomes[-1] not in _ENDS:
        await hint(engine.queue, scope)
    return outcomes


_ENDS = ("not_due", "failed", "waiting")


async def _windows(engine: Engine, scope: Scope, first: Look, last_start: float) -> list[Outcome]:
    """One window after the other, the last one begun before a moment of the monotonic clock."""
    outcomes = await _one_window(engine, first.found)
    while outcomes[-1] not in _ENDS and len(outcomes) < MOST_WINDOWS:
        if time.monotonic() > last_start:
            break
        outcomes += await _one_window(engine, (await look(engine, scope)).found)
    return outcomes


@asynccontextmanager
async def _courtesy_lock(engine: Engine, scope: Scope) -> AsyncIterator[bool]:
    """The lock, or go on without it: the fence is what keeps memories single."""
    try:
        holding = engine.lock.hold(scope)
        free = await holding.__aenter__()
    except LockUnavailable:
        telemetry.setback("lock_unavailable")
        yield True
        return
    try:
        yield free
    finally:
        await holding.__aexit__(None, None, None)


async def _one_window(engine: Engine, claim: ClaimedWindow | Nothing) -> list[Outcome]:
    """What became of the window; "not_due" after it when it was all there was."""
    if not isinstance(claim, ClaimedWindow):
        return [claim]
    uses: list[ModelUse] = []
    try:
        async with asyncio.timeout(engine.policy.generation.deadline_s):
            outcome = await _extract_to_save(engine, claim, uses)
    except TimeoutError:
        error = ModelTimeout("generation", "deadline of the critical section")
        return [await _fail(engine, claim, error, uses)]
    except ModelError as error:
        return [await _fail(engine, claim, error, uses)]
    return [outcome] if claim.rest or outcome == "superseded" else [outcome, "not_due"]


async def _extract_to_save(engine: Engine, claim: ClaimedWindow, uses: list[ModelUse]) -> Outcome:
    if not claim.messages:
        return await _skip(engine, claim, uses)
    extraction = await _extract(engine, claim, uses)
    if not extraction.worth_keeping:
        return await _skip(engine, claim, uses)
    assignment, patience = claim.assignments.of("EMBEDDING"), of_policy(engine.policy.generation)
    embedded = await embed_document(engine, assignment, extraction.summary, patience, uses)
    return await _save(engine, claim, extraction, embedded, uses)


async def _extract(engine: Engine, claim: ClaimedWindow, uses: list[ModelUse]) -> Extraction:
    """One call; one more to repair what it lacks; then the window fails loudly."""
    names = [c.name for c in claim.cast]
    prompt = request(
        names,
        claim.relationships,
        claim.messages,
        claim.time_zone,
        claim.locale,
        claim.window.zones,
    )
    answer = await _ask(engine, claim, prompt, uses)
    try:
        extraction = _read(answer, claim)
        problem = "; ".join(shortcomings(extraction, names, claim.messages, claim.relationships))
        if not problem:
            return extraction
    except ModelMalformed as error:
        extraction, problem = None, error.reason
    telemetry.setback("extraction_repaired")
    try:
        repaired = await _ask(engine, claim, repair_request(prompt, answer, problem), uses)
        extraction = _read(repaired, claim)
    except ModelError:
        if extraction is None:
            raise
    if shortcomings(extraction, names, claim.messages, claim.relationships):
        telemetry.setback("extraction_incomplete", cast=len(names))
    return in_words_that_were_said(extraction, names, claim.messages, claim.relationships)


async def _ask(
    engine: Engine, claim: ClaimedWindow, prompt: StructuredPrompt, uses: list[ModelUse]
) -> str:
    limit = engine.policy.generation.extraction_s
    assignment = claim.assignments.of("EXTRACTION")
    return (await engine.models.structured(assignment, prompt, limit, uses)).text


def _read(answer: str, claim: ClaimedWindow) -> Extraction:
    return read(answer, [c.name for c in claim.cast], claim.messages, claim.relationships)


async def _skip(engine: Engine, claim: ClaimedWindow, uses: list[ModelUse]) -> Outcome:
    scope = claim.scope
    skipped = windows.skip_window(scope, claim.fence, claim.window.last_position)
    usage = operations.record_usage(scope.user_id, uses)
    got = await engine.database.run(scope.user_id, skipped, usage)
    return "skipped" if got[skipped] else "superseded"


async def _fail(
    engine: Engine, claim: ClaimedWindow, error: ModelError, uses: list[ModelUse]
) -> Outcome:
    """Count the failure; the window is tried again later, or parked after too many."""
    scope, fence, window = claim.scope, claim.fence, claim.window
    parked = fence.failures + 1 >= engine.policy.generation.tries
    wait = _wait(engine, claim)
    if parked:
        reason = f"{error.code}: {error.reason}".removesuffix(": ")
        first, last, turns = window.first_position, window.last_position, len(window.turns)
        marked = windows.park_window(scope, fence, first, last, turns, reason)
    else:
        marked = windows.fail_window(scope, fence, engine.clock.now() + wait)
    usage = operations.record_usage(scope.user_id, uses)
    if not (await engine.database.run(scope.user_id, marked, usage))[marked]:
        return "superseded"
    outcome: Outcome = "parked" if parked else "failed"
    telemetry.setback(f"window_{outcome}", code=error.code, attempts=fence.failures + 1)
    if not parked and wait <= LONGEST_DELAY:
        await hint(engine.queue, scope, wait)
    return outcome


def _wait(engine: Engine, claim: ClaimedWindow) -> timedelta:
    """Until the next try: longer each time, and at most half of what its messages have left."""
    policy, retention = engine.policy.generation, engine.policy.retention
    left = claim.window.oldest_at + retention.raw_messages - engine.clock.now()
    longer: timedelta = policy.retry_after * policy.retry_growth**claim.fence.failures
    return min(longer, max(left, timedelta()) / 2)


async def _save(
    engine: Engine,
    claim: ClaimedWindow,
    extraction: Extraction,
    embedded: Mapping[str, Vector],
    uses: list[ModelUse],
) -> Outcome:
    """The memory, its places, facts, relationships and the cursor, in one transaction."""
    _count_dropped(extraction)
    scope, sealed = claim.scope, _seal(claim, extraction, embedded)
    if not sealed.digests:
        telemetry.setback("memory_without_search_terms", memory_id=str(sealed.memory_id))
    saved = windows.save_memory(scope, claim.fence, sealed, engine.vector_width)
    got = await engine.database.run(
        scope.user_id,
        relationships.lock_pairs(scope),
        relationships.supersede_stale(scope, claim.shown_versions),
        saved,
        relationships.save_relationships(scope, sealed.memory_id, _seal_states(claim, extraction)),
        facts.save_facts(scope.user_id, sealed.memory_id, _seal_facts(claim, extraction)),
        operations.record_usage(scope.user_id, uses),
    )
    return "written" if got[saved] else "superseded"


def _seal(
    claim: ClaimedWindow, extraction: Extraction, embedded: Mapping[str, Vector]
) -> windows.SealedWindow:
    memory_id, cipher, window = new_id(), claim.cipher, claim.window
    return windows.SealedWindow(
        memory_id=memory_id,
        first_position=window.first_position,
        last_position=window.last_position,
        session_ids=window.session_ids,
        summary=cipher.seal(summary_cell(memory_id), extraction.summary),
        details=seal_details(cipher, memory_id, extraction.details),
        importance=extraction.importance,
        digests=keywords.index_terms(extraction.search_terms, cipher.index_key),
        vectors=embedded,
        extractor=_extractor(claim),
        prompt_version=PROMPT_VERSION,
        happened_at=claim.messages[-1].created_at,
    )


def _extractor(claim: ClaimedWindow) -> str:
    choices = claim.assignments.of("EXTRACTION").choices
    return choices[0].model if choices else ""


def _count_dropped(extraction: Extraction) -> None:
    for kind, count in extraction.dropped.items():
        if count:
            telemetry.setback(f"extraction_{kind}_dropped", count=count)


def _seal_states(claim: ClaimedWindow, extraction: Extraction) -> list[NewRelationship]:
    return [
        seal_relationship(claim.cipher, c.id, extraction.relationships[c.name])
        for c in claim.cast
        if c.name in extraction.relationships
    ]


def _seal_facts(claim: ClaimedWindow, extraction: Extraction) -> list[SealedFact]:
    """Each fact for every character of the cast: who was there knows it."""
    cipher = claim.cipher
    return [
        seal_fact(cipher, c.id, fact, fingerprint(fact, cipher.index_key))
        for c in claim.cast
        for fact in extraction.facts
    ]
