"""Vectors that could not be made at first are made later, and only of what a memory still says."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from gieok.errors import ModelRateLimited
from gieok.generation.generate import generate
from gieok.retention.sweep import sweep
from gieok.types import Scope, UserId
from tests.support.meanwhile import until_it_waits
from tests.support.sweeping import hinted
from tests.support.vectors import VECTORS, memory_without_vector
from tests.support.world import World


async def places(world: World, user: UserId) -> list[tuple[bool, int]]:
    """Of each place of a user's memories: whether it counts as embedded, and its vectors."""
    found = await world.sql(
        "SELECT mc.embedded, count(v.seq) FROM memory.memory_characters mc"
        f" LEFT JOIN {VECTORS} USING (user_id, character_id, seq)"
        " WHERE mc.user_id = %s GROUP BY mc.character_id, mc.seq, mc.embedded",
        user,
    )
    return [(bool(embedded), int(count)) for embedded, count in found]


def at_embedding(world: World, act: Callable[[], Awaitable[Any]]) -> None:
    """Do something while the embedder works."""
    embed = world.embedder.embed

    async def embed_then_act(*args: Any, **kwargs: Any) -> Any:
        made = await embed(*args, **kwargs)
        await act()
        return made

    world.embedder.embed = embed_then_act  # type: ignore[method-assign]


async def test_the_sweep_finds_a_memory_without_a_vector_and_the_worker_makes_it(
    world: World,
) -> None:
    haru = await world.character()
    user = await memory_without_vector(world, haru)
    world.hints.sent.clear()
    await sweep(world.sweeper)
    assert hinted(world, user) == [Scope(user, (haru,))]
    assert await world.generate(user, haru) == ["not_due"]
    assert await places(world, user) == [(True, 1)]
    told = await world.say(user, haru, "콩이 강아지")
    assert told.meta.memory_hit_count == 1


async def test_what_was_made_good_is_not_hinted_again(world: World) -> None:
    haru = await world.character()
    user = await memory_without_vector(world, haru)
    await world.generate(user, haru)
    world.hints.sent.clear()
    await sweep(world.sweeper)
    assert hinted(world, user) == []


async def test_all_that_a_pair_lacks_is_made_in_one_call(world: World) -> None:
    haru = await world.character()
    user = await memory_without_vector(world, haru)
    world.embedder.error = ModelRateLimited("e")
    world.clock.ahead = timedelta()
    await world.talk_and_generate(user, haru, "고양이 나비")
    world.embedder.error = None
    world.clock.ahead = timedelta(hours=9)
    world.embedder.calls = 0
    assert await world.generate(user, haru) == ["not_due"]
    assert world.embedder.calls == 1
    assert await places(world, user) == [(True, 1), (True, 1)]


async def test_an_embedder_that_stays_down_is_asked_less_and_less(world: World) -> None:
    haru = await world.character()
    user = await memory_without_vector(world, haru)
    world.embedder.error = ModelRateLimited("e")
    world.embedder.calls = 0
    for number, minutes in enumerate((2, 10, 50, 250), 1):
        for _ in range(3):
            assert await world.generate(user, haru) == ["not_due"]
        assert world.embedder.calls == number, "one try, then it waits"
        world.clock.ahead += timedelta(minutes=minutes)
    world.embedder.error = None
    await world.generate(user, haru)
    assert await places(world, user) == [(True, 1)]
    waits = "SELECT backfill_failures, backfill_at FROM memory.pairs WHERE user_id = %s"
    assert await world.sql(waits, user) == [(0, None)]


async def test_the_sweep_does_not_hint_a_pair_whose_next_try_is_not_due(world: World) -> None:
    haru = await world.character()
    user = await memory_without_vector(world, haru)
    world.embedder.error = ModelRateLimited("e")
    await world.generate(user, haru)
    world.hints.sent.clear()
    await sweep(world.sweeper)
    assert hinted(world, user) == []


async def test_a_memory_edited_meanwhile_gets_no_vector_of_its_old_text(world: World) -> None:
    haru = await world.character()
    user = await memory_without_vector(world, haru)
    edit = "UPDATE memory.memories SET version = version + 1 WHERE user_id = %s"
    at_embedding(world, lambda: world.sql(edit, user))
    await world.generate(user, haru)
    assert await places(world, user) == [(False, 0)]


@pytest.mark.parametrize(
    ("change", "left"),
    [("invalidated_at = now()", []), ("muted_at = now()", [("test-1",)])],
    ids=["invalidated", "muted"],
)
async def test_what_is_taken_out_of_recall_meanwhile_stays_out(
    world: World, change: str, left: list[tuple[str]]
) -> None:
    haru = await world.character()
    user = await memory_without_vector(world, haru)
    statement = f"UPDATE memory.memories SET {change} WHERE user_id = %s"
    at_embedding(world, lambda: world.sql(statement, user))
    await world.generate(user, haru)
    assert await world.sql(f"SELECT model FROM {VECTORS} WHERE user_id = %s", user) == left


@pytest.mark.parametrize(
    ("change", "left"),
    [("version = version + 1", []), ("muted_at = now()", [("test-1",)])],
    ids=["edited", "muted"],
)
async def test_a_change_that_is_about_to_be_committed_comes_first(
    world: World, change: str, left: list[tuple[str]]
) -> None:
    haru = await world.character()
    user = await memory_without_vector(world, haru)
    async with await psycopg.AsyncConnection.connect(world.admin_url) as changing:
        statement = f"UPDATE memory.memories SET {change} WHERE user_id = %s"
        await changing.execute(statement.encode(), (user,))
        backfilling = asyncio.create_task(world.generate(user, haru))
        await until_it_waits(world, backfilling)
        await changing.commit()
    await backfilling
    assert await world.sql(f"SELECT model FROM {VECTORS} WHERE user_id = %s", user) == left


async def test_a_shared_memory_gets_its_vector_in_each_relationship(world: World) -> None:
    haru, bada = await world.character("하루"), await world.character("바다")
    user = await memory_without_vector(world, *sorted((haru, bada)))
    world.hints.sent.clear()
    await sweep(world.sweeper)
    assert set(hinted(world, user)) == {Scope(user, (haru,)), Scope(user, (bada,))}
    await world.generate(user, bada)
    assert await places(world, user) == [(True, 1), (True, 1)]


async def test_what_one_batch_cannot_hold_is_asked_for_again_at_once(world: World) -> None:
    haru = await world.character()
    user = await memory_without_vector(world, haru)
    await world.sql("UPDATE memory.pairs SET backfill_at = NULL WHERE user_id = %s", user)
    world.embedder.error = ModelRateLimited("e")
    world.clock.ahead = timedelta()
    await world.say(user, haru, "고양이 나비")
    world.clock.ahead = timedelta(hours=3)
    policy = world.worker.policy
    one = replace(policy, generation=replace(policy.generation, backfill_batch=1))
    worker, scope = replace(world.worker, policy=one), Scope(user, (haru,))
    assert await generate(worker, scope) == ["written", "not_due"]
    world.embedder.error = None
    world.clock.ahead = timedelta(hours=9)
    world.hints.sent.clear()
    await generate(worker, scope)
    assert world.hints.sent == [(scope, 0)]
    await generate(worker, scope)
    assert await places(world, user) == [(True, 1), (True, 1)]
