"""No branch of recall returns anything but live memories of exactly its scope.

Row-level security is out of the way (a superuser asks) and all users have the same digests of the
same words, so that only the query's own conditions keep them apart.
"""

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.calls import Embeddings, ModelChoice
from gieok.engine import Engine
from gieok.ids import new_id
from gieok.indexing import keywords
from gieok.policy import RecallPolicy
from gieok.privacy.cells import seal_details, summary_cell
from gieok.privacy.cipher import UserCipher, derive_index_key
from gieok.recall import recall
from gieok.recall.prepare import Prepared
from gieok.store.database import Database, Query
from gieok.store.windows import Fence, SealedWindow, open_fences, save_memory
from gieok.types import Scope, UserId
from tests.support.examples import examples
from tests.support.speakers import Hashes
from tests.support.stack import Stack, world_in
from tests.support.world import VECTOR_WIDTH, World, somebody

State = Literal["live", "pinned", "muted", "invalidated", "deleted"]
FORGOTTEN: tuple[State, ...] = ("muted", "invalidated", "deleted")
CHANGES: dict[State, str] = {
    "pinned": "UPDATE memory.memories SET pinned_at = now() WHERE id = ANY (%s)",
    "muted": "UPDATE memory.memories SET muted_at = now() WHERE id = ANY (%s)",
    "invalidated": "UPDATE memory.memories SET invalidated_at = now() WHERE id = ANY (%s)",
    "deleted": "DELETE FROM memory.memories WHERE id = ANY (%s)",
}
ONE_KEY = derive_index_key(bytes(32))
MODEL = ModelChoice("test", "test-1")
CASTS = (0,), (1,), (0, 1)
QUESTIONS = "콩이 산책 위스키", "콩이", "???!"
"""The last one has no keyword."""


@dataclass(frozen=True)
class Kept:
    """A memory: whose, with whom, of what, and what became of it."""

    user: int
    cast: int
    words: str
    importance: int
    embedded: bool
    state: State


kept = st.builds(
    Kept,
    user=st.integers(0, 2),
    cast=st.integers(0, 2),
    words=st.sampled_from(["콩이 산책", "산책", "위스키", "제주도 콩이"]),
    importance=st.integers(1, 10),
    embedded=st.booleans(),
    state=st.sampled_from(["live", "live", "pinned", *FORGOTTEN]),
)
policies = st.builds(
    RecallPolicy, overfetch=st.sampled_from([1, 2, 20]), reserved=st.sampled_from([0, 2, 12])
)


class Small:
    """Three users of the same two characters."""

    def __init__(self, world: World, engine: Engine, characters: tuple[UUID, UUID]) -> None:
        self.world, self.engine, self.characters = world, engine, characters
        self.users: list[tuple[UserId, UserCipher]] = []
        for number in range(3):
            user = somebody()
            cipher = UserCipher(user, bytes([number]) * 32)
            cipher.index_key = ONE_KEY
            self.users.append((user, cipher))

    def scope(self, user: int, cast: int) -> Scope:
        """One of the users with one of the casts."""
        members = (self.characters[i] for i in CASTS[cast])
        return Scope(self.users[user][0], tuple(sorted(members)))

    async def make(self, memories: dict[UUID, Kept]) -> None:
        """Store the memories as the worker does, then let become of each what became of it."""
        written = dict.fromkeys(((u, c) for u in range(3) for c in range(3)), 0)
        for number in range(3):
            batch: list[Query[object]] = []
            for memory_id, memory in memories.items():
                if memory.user != number:
                    continue
                place = (number, memory.cast)
                scope, fence = self.scope(*place), Fence(written[place], 0, None)
                window = await self._window(memory_id, memory, 1 + written[place])
                batch += open_fences(scope), save_memory(scope, fence, window, VECTOR_WIDTH)
                written[place] += 1
            if batch:
                await self.engine.database.run(self.users[number][0], *batch)
        for state, change in CHANGES.items():
            chosen = [i for i, m in memories.items() if m.state == state]
            if chosen:
                await self.world.sql(change, chosen)

    async def _window(self, memory_id: UUID, memory: Kept, position: int) -> SealedWindow:
        _, cipher = self.users[memory.user]
        embedded = await _embedded(memory.words)
        text = f"{memory.words} {memory_id.hex}"  # no two say the same
        return SealedWindow(
            memory_id=memory_id,
            first_position=position,
            last_position=position,
            session_ids=(),
            summary=cipher.seal(summary_cell(memory_id), text),
            details=seal_details(cipher, memory_id, ()),
            importance=memory.importance,
            digests=keywords.index_terms(memory.words.split(), ONE_KEY),
            vectors={embedded.model: embedded.vectors[0]} if memory.embedded else {},
            extractor="x",
            prompt_version="1",
            began_at=datetime.now(UTC),
            happened_at=datetime.now(UTC),
        )

    async def recalled(self, scope: Scope, question: str, *, vector: bool) -> set[UUID]:
        """What the product's recall gives; without a vector as when the embedder failed."""
        cipher = next(c for u, c in self.users if u == scope.user_id)
        embedded = await _embedded(question) if vector else None
        query = recall.query_for(self.engine, scope, cipher, Prepared(question, embedded))
        got = await self.engine.database.run(scope.user_id, query)
        found = recall.conclude(cipher, got[query], embedded, RecallPolicy(limit=100))
        assert found.dropped == 0, "another user's"
        return {r.memory.id for r in found.memories}


async def _embedded(text: str) -> Embeddings:
    return await Hashes().embed([text], "document", MODEL, 1)


async def check(small: Small, memories: dict[UUID, Kept], policy: RecallPolicy) -> None:
    """Every user, every cast, every branch."""
    await small.make(memories)
    small.engine = replace(small.engine, policy=replace(small.engine.policy, recall=policy))
    for user, cast in ((u, c) for u in range(3) for c in range(3)):
        mine = {
            i
            for i, m in memories.items()
            if m.user == user and set(CASTS[m.cast]) & set(CASTS[cast]) and m.state not in FORGOTTEN
        }
        for question in QUESTIONS:
            for vector in (True, False):
                found = await small.recalled(small.scope(user, cast), question, vector=vector)
                assert found <= mine, (question, vector)
                if not vector:
                    assert found == mine, "the newest stand in, and there are few"


def test_recall_stays_inside_its_scope_on_every_branch(stack: Stack) -> None:
    with asyncio.Runner() as runner, world_in(runner, stack) as world:
        database = Database(stack.database.superuser_url, 1)
        engine = replace(world.engine, database=database)
        characters = runner.run(world.character()), runner.run(world.character("바다"))

        @settings(max_examples=examples(25))
        @given(st.lists(kept, max_size=9), policies)
        def every_branch(memories: list[Kept], policy: RecallPolicy) -> None:
            made = {new_id(): m for m in memories}
            runner.run(check(Small(world, engine, characters), made, policy))

        try:
            every_branch()
        finally:
            runner.run(database.close())
