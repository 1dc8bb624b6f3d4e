"""One worker process: remembers the scopes it is given, in turn, with models without latency.

Reads two lines: what to do as JSON, then anything to begin. Writes "ready", then what it did.
"""

import asyncio
import json
import sys
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from gieok.calls import StructuredPrompt
from gieok.generation.generate import generate
from gieok.providers.router import Models
from gieok.types import Scope, UserId
from tests.bench.house import Given
from tests.support.bulk.stock import TERMS, WIDTH
from tests.support.world import extraction, somebody, world


def of_one_window(prompt: StructuredPrompt) -> str:
    """A good extraction with as many search terms as bulk memories have."""
    words = [w for m in json.loads(prompt.payload)["messages"] for w in m["text"].split()]
    return extraction(prompt, search_terms=words[:TERMS])


async def work(arguments: dict[str, Any], scopes: list[Scope]) -> dict[str, int]:
    """Remember all, each by one hint; how often what happened."""
    arguments["key_file"] = Path(arguments["key_file"])
    async with world(**arguments) as here:
        here.clock.ahead = timedelta(hours=3)
        here.speaker.extract = of_one_window
        embedder = Given((WIDTH**-0.5,) * WIDTH)
        models = Models({"test": here.speaker}, {"test": embedder})
        worker = replace(here.worker, models=models)
        await generate(worker, Scope(somebody(), scopes[0].character_ids))  # connects
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        outcomes: Counter[str] = Counter()
        for scope in scopes:
            outcomes.update(await generate(worker, scope))
        calls = {"extractions": len(here.speaker.extractions), "embeddings": embedder.calls}
        return {**outcomes, **calls}


def main() -> None:
    """Read, work, answer."""
    task = json.loads(sys.stdin.readline())
    scopes = [Scope(UserId(user), tuple(map(UUID, cast))) for user, cast in task["scopes"]]
    print(json.dumps(asyncio.run(work(task["world"], scopes))), flush=True)


if __name__ == "__main__":
    main()
