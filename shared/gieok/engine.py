"""What every use case works with, put together once by `bootstrap`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gieok.policy import Policy
from gieok.ports import Clock, Lock, Queue, RateLimiter
from gieok.store.database import Database

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
