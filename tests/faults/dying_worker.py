"""A memory worker that is killed at its n-th step: before or after each thing it asks of others.

`python -m tests.faults.dying_worker STEP` with its world as JSON on standard input. Prints how many
steps there were, when it lives to the end. `answer`, if given, is all its language model ever says.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from gieok.generation.generate import generate
from gieok.policy import COMPANION
from gieok.types import Scope, UserId
from tests.support.world import world

SHORT_LOCK = replace(COMPANION, generation=replace(COMPANION.generation, lock_ttl_s=1))


class Fate:
    """Counts steps and ends the process at the fatal one, as a power cut would."""

    def __init__(self, fatal: int) -> None:
        self.fatal = fatal
        self.steps = 0

    def step(self) -> None:
        """One more step."""
        if self.steps == self.fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        self.steps += 1

    def around(self, thing: Any, name: str) -> None:
        """Make a method of a thing a step before and a step after its work."""
        work: Callable[..., Awaitable[Any]] = getattr(thing, name)

        async def fateful(*args: Any, **kwargs: Any) -> Any:
            self.step()
            result = await work(*args, **kwargs)
            self.step()
            return result

        setattr(thing, name, fateful)


async def work(fatal: int, given: dict[str, Any]) -> int:
    """Remember one scope; the number of steps it took."""
    given["key_file"] = Path(given["key_file"])
    given["redis"] = tuple(given["redis"])
    scope = Scope(UserId(given.pop("user_id")), (UUID(given.pop("character_id")),))
    answer = given.pop("answer", None)
    async with world(**given, policy=SHORT_LOCK) as w:
        if answer is not None:
            w.speaker.extract = lambda prompt: str(answer)
        w.clock.ahead = timedelta(hours=3)
        fate = Fate(fatal)
        fate.around(w.worker.database, "run")
        fate.around(w.worker.models, "structured")
        fate.around(w.worker.models, "embed")
        fate.around(w.worker.lock, "_acquire")
        # As SQS delivers it again, until a dead one's lock runs out.
        while await generate(w.worker, scope) == ["busy"]:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        return fate.steps


if __name__ == "__main__":
    print(asyncio.run(work(int(sys.argv[1]), json.load(sys.stdin))))
