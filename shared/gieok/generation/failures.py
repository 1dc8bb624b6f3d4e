"""Count a window's failure: it is tried again later, and parked after too many tries."""

from datetime import timedelta

from gieok import telemetry
from gieok.calls import ModelUse
from gieok.engine import Engine
from gieok.errors import ModelError
from gieok.generation.due_window import DueWindow
from gieok.generation.hints import LONGEST_DELAY, hint
from gieok.generation.outcome import Outcome
from gieok.store import operations, windows
from gieok.store.database import Query


async def fail(engine: Engine, due: DueWindow, error: ModelError, uses: list[ModelUse]) -> Outcome:
    """Record that a window failed with an error: "failed", "parked" or "superseded"."""
    parked = due.fence.failures + 1 >= engine.policy.generation.tries
    wait = _wait(engine, due)
    marked = _park(due, error) if parked else _retry(engine, due, wait)
    usage = operations.record_usage(due.scope.user_id, uses)
    if not (await engine.database.run(due.scope.user_id, marked, usage))[marked]:
        return "superseded"
    outcome: Outcome = "parked" if parked else "failed"
    telemetry.setback(f"window_{outcome}", code=error.code, attempts=due.fence.failures + 1)
    if not parked and wait <= LONGEST_DELAY:
        await hint(engine.queue, due.scope, wait)
    return outcome


def _park(due: DueWindow, error: ModelError) -> Query[bool]:
    reason, window = f"{error.code}: {error.reason}".removesuffix(": "), due.window
    first, last, turns = window.first_position, window.last_position, len(window.turns)
    return windows.park_window(due.scope, due.fence, first, last, turns, reason)


def _retry(engine: Engine, due: DueWindow, wait: timedelta) -> Query[bool]:
    return windows.fail_window(due.scope, due.fence, engine.clock.now() + wait)


def _wait(engine: Engine, due: DueWindow) -> timedelta:
    """Until the next try: longer each time, and at most half of what its messages have left."""
    policy, retention = engine.policy.generation, engine.policy.retention
    left = due.window.oldest_at + retention.raw_messages - engine.clock.now()
    longer: timedelta = policy.retry_after * policy.retry_growth**due.fence.failures
    return min(longer, max(left, timedelta()) / 2)
