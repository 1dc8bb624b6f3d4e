"""What every use case works with, put together once by `bootstrap`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gieok import telemetry
from gieok.errors import LockUnavailable
from gieok.policy import Policy
from gieok.ports import Clock, Lock, Queue, RateLimiter
from gieok.store.database import Database
from gieok.types import RequestKind, UserId

if TYPE_CHECKING:
    # The sweep, which has neither keys nor models, must not have to load their modules.
    from gieok.privacy.keyring import Keyring
    from gieok.providers.router import Models


@dataclass(frozen=True, slots=True)
class SweepEngine:
    """The parts of the retention sweep: it has no models and no keys."""

    database: Database
    queue: Queue
    policy: Policy


@dataclass(frozen=True, slots=True)
class Engine:
    """The parts of the chat and worker functions.

    `vector_width` is the number of dimensions of the database's vectors.
    """

    database: Database
    keyring: "Keyring"
    models: "Models"
    lock: Lock
    limiter: RateLimiter
    queue: Queue
    clock: Clock
    policy: Policy
    vector_width: int

    async def within_limits(self, user_id: UserId, kind: RequestKind) -> None:
        """Count a request of a user. Raises `RateLimited`.

        Redis is a courtesy: without it everyone is let in, and that is counted.
        """
        try:
            await self.limiter.check(user_id, kind)
        except LockUnavailable:
            telemetry.setback("rate_limit_unavailable")
