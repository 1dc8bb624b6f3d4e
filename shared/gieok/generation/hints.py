"""Tell the worker that a scope may have something for it."""

from datetime import datetime, timedelta

from gieok import telemetry
from gieok.engine import Engine
from gieok.errors import QueueUnavailable
from gieok.policy import GenerationPolicy
from gieok.ports import Queue
from gieok.store import windows
from gieok.types import Scope

AT_ONCE = timedelta()
LONGEST_DELAY = timedelta(seconds=900)
"""The longest delay of a hint (SQS); what comes later is left to the sweep."""
_MARGIN = timedelta(seconds=5)


def once_settled(policy: GenerationPolicy) -> timedelta:
    """How long a hint waits when the newest exchange may still change."""
    return policy.settle_after + _MARGIN


async def hint(queue: Queue, scope: Scope, delay: timedelta = AT_ONCE) -> bool:
    """Send one message; whether it was sent.

    A failure is counted and no more, since the sweep finds the scope anyway.
    """
    try:
        await queue.send(scope, round(delay.total_seconds()))
    except QueueUnavailable as error:
        telemetry.failure("hint_not_sent", error)
        return False
    return True


async def hint_settled(engine: Engine, scope: Scope, settles_at: datetime) -> None:
    """Have a window looked at again at the moment when its turns can have settled.

    At most one such hint of a scope is on its way, so that a hint which comes too early never
    becomes more than one. Raises `DatabaseUnavailable`.
    """
    now = engine.clock.now()
    at = min(settles_at, now + LONGEST_DELAY - _MARGIN)
    noted = windows.note_next_look(scope, at, now)
    if not (await engine.database.run(scope.user_id, noted))[noted]:
        return
    if not await hint(engine.queue, scope, at - now + _MARGIN):
        await engine.database.run(scope.user_id, windows.forget_next_look(scope, at))


async def hint_reopened(engine: Engine, scope: Scope, reopened: int) -> None:
    """Have turns whose windows were taken back remembered anew, once they cannot change any more.

    `reopened` counts them; with none the worker is not told.
    """
    if reopened:
        await hint(engine.queue, scope, once_settled(engine.policy.generation))
