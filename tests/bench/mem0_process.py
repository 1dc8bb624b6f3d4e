"""mem0 with its PostgreSQL store, in an environment of its own: reads requests, writes answers.

Run by `tests.bench.peer` with that environment's Python. A line in is a JSON object, so is a line
out: {"collection", "searches": [{"user", "text", "vector"}]} → {"seconds": […], "found": […]}.
"""

import json
import os
import sys
import tempfile
import time
from typing import Any

os.environ["MEM0_TELEMETRY"] = "False"
os.environ["MEM0_DIR"] = tempfile.mkdtemp()

from mem0 import Memory  # type: ignore[import-not-found]  # installed there, not here

LIMIT = 12
"""As many as a recall of ours gives. It fetches 60 for them."""


class Given:
    """An embedder that answers at once with the vector it was given."""

    def __init__(self) -> None:
        self.vector: list[float] = []

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """As mem0's embedders do."""
        return self.vector


def memory(url: str, collection: str, width: int) -> tuple[Any, Given]:
    """mem0 as it comes, but for its embedder; its language model is never asked."""
    nobody = {"provider": "openai", "config": {"api_key": "none"}}
    made = Memory.from_config(
        {
            "vector_store": {
                "provider": "pgvector",
                "config": {
                    "connection_string": url,
                    "collection_name": collection,
                    "embedding_model_dims": width,
                },
            },
            "llm": nobody,
            "embedder": nobody,
            "history_db_path": os.path.join(os.environ["MEM0_DIR"], "history.db"),
        }
    )
    made.embedding_model = Given()
    return made, made.embedding_model


def main() -> None:
    """Serve requests until the input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what it prints is not an answer
    url, width = sys.argv[1], int(sys.argv[2])
    memories: dict[str, tuple[Any, Given]] = {}
    for line in sys.stdin:
        request = json.loads(line)
        name = request["collection"]
        if name not in memories:
            memories[name] = memory(url, name, width)
        asked, given = memories[name]
        seconds, found = [], []
        for search in request["searches"]:
            given.vector = search["vector"]
            started = time.perf_counter()
            results = asked.search(
                search["text"], filters={"user_id": search["user"]}, top_k=LIMIT, threshold=0.0
            )
            seconds.append(time.perf_counter() - started)
            found.append(len(results["results"]))
        print(json.dumps({"seconds": seconds, "found": found}), file=answers, flush=True)


if __name__ == "__main__":
    main()
