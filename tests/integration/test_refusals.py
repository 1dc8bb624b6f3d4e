"""A text that the embedder refuses blocks no other one: it is counted, and found by its words."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from gieok.calls import Embeddings, ModelChoice, Purpose
from gieok.errors import ModelBlocked, ModelError, ModelMalformed, ModelRateLimited, ModelRejected
from gieok.generation.generate import generate
from gieok.indexing.embedding import Patience
from gieok.memories.amend import Amendment, amend_memory
from gieok.memories.read import list_memories
from gieok.operations import reembed as reembed_module
from gieok.operations.progress_bar import ProgressBar
from gieok.operations.reembed import reembed, status
from gieok.retention.sweep import sweep
from gieok.store.reembedding import start_reembedding
from gieok.types import Scope, UserId
from tests.support.reembedding import NEW, House, assigned, one_memory
from tests.support.speakers import Hashes
from tests.support.sweeping import hinted
from tests.support.vectors import VECTORS, memory_without_vector
from tests.support.world import World


class Refusing:
    """Makes an embedder refuse whatever holds a word, or everything."""

    def __init__(self, embedder: Hashes, word: str, error: ModelError) -> None:
        self.word, self.error, self._embed = word, error, embedder.embed
        embedder.embed = self.embed  # type: ignore[method-assign]

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """See `ports.Embedder`."""
        if any(self.word in text for text in texts):
            raise self.error
        return await self._embed(texts, purpose, choice, timeout_s)


async def places(world: World, user: UserId) -> list[tuple[bool, int]]:
    """Oldest memory first: whether it waits for nothing, and its vectors."""
    return await world.sql(
        "SELECT mc.embedded, count(v.seq) FROM memory.memory_characters mc"
        f" LEFT JOIN {VECTORS} USING (user_id, character_id, seq)"
        " WHERE user_id = %s GROUP BY mc.seq, mc.embedded ORDER BY mc.seq",
        user,
    )


async def memories_without_vectors(world: World, *messages: str) -> tuple[UserId, UUID]:
    """A user with memories that had no vector at first."""
    haru = await world.character()
    user = await memory_without_vector(world, haru, message=messages[0])
    world.embedder.error = ModelRateLimited("e")
    for message in messages[1:]:
        world.clock.ahead = timedelta()
        await world.talk_and_generate(user, haru, message)
    world.embedder.error = None
    world.clock.ahead = timedelta(hours=30)
    return user, haru


@pytest.mark.parametrize("error", [ModelBlocked("e"), ModelRejected("e"), ModelMalformed("e")])
async def test_the_others_get_their_vectors_and_nobody_is_hinted_for_ever(
    world: World, error: ModelError
) -> None:
    user, haru = await memories_without_vectors(world, "독약 고양이", "산책", "위스키")
    Refusing(world.embedder, "독약", error)
    assert await world.generate(user, haru) == ["not_due"]
    assert await places(world, user) == [(True, 0), (True, 1), (True, 1)]
    world.hints.sent.clear()
    await sweep(world.sweeper)
    assert hinted(world, user) == []
    world.clock.ahead = timedelta()
    told = await world.say(user, haru, "고양이 기억나?")
    assert told.meta.recall == "ok", "nothing is missing that is to come"
    assert told.meta.memory_hit_count >= 1
    found = await list_memories(world.engine, user, haru, None, None, 9)
    assert len(found.items) == 3


async def test_refused_texts_do_not_stand_before_newer_ones(world: World) -> None:
    user, haru = await memories_without_vectors(world, "독약 하나", "독약 둘", "독약 셋", "산책")
    Refusing(world.embedder, "독약", ModelBlocked("e"))
    policy = world.worker.policy
    two = replace(policy, generation=replace(policy.generation, backfill_batch=2))
    worker = replace(world.worker, policy=two)
    for _ in range(2):
        await generate(worker, Scope(user, (haru,)))
    assert await places(world, user) == [(True, 0)] * 3 + [(True, 1)]


async def test_an_edit_of_a_refused_memory_is_embedded(world: World) -> None:
    user, haru = await memories_without_vectors(world, "독약 고양이")
    Refusing(world.embedder, "독약", ModelBlocked("e"))
    await world.generate(user, haru)
    (memory,) = (await list_memories(world.engine, user, haru, None, None, 9)).items
    await amend_memory(world.engine, user, memory.id, Amendment(summary="약초 이야기"))
    assert await places(world, user) == [(True, 1)]
    await amend_memory(world.engine, user, memory.id, Amendment(summary="독약 또 이야기"))
    assert await places(world, user) == [(False, 0)]
    await world.generate(user, haru)
    assert await places(world, user) == [(True, 0)]


async def test_a_memory_that_was_edited_meanwhile_is_not_the_refused_one(world: World) -> None:
    user, haru = await memories_without_vectors(world, "독약 고양이")
    Refusing(world.embedder, "독약", ModelBlocked("e"))
    refuse = world.embedder.embed

    async def edited_then_refused(
        texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        await world.sql("UPDATE memory.memories SET version = version + 1 WHERE user_id = %s", user)
        return await refuse(texts, purpose, choice, timeout_s)

    world.embedder.embed = edited_then_refused  # type: ignore[method-assign]
    await world.generate(user, haru)
    assert await places(world, user) == [(False, 0)]


async def test_an_embedder_that_is_down_or_refuses_everything_refuses_no_memory(
    world: World,
) -> None:
    user, haru = await memories_without_vectors(world, "산책", "위스키")
    for error in (ModelRateLimited("e"), ModelBlocked("e")):
        world.embedder.error = error
        await world.generate(user, haru)
        assert await places(world, user) == [(False, 0)] * 2
        world.clock.ahead += timedelta(days=1)
    world.embedder.error = None
    await world.generate(user, haru)
    assert await places(world, user) == [(True, 1)] * 2


@pytest.mark.parametrize("error", [ModelBlocked("n"), ModelRejected("n"), ModelMalformed("n")])
async def test_one_refused_text_does_not_hold_up_the_next_model(
    house: House, error: ModelError
) -> None:
    haru = await house.world.character()
    users = [
        await one_memory(house, haru, text) for text in ("독약 고양이", "강아지 콩이", "위스키")
    ]
    Refusing(house.next_embedder, "독약", error)
    operation = replace(house.operation, patience=Patience(1, (), 60))
    await reembed(operation, NEW)
    assert await assigned(house) == ("next-1", None)
    assert await house.by_model() == {"next-1": 2}
    assert await house.recalls(users[1], haru)
    said = "1 of 3 live memories lack next-1, which refuses the text of 1 of them"
    assert said in await status(operation.operator)
    await sweep(house.world.sweeper)
    assert hinted(house.world, users[0]) == [], "it waits for nothing"
    told = await house.world.say(users[0], haru, "고양이")
    assert (told.meta.recall, told.meta.memory_hit_count) == ("ok", 1)


async def test_a_refused_memory_has_another_chance_when_the_model_is_named_again(
    house: House,
) -> None:
    haru = await house.world.character()
    await one_memory(house, haru, "독약")
    refusing = Refusing(house.next_embedder, "독약", ModelBlocked("n"))
    operation = replace(house.operation, patience=Patience(1, (), 60))
    await reembed(operation, NEW)
    assert await house.by_model() == {}
    refusing.word = "아무것도"
    await reembed(operation, NEW)
    assert await house.by_model() == {"next-1": 1}
    assert "refuses" not in await status(operation.operator)


async def test_a_model_that_refuses_every_memory_and_more_never_takes_over(house: House) -> None:
    haru = await house.world.character()
    await one_memory(house, haru, "산책")
    await house.operation.operator.run(None, start_reembedding(NEW))
    operation = replace(house.operation, patience=Patience(1, (), 60))
    Refusing(house.next_embedder, "", ModelBlocked("n"))
    for _ in range(2):
        with pytest.raises(ModelError, match="run again"):
            await reembed_module._fill_and_switch(operation, NEW)
    assert await assigned(house) == ("test-1", "next-1")
    assert await house.by_model() == {"test-1": 1}


async def test_a_bar_of_nothing_is_full(capsys: pytest.CaptureFixture[str]) -> None:
    """Everything that lacked a vector was edited while it was embedded."""
    ProgressBar()("embedding memories", 0, 0)
    assert "0 of 0" in capsys.readouterr().err
