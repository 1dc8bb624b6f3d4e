"""A database of its own, on which the embedding model is replaced."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

import pytest_asyncio

from gieok.calls import Embeddings, ModelChoice, Purpose
from gieok.errors import ModelBlocked
from gieok.indexing.embedding import Patience
from gieok.operations.reembed import Operation
from gieok.providers.router import Models
from gieok.store import reembedding
from gieok.store.database import Database
from gieok.types import UserId
from tests.support.assignments import OLD, assign
from tests.support.speakers import Hashes
from tests.support.stack import AT_ONCE, Stack
from tests.support.world import World, somebody
from tests.support.world import world as world_on

NEW = ModelChoice("next", "next-1")


class Reversed(Hashes):
    """A model with vectors of its own, unlike those of `Hashes`; fails after `limit` calls."""

    limit = 1_000

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """See `ports.Embedder`."""
        if self.calls == self.limit:
            raise ModelBlocked(choice.model)
        made = await super().embed(texts, purpose, choice, timeout_s)
        return replace(made, vectors=tuple(v[::-1] for v in made.vectors))


@dataclass(frozen=True, slots=True)
class House:
    """A database of its own, a world on it, and the operation that replaces the model there."""

    world: World
    operation: Operation
    next_embedder: Reversed
    arguments: dict[str, object]

    async def by_model(self) -> dict[str, int]:
        """Vectors of each model."""
        counts = reembedding.count_vectors()
        return (await self.operation.operator.run(None, counts))[counts]

    async def recalls(self, user: UserId, haru: UUID) -> bool:
        """Whether the vector leg alone finds the user's one memory."""
        await self.world.sql("DELETE FROM memory.recent_postings WHERE user_id = %s", user)
        told = await self.world.say(user, haru, "강아지 콩이")
        return told.meta.recall == "ok" and told.meta.memory_hit_count == 1


@pytest_asyncio.fixture
async def house(stack: Stack, tmp_path: Path) -> AsyncIterator[House]:
    """Nobody's vectors but the test's own."""
    own = replace(stack, database=stack.services.database())
    async with world_on(**own.world_arguments(), policy=AT_ONCE) as world:
        await assign(world, OLD)
        later = Reversed()
        models = Models({"test": world.speaker}, {"test": world.embedder, "next": later})
        world.engine = replace(world.engine, models=models)
        world.worker = replace(world.worker, models=models)
        operator = Database(own.url("gieok_operator"), 1)
        operation = Operation(world.worker, operator, 2, 2, Patience(1))
        yield House(world, operation, later, own.world_arguments())
        await operator.close()


async def one_memory(house: House, haru: UUID, message: str = "강아지 콩이를 입양했어") -> UserId:
    user = somebody()
    await house.world.talk_and_generate(user, haru, message)
    return user


async def assigned(house: House) -> tuple[str, str | None]:
    """The assigned model and the next one."""
    (row,) = await house.world.sql(
        "SELECT model, next_model FROM ops.llm_task_assignments WHERE task = 'EMBEDDING'"
    )
    return row[0], row[1]
