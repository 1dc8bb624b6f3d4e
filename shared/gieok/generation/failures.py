"""Count a window's failure: it is tried again later, and parked after too many tries."""

from datetime import timedelta

from gieok import telemetry
from gieok.calls import ModelUse
from gieok.engine import Engine
from gieok.errors import DatabaseUnavailable, ModelError
from gieok.generation.due_window import DueWindow
from gieok.generation.hints import LONGEST_DELAY, hint
from gieok.generation.outcome import Outcome
from gieok.store import operations, windows
from gieok.store.database import Query

Cause = ModelError | DatabaseUnavailable
"""What a window may fail with."""


async def fail(engine: Engine, due: DueWindow, error: Cause, uses: list[ModelUse]) -> Outcome:
    """Record that a window failed with an error: "failed", "parked" or "superseded".

    Raises `DatabaseUnavailable` when not even that can be recorded.
    """
    if due.fence.failures + 1 >= engine.policy.generation.tries:
        return await park(engine, due, error, uses)
    wait = _wait(engine, due)
    marked = windows.fail_window(due.scope, due.fence, engine.clock.now() + wait)
    outcome = await record(engine, due, marked, "failed", error, uses)
    if outcome == "failed" and wait <= LONGEST_DELAY:
        await hint(engine.queue, due.scope, wait)
    return outcome


async def park(engine: Engine, due: DueWindow, error: Cause, uses: list[ModelUse]) -> Outcome:
    """Put a window aside with the reason: "parked" or "superseded"."""
    why = error.reason if isinstance(error, ModelError) else str(error)
    reason, window = f"{error.code}: {why}".removesuffix(": "), due.window
    first, last, turns = window.first_position, window.last_position, len(window.turns)
    marked = windows.park_window(due.scope, due.fence, first, last, turns, reason)
    return await record(engine, due, marked, "parked", error, uses)


async def record(
    engine: Engine,
    due: DueWindow,
    marked: Query[bool],
    outcome: Outcome,
    error: Cause,
    uses: list[ModelUse],
) -> Outcome:
    """Write the mark of a failure and what the calls cost: the outcome, or "superseded"."""
    usage = operations.record_usage(due.scope.user_id, uses)
    if not (await engine.database.run(due.scope.user_id, marked, usage))[marked]:
        return "superseded"
    telemetry.setback(f"window_{outcome}", code=error.code, attempts=due.fence.failures + 1)
    return outcome


def _wait(engine: Engine, due: DueWindow) -> timedelta:
    """Until the next try: longer each time, and at most half of what its messages have left."""
    policy, retention = engine.policy.generation, engine.policy.retention
    left = due.window.oldest_at + retention.raw_messages - engine.clock.now()
    longer: timedelta = policy.retry_after * policy.retry_growth**due.fence.failures
    return min(longer, max(left, timedelta()) / 2)
