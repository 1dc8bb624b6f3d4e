"""Make memories of conversation: due window → extract → embed → save → release.

The fence in the pair's row makes each window one memory, whatever the queue, the lock or a dying
process do. No connection is held while a model is asked.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from gieok import telemetry
from gieok.calls import ModelUse
from gieok.engine import Engine
from gieok.errors import (
    DatabaseUnavailable,
    LockUnavailable,
    ModelBlocked,
    ModelError,
    ModelRejected,
    ModelTimeout,
)
from gieok.generation.due_window import DueWindow, Look, Nothing, look
from gieok.generation.extract import extract
from gieok.generation.failures import fail
from gieok.generation.hints import hint, hint_settled
from gieok.generation.outcome import Outcome
from gieok.generation.refusal import refuse
from gieok.generation.save import save, skip
from gieok.indexing.backfill import backfill
from gieok.indexing.content import embedded
from gieok.indexing.embedding import embed_document, of_policy
from gieok.types import Scope

MOST_WINDOWS = 5
"""Windows of one call; a larger backlog is left to the next hint."""

_ENDS = ("not_due", "failed", "waiting")
"""Outcomes after which there is nothing more to do for the scope now."""


async def generate(engine: Engine, scope: Scope) -> list[Outcome]:
    """Write every window of the scope that is due, oldest first; what became of each.

    A window that was superseded is looked at again. The last outcome says why the call ended: with
    "not_due", "failed", "waiting" or "busy" there is nothing more to do now, with any other there
    may be more. Whoever has to look again is sent a hint.
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


@asynccontextmanager
async def _courtesy_lock(engine: Engine, scope: Scope) -> AsyncIterator[bool]:
    """Whether the scope is ours. Without the lock's server it is: the fence guards the truth."""
    async with AsyncExitStack() as held:
        try:
            free = await held.enter_async_context(engine.lock.hold(scope))
        except LockUnavailable:
            telemetry.setback("lock_unavailable")
            free = True
        yield free


async def _windows(engine: Engine, scope: Scope, first: Look, last_start: float) -> list[Outcome]:
    """One window after the other, the last one begun before a moment of the monotonic clock."""
    outcomes = await _one_window(engine, scope, first.found)
    while outcomes[-1] not in _ENDS and len(outcomes) < MOST_WINDOWS:
        if time.monotonic() > last_start:
            break
        outcomes += await _one_window(engine, scope, (await look(engine, scope)).found)
    return outcomes


async def _one_window(engine: Engine, scope: Scope, due: DueWindow | Nothing) -> list[Outcome]:
    """What became of the window; "not_due" after it when it was all there was."""
    if not isinstance(due, DueWindow):
        if due.settles_at:
            await hint_settled(engine, scope, due.settles_at)
        return [due.why]
    uses: list[ModelUse] = []
    try:
        async with asyncio.timeout(engine.policy.generation.deadline_s):
            outcome = await _extract_to_save(engine, due, uses)
    except TimeoutError:
        error = ModelTimeout("generation", "deadline of the critical section")
        return [await fail(engine, due, error, uses)]
    except (ModelError, DatabaseUnavailable) as error:
        # What cannot be saved though the database is there fails like any other, and not for ever.
        return [await fail(engine, due, error, uses)]
    again = due.rest or outcome in ("superseded", "refused")
    return [outcome] if again else [outcome, "not_due"]


async def _extract_to_save(engine: Engine, due: DueWindow, uses: list[ModelUse]) -> Outcome:
    if not due.context.messages:
        return await skip(engine, due, uses)
    try:
        extraction = await extract(engine, due, uses)
    except (ModelBlocked, ModelRejected) as error:
        return await refuse(engine, due, error, uses)
    if not extraction.worth_keeping:
        return await skip(engine, due, uses)
    assignment, patience = due.assignments.of("EMBEDDING"), of_policy(engine.policy.generation)
    document = embedded(extraction.summary, extraction.asked_as, engine.policy.index)
    vectors = await embed_document(engine, assignment, document, patience, uses)
    return await save(engine, due, extraction, vectors, uses)
