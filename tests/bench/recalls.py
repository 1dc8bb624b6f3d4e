"""Recall by the product's own path, beside the bare query for the nearest vectors.

Timed: digests of the question, the one round trip, ranking, decryption of what is chosen. The
embedder answers at once with a vector near one of the pair's.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np
import psycopg
from psycopg import AsyncClientCursor

from gieok.calls import Assignment, ModelChoice, Vector
from gieok.engine import Engine
from gieok.recall import recall
from gieok.recall.prepare import Asked, Prepared, prepare
from gieok.store.memories import Found, padded
from gieok.store.operations import Assignments
from gieok.types import Recollection
from infra.local.stack import Database
from tests.bench.house import Given, connected
from tests.bench.timing import alternate, p50_ms, p99_ms
from tests.support.bulk import stock
from tests.support.bulk.rows import Pair
from tests.support.stack import Stack

ASSIGNMENTS = Assignments(
    {"EMBEDDING": Assignment("EMBEDDING", (ModelChoice("test", stock.MODEL),))}
)
NEAREST = 20
WARM = 30


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of which pair."""

    pair: Pair
    text: str
    vector: Vector


def questions(pairs: Sequence[Pair], count: int) -> list[Question]:
    """Questions to pairs in turn, always the same."""
    dice = random.Random(len(pairs) * 1_000 + count)
    asked = (pairs[number % len(pairs)] for number in range(count))
    return [Question(p, stock.question(dice), stock.near(p.vectors, dice)) for p in asked]


async def ask(engine: Engine, given: Given, question: Question) -> Recollection:
    """One recall, exactly as a turn does it."""
    found, prepared = await search(engine, given, question)
    policy = engine.policy.recall
    return recall.conclude(question.pair.cipher, found, prepared.embedded, policy)


async def search(engine: Engine, given: Given, question: Question) -> tuple[list[Found], Prepared]:
    """What the database finds for a question."""
    given.vector = question.vector
    pair = question.pair
    asked = Asked(pair.scope, pair.cipher, ASSIGNMENTS, question.text, "ko")
    prepared = await prepare(engine, asked, [])
    query = recall.query_for(engine, pair.scope, pair.cipher, prepared)
    return (await engine.database.run(pair.scope.user_id, query))[query], prepared


async def recall_at_20(engine: Engine, given: Given, question: Question) -> float:
    """The vector leg's share of the true nearest, by brute force over the stored vectors.

    Asked without words, and with places for all that the leg finds.
    """
    pair = question.pair
    wide = replace(engine.policy.recall, limit=2 * engine.policy.recall.overfetch, context=())
    everything = replace(engine, policy=replace(engine.policy, recall=wide))
    found, _ = await search(everything, given, replace(question, text="?"))
    ranks = {f.memory.id: f.why.vector_rank for f in found if f.why.vector_rank is not None}
    nearest = {memory_id for memory_id, rank in ranks.items() if rank < NEAREST}
    literal = padded(question.vector, stock.WIDTH)  # what the database was asked
    asked = np.array(json.loads(literal), dtype=np.float16).astype(np.float32)
    known = pair.vectors.astype(np.float32)
    true = np.argsort(-(known @ asked) / np.linalg.norm(known, axis=1))[:NEAREST]
    return len(nearest & {pair.memory_id(int(n) + 1) for n in true}) / len(true)


def lay_floor(database: Database) -> None:
    """The same rows in the same order in a plain table: vectors inline, an index by the pair."""
    with connected(database) as connection:
        connection.execute(
            f"CREATE TABLE floor (id uuid, user_id text, character_id uuid, summary bytea,"
            f" details bytea, embedding halfvec({stock.WIDTH}))".encode()
        )
        connection.execute("ALTER TABLE floor ALTER embedding SET STORAGE PLAIN")
        connection.execute(
            "INSERT INTO floor SELECT m.id, m.user_id, mc.character_id, m.summary, m.details,"
            " v.embeddings[mc.seq % memory.vectors_a_block() + 1]"
            " FROM memory.memory_characters mc JOIN memory.memories m ON m.id = mc.memory_id"
            " JOIN memory.vector_blocks v ON v.user_id = mc.user_id"
            " AND v.character_id = mc.character_id AND v.block = mc.seq / memory.vectors_a_block()"
            " ORDER BY mc.ctid"
        )
        connection.execute("CREATE INDEX ON floor (user_id, character_id)")
        connection.execute("VACUUM ANALYZE floor")


class Floor:
    """The bare exact query: no keyword leg, no ranking, no policy, nothing to decrypt."""

    def __init__(self, connection: psycopg.AsyncConnection) -> None:
        self._connection = connection

    async def ask(self, question: Question) -> None:
        """The ids of the nearest, with their distances."""
        scope = question.pair.scope
        cursor = AsyncClientCursor(self._connection)
        await cursor.execute(
            "SELECT id, embedding <=> %s::halfvec AS distance FROM floor"
            " WHERE user_id = %s AND character_id = %s ORDER BY distance LIMIT 20",
            (padded(question.vector, stock.WIDTH), scope.user_id, scope.character_ids[0]),
        )
        await cursor.fetchall()


async def measure(
    stack: Stack, engine: Engine, given: Given, pairs: Sequence[Pair], tries: int
) -> dict[str, float]:
    """The figures of one row of the table."""
    asked = questions(pairs, tries + max(WARM, len(pairs)))
    warm = len(asked) - tries
    answers: list[Recollection] = []
    url = stack.database.superuser_url
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        floor = Floor(connection)

        async def ours(number: int) -> None:
            answers.append(await ask(engine, given, asked[number]))

        async def bare(number: int) -> None:
            await floor.ask(asked[-1 - number])

        seconds = await alternate({"ours": ours, "floor": bare}, tries, warm)
    shares = [await recall_at_20(engine, given, q) for q in asked[:tries]]
    return {
        "p50_ms": p50_ms(seconds["ours"]),
        "p99_ms": p99_ms(seconds["ours"]),
        "floor_p50_ms": p50_ms(seconds["floor"]),
        "ratio_to_floor": round(p50_ms(seconds["ours"]) / p50_ms(seconds["floor"]), 2),
        "recall_at_20": round(fmean(shares), 4),
        "empty_rate": sum(not a.memories for a in answers) / len(answers),
    }
