"""A re-embedding that is killed at its n-th step: before or after each thing it asks of others.

`python -m tests.faults.dying_reembed STEP` with its world as JSON on standard input. Prints how
many steps there were, when it lives to the end.
"""

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from gieok.calls import ModelChoice
from gieok.operations.reembed import Operation, reembed
from gieok.providers.router import Models
from gieok.store.database import Database
from tests.faults.dying_worker import Fate
from tests.support.speakers import Hashes
from tests.support.world import world


async def work(fatal: int, given: dict[str, Any]) -> int:
    """Replace the model of one database; the number of steps it took."""
    given["key_file"] = Path(given["key_file"])
    given["redis"] = tuple(given["redis"])
    operator = Database(given.pop("operator_url"), 1)
    async with world(**given) as w:
        models = Models({}, {"test": w.embedder, "next": Hashes()})
        engine = replace(w.worker, models=models)
        fate = Fate(fatal)
        fate.around(engine.database, "run")
        fate.around(operator, "run")
        fate.around(models, "embed")
        await reembed(Operation(engine, operator, 2, 1), ModelChoice("next", "next-1"))
        await operator.close()
        return fate.steps


if __name__ == "__main__":
    print(asyncio.run(work(int(sys.argv[1]), json.load(sys.stdin))))
