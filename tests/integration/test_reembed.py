"""Replacing the embedding model: recall is whole before, during and after, and nothing is lost."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from gieok.calls import Embeddings, ModelChoice, Usage
from gieok.errors import Misconfigured, ModelError, ModelRateLimited
from gieok.operations.reembed import abort, clean, reembed, status
from gieok.retention.sweep import sweep
from gieok.store import reembedding
from tests.support.assignments import assign
from tests.support.reembedding import NEW, House, assigned, one_memory
from tests.support.sweeping import hinted
from tests.support.vectors import VECTORS
from tests.support.world import VECTOR_WIDTH, somebody


async def test_every_memory_moves_and_the_old_vectors_go(house: House) -> None:
    haru = await house.world.character()
    users = [await one_memory(house, haru) for _ in range(5)]
    await reembed(house.operation, NEW)
    assert await assigned(house) == ("next-1", None)
    assert await house.by_model() == {"next-1": 5}
    assert [await house.recalls(user, haru) for user in users] == [True] * 5


async def test_recall_is_whole_at_every_stage(house: House) -> None:
    """Stopped after each embedding, as if the operator had given up there, and started again."""
    haru = await house.world.character()
    users = [await one_memory(house, haru) for _ in range(6)]
    stages = set()
    for _ in users:
        house.next_embedder.calls, house.next_embedder.limit = 0, 2  # to try it, and one memory
        with suppress(ModelError):
            await reembed(house.operation, NEW)
        house.next_embedder.limit = 1_000
        assert [await house.recalls(user, haru) for user in users] == [True] * 6
        stages.add((*await assigned(house), (await house.by_model()).get("next-1", 0)))
    assert len(stages) >= 3
    assert ("next-1", None, 6) in stages


async def test_what_is_written_meanwhile_has_both_vectors(house: House) -> None:
    haru = await house.world.character()
    await one_memory(house, haru)
    await house.operation.operator.run(None, reembedding.start_reembedding(NEW))
    during = await one_memory(house, haru)
    found = await house.world.sql(
        f"SELECT model FROM {VECTORS} WHERE user_id = %s ORDER BY model", during
    )
    assert found == [("next-1",), ("test-1",)]
    assert await house.recalls(during, haru)


async def test_what_the_next_model_missed_meanwhile_is_made_before_the_switch(
    house: House,
) -> None:
    haru = await house.world.character()
    await house.operation.operator.run(None, reembedding.start_reembedding(NEW))
    house.next_embedder.error = ModelRateLimited("next-1")
    user = await one_memory(house, haru)
    flags = "SELECT embedded FROM memory.memory_characters WHERE user_id = %s"
    assert await house.world.sql(flags, user) == [(True,)], "the assigned model has made its own"
    house.next_embedder.error = None
    await reembed(house.operation, NEW)
    assert await house.recalls(user, haru)


async def test_a_worker_that_still_knows_the_old_model_only_leaves_nothing_behind(
    house: House,
) -> None:
    """It read the assignments before the next model was named and writes after the switch."""
    world, haru = house.world, await house.world.character()
    user = somebody()
    await world.say(user, haru, "강아지 콩이")
    world.clock.ahead = timedelta(hours=3)
    going_on, reached = asyncio.Event(), asyncio.Event()
    embed = world.embedder.embed

    async def slow(*args: object, **kwargs: object) -> Embeddings:
        reached.set()
        await going_on.wait()
        return await embed(*args, **kwargs)  # type: ignore[arg-type]

    world.embedder.embed = slow  # type: ignore[method-assign]
    working = asyncio.create_task(world.generate(user, haru))
    await reached.wait()
    await reembed(house.operation, NEW)
    going_on.set()
    assert await working == ["written", "not_due"]
    await sweep(world.sweeper)
    assert hinted(world, user), "it has no vector that counts"
    await world.generate(user, haru)
    world.clock.ahead = timedelta()
    assert await house.recalls(user, haru)
    await clean(house.operation)
    assert await house.by_model() == {"next-1": 1}


async def test_the_next_model_waits_for_every_live_memory(house: House) -> None:
    haru, operator = await house.world.character(), house.operation.operator
    user = await one_memory(house, haru)
    await operator.run(None, reembedding.start_reembedding(NEW))
    switch = reembedding.switch_embedding_model("next-1", 0)
    await operator.run(None, reembedding.lock_embedding_model(), switch)
    assert await assigned(house) == ("test-1", "next-1")
    await house.world.sql("UPDATE memory.memories SET muted_at = now() WHERE user_id = %s", user)
    await operator.run(None, reembedding.lock_embedding_model(), switch)
    assert await assigned(house) == ("next-1", None)


async def test_a_muted_memory_gets_its_vector_when_it_is_heard_again(house: House) -> None:
    world, haru = house.world, await house.world.character()
    user = await one_memory(house, haru)
    await world.sql("UPDATE memory.memories SET muted_at = now() WHERE user_id = %s", user)
    await reembed(house.operation, NEW)
    await world.sql("UPDATE memory.memories SET muted_at = NULL WHERE user_id = %s", user)
    await sweep(world.sweeper)
    assert hinted(world, user)
    await world.generate(user, haru)
    assert await house.recalls(user, haru)


async def test_what_cannot_be_decrypted_does_not_hold_back_the_rest(house: House) -> None:
    haru = await house.world.character()
    damaged, whole = await one_memory(house, haru), await one_memory(house, haru)
    await house.world.sql(
        "UPDATE memory.memories SET summary = 'damaged' WHERE user_id = %s", damaged
    )
    await reembed(house.operation, NEW)
    assert await assigned(house) == ("next-1", None)
    assert await house.recalls(whole, haru)


async def test_aborting_leaves_everything_as_it_was(house: House) -> None:
    haru = await house.world.character()
    users = [await one_memory(house, haru) for _ in range(3)]
    house.next_embedder.limit = 2
    with pytest.raises(ModelError):
        await reembed(house.operation, NEW)
    await abort(house.operation)
    assert await assigned(house) == ("test-1", None)
    assert await house.by_model() == {"test-1": 3}
    assert [await house.recalls(user, haru) for user in users] == [True] * 3


async def test_a_model_changed_by_hand_is_made_good_by_naming_it_again(house: House) -> None:
    haru = await house.world.character()
    user = await one_memory(house, haru)
    await assign(house.world, NEW)
    meta = (await house.world.say(user, haru, "강아지 콩이")).meta
    assert (meta.recall, meta.recall_reason) == ("degraded", "vectors_missing")
    await reembed(house.operation, NEW)
    assert await house.recalls(user, haru)
    assert await house.by_model() == {"next-1": 1}


async def test_two_replacements_at_once_are_refused(house: House) -> None:
    await house.operation.operator.run(None, reembedding.start_reembedding(NEW))
    with pytest.raises(Misconfigured, match="--abort"):
        await reembed(house.operation, ModelChoice("next", "next-2"))


async def test_a_model_that_does_not_fit_or_answer_is_refused_before_anything_changes(
    house: House,
) -> None:
    async def wide(*args: object, **kwargs: object) -> Embeddings:
        return Embeddings(((1.0, *[0.0] * VECTOR_WIDTH),), Usage(), "next-1")

    house.next_embedder.embed = wide  # type: ignore[method-assign]
    with pytest.raises(ModelError, match="wider"):
        await reembed(house.operation, NEW)
    with pytest.raises(ModelError, match="not configured"):
        await reembed(house.operation, ModelChoice("nobody", "m"))
    assert await assigned(house) == ("test-1", None)


async def test_the_status_says_where_things_stand(house: House) -> None:
    haru = await house.world.character()
    await one_memory(house, haru)
    await house.operation.operator.run(None, reembedding.start_reembedding(NEW))
    assert await status(house.operation.operator) == "\n".join(
        (
            "assigned  test:test-1",
            "next      next:next-1",
            "0 of 1 live memories lack test-1",
            "1 of 1 live memories lack next-1",
            "1 vectors of test-1",
        )
    )


async def test_progress_is_told_in_memories(house: House) -> None:
    haru = await house.world.character()
    for _ in range(3):
        await one_memory(house, haru)
    told: list[tuple[str, int, int]] = []
    shown = replace(house.operation, show=lambda what, done, of: told.append((what, done, of)))
    await reembed(shown, NEW)
    assert told == [
        *(("embedding memories", n, 3) for n in (1, 2, 3)),
        *(("deleting vectors", n, 3) for n in (1, 2, 3)),
    ]


async def test_the_operators_role_can_read_no_content(house: House) -> None:
    for table, column in (
        ("memory.memories", "summary"),
        ("memory.vector_blocks", "embeddings"),
        ("memory.recent_postings", "entries"),
        ("memory.postings", "entries"),
        ("privacy.user_keys", "wrapped"),
        ("chat.messages", "body"),
    ):
        allowed = "SELECT has_column_privilege('gieok_operator', %s, %s, 'SELECT')"
        assert await house.world.sql(allowed, table, column) == [(False,)], (table, column)
