"""The database ranks as the plain rules say, whatever is remembered and asked."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from gieok.engine import Engine
from gieok.ids import new_id
from gieok.indexing import keywords
from gieok.policy import PLAIN_RRF, SOURCE, RecallPolicy
from gieok.privacy.cipher import derive_index_key
from gieok.store.database import Database, Query
from gieok.store.memories import recall_memories
from gieok.store.windows import BRIEF, Fence, SealedWindow, open_fences, save_memory
from gieok.types import Scope
from tests.property.recall_oracle import Remembered, recalled
from tests.support.stack import Stack, world_in
from tests.support.world import VECTOR_WIDTH, somebody

KEY = derive_index_key(bytes(32))
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
WORDS = "콩이", "산책", "위스키", "제주도", "생일", "한시우"
MANY_WORDS = tuple(f"w{n}" for n in range(BRIEF + 1))

some_words = st.lists(st.sampled_from(WORDS), max_size=3, unique=True).map(tuple)
remembered = st.builds(
    Remembered,
    angle=st.integers(0, 17).map(lambda tens: tens * 10),
    words=st.one_of(some_words, some_words, some_words.map(lambda some: (*some, *MANY_WORDS))),
    importance=st.integers(1, 10),
    happened_at=st.integers(0, 6).map(lambda hours: NOON + timedelta(hours=hours)),
    pinned=st.booleans(),
    live=st.sampled_from([True, True, True, False]),
)
policies = st.builds(
    replace,
    st.sampled_from([RecallPolicy(), PLAIN_RRF, SOURCE]),
    limit=st.integers(1, 6),
    overfetch=st.integers(1, 8),
    reserved=st.integers(0, 1),
    decay_floor=st.sampled_from([0.3, 1.0]),
    half_life=st.sampled_from([2.0, 40.0]),
)
# Nearer to one memory than to its neighbour, by more than half precision rounds.
angles = st.one_of(st.none(), st.integers(0, 17).map(lambda tens: tens * 10 + 3))
questions = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)


def vector(angle: int) -> tuple[float, ...]:
    """A unit vector of two dimensions."""
    return math.cos(math.radians(angle)), math.sin(math.radians(angle))


async def learn(engine: Engine, scope: Scope, memories: list[Remembered]) -> list[UUID]:
    """Store the memories as the worker does; mute those that are not live."""
    ids = [new_id() for _ in memories]
    batch: list[Query[object]] = [open_fences(scope)]
    for place, (memory_id, memory) in enumerate(zip(ids, memories, strict=True)):
        window = SealedWindow(
            memory_id=memory_id,
            first_position=place + 1,
            last_position=place + 1,
            session_ids=(),
            summary=b"s",
            details=b"d",
            importance=memory.importance,
            digests=keywords.index_terms(memory.words, KEY),
            vectors={"m": vector(memory.angle)},
            extractor="x",
            prompt_version="1",
            began_at=memory.happened_at,
            happened_at=memory.happened_at,
        )
        batch.append(save_memory(scope, Fence(place), window, VECTOR_WIDTH))
    await engine.database.run(scope.user_id, *batch)
    return ids


async def check(
    world_sql: Callable[..., Awaitable[object]],
    engine: Engine,
    memories: list[Remembered],
    question: str,
    angle: int | None,
    policy: RecallPolicy,
) -> None:
    scope = Scope(somebody(), (new_id(),))
    ids = await learn(engine, scope, memories)
    for mark, wanted in (
        ("pinned_at", [i for i, m in zip(ids, memories, strict=True) if m.pinned]),
        ("muted_at", [i for i, m in zip(ids, memories, strict=True) if not m.live]),
    ):
        await world_sql(f"UPDATE memory.memories SET {mark} = now() WHERE id = ANY (%s)", wanted)
    asked = keywords.asked_pieces(question, policy.query_terms)
    query = recall_memories(
        scope,
        None if angle is None else vector(angle),
        "m",
        VECTOR_WIDTH,
        keywords.query_digests(question, KEY, policy.query_terms),
        policy,
    )
    found = (await engine.database.run(scope.user_id, query))[query]
    expected = recalled(memories, asked, angle, policy)
    assert [(ids.index(f.memory.id), f.why.slot) for f in found] == expected


def test_the_database_ranks_as_the_plain_rules_say(stack: Stack) -> None:
    with asyncio.Runner() as runner, world_in(runner, stack) as world:
        database = Database(stack.database.superuser_url, 1)
        engine = replace(world.engine, database=database)

        @given(
            st.lists(remembered, min_size=1, max_size=10, unique_by=lambda m: m.angle),
            questions,
            angles,
            policies,
        )
        def any_question(
            memories: list[Remembered], question: str, angle: int | None, policy: RecallPolicy
        ) -> None:
            runner.run(check(world.sql, engine, memories, question, angle, policy))

        any_question()
        runner.run(database.close())
