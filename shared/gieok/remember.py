"""Make memories of conversation: claim → extract → embed → save → release.

The fence in the pair's row makes each window one memory, whatever the queue, the lock or a dying
process do. No connection is held while a model is asked.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from gieok import keywords, telemetry
from gieok.cells import (
    open_relationships,
    open_turns,
    seal_details,
    seal_relationship,
    summary_cell,
)
from gieok.crypto import UserCipher
from gieok.engine import Engine
from gieok.errors import LockUnavailable, ModelError, ModelMalformed, ModelTimeout
from gieok.extraction import missing_details, read
from gieok.ids import new_id
from gieok.language import locale_of
from gieok.prompts.extraction import PROMPT_VERSION, repair_request, request
from gieok.sealed import SealedRelationship
from gieok.store import keys, operations, sessions, windows
from gieok.types import (
    Character,
    Embeddings,
    Extraction,
    Locale,
    Message,
    ModelUse,
    RelationshipState,
    Scope,
    StructuredPrompt,
)
from gieok.window import Window, next_window

Outcome = Literal["written", "skipped", "superseded", "not_due", "busy"]

MOST_WINDOWS = 5
"""Of one call; a larger backlog is left to the next hint."""


async def remember(engine: Engine, scope: Scope) -> list[Outcome]:
    """Write every window of the scope that is due, oldest first; what became of each.

    The last outcome says why it stopped: "not_due" (nothing left), "busy" (another worker holds
    the scope), "superseded" (another worker was faster).
    Raises a `ModelError` when a window could not be extracted, `DatabaseUnavailable`,
    `KeyServiceUnavailable`; then nothing of that window was written.
    """
    outcomes: list[Outcome] = []
    async with _courtesy_lock(engine, scope) as free:
        if not free:
            return ["busy"]
        for _ in range(MOST_WINDOWS):
            outcomes.append(await _one_window(engine, scope))
            if outcomes[-1] in ("not_due", "superseded"):
                break
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


@dataclass(frozen=True, slots=True)
class _Claim:
    """A window to be remembered, decrypted."""

    scope: Scope
    fence: windows.Fence
    window: Window
    cast: tuple[Character, ...]
    messages: tuple[Message, ...]
    relationships: dict[str, RelationshipState]
    versions: dict[UUID, int]
    assignments: operations.Assignments
    cipher: UserCipher
    locale: Locale


async def _one_window(engine: Engine, scope: Scope) -> Outcome:
    try:
        async with asyncio.timeout(engine.policy.generation.deadline_s):
            return await _claim_to_save(engine, scope)
    except TimeoutError as error:
        raise ModelTimeout("generation", "deadline of the critical section") from error


async def _claim_to_save(engine: Engine, scope: Scope) -> Outcome:
    claim = await _claim(engine, scope)
    if claim is None:
        return "not_due"
    uses: list[ModelUse] = []
    if not claim.messages:
        return await _skip(engine, claim, uses)
    try:
        extraction = await _extract(engine, claim, uses)
        if not extraction.worth_keeping:
            return await _skip(engine, claim, uses)
        embedded = await _embed(engine, claim, extraction, uses)
    except ModelError:
        await engine.database.run(scope.user_id, operations.record_usage(scope.user_id, uses))
        raise
    return await _save(engine, claim, extraction, embedded, uses)


async def _claim(engine: Engine, scope: Scope) -> _Claim | None:
    """Read the fence, then what is pending behind it; None when nothing is due."""
    policy, user = engine.policy.generation, scope.user_id
    pair = windows.read_pair(scope)
    pending = windows.read_pending_turns(scope, policy.window_messages + 1)
    states = windows.read_scope_relationships(scope)
    cast = sessions.read_characters(scope.character_ids)
    key, assignments = keys.read_user_key(user), operations.read_assignments()
    got = await engine.database.run(
        user, windows.open_pairs(scope), pair, pending, states, cast, key, assignments
    )
    stored, window = got[key], next_window(got[pending], engine.clock.now(), policy)
    if window is None or stored is None or stored.wrapped is None:
        return None
    cipher = await engine.keyring.open(user, stored.wrapped)
    names = {c.id: c.name for c in got[cast]}
    messages = _messages(cipher, window, names)
    return _Claim(
        scope=scope,
        fence=got[pair],
        window=window,
        cast=tuple(got[cast]),
        messages=messages,
        relationships=open_relationships(cipher, got[states], names),
        versions=_versions(got[states]),
        assignments=got[assignments],
        cipher=cipher,
        locale=locale_of(" ".join(m.text for m in messages), got[cast][0].locale),
    )


def _messages(cipher: UserCipher, window: Window, names: Mapping[UUID, str]) -> tuple[Message, ...]:
    turns = open_turns(cipher, window.turns, names)
    return tuple(m for t in turns for m in (t.user, t.reply) if m)


def _versions(states: list[SealedRelationship]) -> dict[UUID, int]:
    return {s.character_id: s.version for s in states}


async def _extract(engine: Engine, claim: _Claim, uses: list[ModelUse]) -> Extraction:
    """One call; one more to repair what it lacks; then the window fails loudly."""
    names = [c.name for c in claim.cast]
    prompt = request(
        names, claim.relationships, claim.messages, engine.policy.time_zone, claim.locale
    )
    answer = await _ask(engine, claim, prompt, uses)
    try:
        extraction = _read(answer, claim)
        problem = ", ".join(missing_details(extraction, names))
        if not problem:
            return extraction
        problem = f"no key detail for: {problem}"
    except ModelMalformed as error:
        extraction, problem = None, error.reason
    telemetry.setback("extraction_repaired")
    try:
        repaired = await _ask(engine, claim, repair_request(prompt, answer, problem), uses)
        extraction = _read(repaired, claim)
    except ModelError:
        if extraction is None:
            raise
    if missing_details(extraction, names):
        telemetry.setback("extraction_incomplete", cast=len(names))
    return extraction


async def _ask(
    engine: Engine, claim: _Claim, prompt: StructuredPrompt, uses: list[ModelUse]
) -> str:
    limit = engine.policy.generation.extraction_s
    assignment = claim.assignments.of("EXTRACTION")
    return (await engine.models.structured(assignment, prompt, limit, uses)).text


def _read(answer: str, claim: _Claim) -> Extraction:
    return read(answer, [c.name for c in claim.cast], claim.messages, claim.relationships)


async def _embed(
    engine: Engine, claim: _Claim, extraction: Extraction, uses: list[ModelUse]
) -> Embeddings | None:
    """The summary's vector, with patience; without one the memory is stored all the same."""
    policy = engine.policy.generation
    assignment = claim.assignments.of("EMBEDDING")
    until = time.monotonic() + policy.embedding_patience_s
    for wait in (*policy.embedding_retries_s, None):
        try:
            return await engine.models.embed(
                assignment, [extraction.summary], "document", policy.embedding_s, uses
            )
        except ModelError as error:
            telemetry.setback("document_embedding_failed", code=error.code)
            late = wait is not None and time.monotonic() + wait + policy.embedding_s > until
            if wait is None or late or not error.retryable:
                break
            await asyncio.sleep(wait)
    return None


async def _skip(engine: Engine, claim: _Claim, uses: list[ModelUse]) -> Outcome:
    scope = claim.scope
    skipped = windows.skip_window(scope, claim.fence, claim.window.last_position)
    usage = operations.record_usage(scope.user_id, uses)
    got = await engine.database.run(scope.user_id, skipped, usage)
    return "skipped" if got[skipped] else "superseded"


async def _save(
    engine: Engine,
    claim: _Claim,
    extraction: Extraction,
    embedded: Embeddings | None,
    uses: list[ModelUse],
) -> Outcome:
    """The memory, its places, the relationship states and the cursor, in one transaction."""
    scope, sealed = claim.scope, _seal(claim, extraction, embedded)
    if not sealed.digests:
        telemetry.setback("memory_without_search_terms", memory_id=str(sealed.memory_id))
    saved = windows.save_memory(scope, claim.fence, sealed, engine.vector_width)
    got = await engine.database.run(
        scope.user_id,
        saved,
        windows.save_relationships(scope, sealed),
        operations.record_usage(scope.user_id, uses),
    )
    return "written" if got[saved] else "superseded"


def _seal(
    claim: _Claim, extraction: Extraction, embedded: Embeddings | None
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
        vectors={embedded.model: embedded.vectors[0]} if embedded else {},
        extractor=_extractor(claim),
        prompt_version=PROMPT_VERSION,
        happened_at=claim.messages[-1].created_at,
        relationships=_seal_relationships(claim, extraction),
    )


def _extractor(claim: _Claim) -> str:
    choices = claim.assignments.of("EXTRACTION").choices
    return choices[0].model if choices else ""


def _seal_relationships(claim: _Claim, extraction: Extraction) -> tuple[SealedRelationship, ...]:
    return tuple(
        seal_relationship(
            claim.cipher, c.id, claim.versions.get(c.id, 0) + 1, extraction.relationships[c.name]
        )
        for c in claim.cast
        if c.name in extraction.relationships
    )
