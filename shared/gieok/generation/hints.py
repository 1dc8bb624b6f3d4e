"""Tell the worker that a scope may have something for it."""

from datetime import timedelta

from gieok import telemetry
from gieok.engine import Engine
from gieok.errors import QueueUnavailable
from gieok.policy import GenerationPolicy
from gieok.ports import Queue
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


async def hint_reopened(engine: Engine, scope: Scope, reopened: int) -> None:
    """Have turns whose windows were taken back remembered anew, once they cannot change any more.

    `reopened` counts them; with none the worker is not told.
    """
    if reopened:
        await hint(engine.queue, scope, once_settled(engine.policy.generation))
