"""Tell the worker that a scope may have something for it."""

from datetime import timedelta

from gieok import telemetry
from gieok.engine import Engine
from gieok.errors import QueueUnavailable
from gieok.policy import GenerationPolicy
from gieok.types import Scope

AT_ONCE = timedelta()
_MARGIN = timedelta(seconds=5)


def once_settled(policy: GenerationPolicy) -> timedelta:
    """How long a hint waits when the newest exchange may still change."""
    return policy.settle_after + _MARGIN


async def hint(engine: Engine, scope: Scope, delay: timedelta = AT_ONCE) -> None:
    """Send one message; a failure is counted, since the sweep finds the scope anyway."""
    try:
        await engine.queue.send(scope, round(delay.total_seconds()))
    except QueueUnavailable as error:
        telemetry.failure("hint_not_sent", error)
