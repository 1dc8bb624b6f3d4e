"""mem0 beside us: the same server, vectors, texts and questions, searched in turn.

It keeps its rows in a table of its own with the indexes it makes by default. They are filled and
its vector index is built by us, all at once, which only helps it.
"""

import json
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import IO, Any

from pgvector import Vector
from psycopg import sql

from gieok.engine import Engine
from infra.local.stack import Database
from tests.bench.house import Given, connected
from tests.bench.recalls import Question, ask, questions
from tests.bench.timing import alternate, p50_ms
from tests.support.bulk import binary, stock
from tests.support.bulk.rows import Pair, happened_at, in_turn

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv-bench" / "bin" / "python"
SCRIPT = Path(__file__).with_name("mem0_process.py")
WARM = 10
KEYS = ("gieok_p50_ms", "peer_p50_ms", "ratio", "peer_empty_rate")


@dataclass(slots=True)
class Peer:
    """A running mem0."""

    requests: IO[str]
    answers: IO[str]
    found: list[int] = field(default_factory=list)

    def search(self, collection: str, asked: Sequence[Question]) -> list[float]:
        """Search for each; what it took by its own clock, in seconds."""
        searches = [
            {"user": q.pair.scope.user_id, "text": q.text, "vector": q.vector} for q in asked
        ]
        print(json.dumps({"collection": collection, "searches": searches}), file=self.requests)
        self.requests.flush()
        answer: dict[str, list[Any]] = json.loads(self.answers.readline())
        self.found += answer["found"]
        return answer["seconds"]


def installed() -> bool:
    """Whether the bench target could install it."""
    return PYTHON.exists()


@contextmanager
def running(database: Database) -> Iterator[Peer]:
    """Start it on a database."""
    command = [str(PYTHON), str(SCRIPT), database.superuser_url, str(stock.WIDTH)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        yield Peer(process.stdin, process.stdout)
        process.stdin.close()


def fill(database: Database, peer: Peer, collection: str, pairs: Sequence[Pair]) -> None:
    """Let it make its table, then write the pairs' memories into it as it would have."""
    peer.search(collection, questions(pairs[:1], 1))
    peer.found.clear()
    with connected(database) as connection:
        index = f"{collection}_hnsw_idx"
        (made,) = connection.execute(
            "SELECT pg_get_indexdef(%s::regclass)", (index,)
        ).fetchone() or ("",)
        connection.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(index)))
        table = sql.SQL("{} (id, vector, payload)").format(sql.Identifier(collection))
        binary.copy_binary(connection, table, _rows(pairs))
        connection.execute("SET maintenance_work_mem = '2GB'")
        connection.execute(made.encode())
        connection.execute(sql.SQL("VACUUM ANALYZE {}").format(sql.Identifier(collection)))


def _rows(pairs: Sequence[Pair]) -> Iterable[bytes]:
    for pair, seq in in_turn(pairs):
        text = stock.sample(pair.sample(seq)).content.summary
        payload = {
            "data": text,
            "text_lemmatized": text,
            "user_id": pair.scope.user_id,
            "created_at": happened_at(seq).isoformat(),
        }
        vector = Vector(pair.vectors[seq - 1]).to_binary()
        yield binary.row(pair.memory_id(seq).bytes, vector, binary.jsonb(payload))


async def measure(
    database: Database, engine: Engine, given: Given, peer: Peer, pairs: Sequence[Pair], tries: int
) -> dict[str, float]:
    """The figures of one row of the table; `pairs` are all that either of them holds here."""
    collection = f"mem0_{len(pairs)}x{pairs[0].size}"
    fill(database, peer, collection, pairs)
    asked = questions(pairs, tries + WARM)
    theirs: list[float] = []

    async def ours(number: int) -> None:
        await ask(engine, given, asked[number])

    async def mem0(number: int) -> None:
        theirs.extend(peer.search(collection, [asked[number]]))

    seconds = await alternate({"ours": ours, "mem0": mem0}, tries, WARM)
    gieok, mem0_p50 = p50_ms(seconds["ours"]), p50_ms(theirs[WARM:])
    return {
        "gieok_p50_ms": gieok,
        "peer_p50_ms": mem0_p50,
        "ratio": round(mem0_p50 / gieok, 2),
        "peer_empty_rate": round(fmean(not found for found in peer.found), 3),
    }
