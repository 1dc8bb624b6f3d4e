"""The retention sweep on a real database: hint, expire, purge, and never too early."""

from uuid import UUID

import pytest

from gieok.retention.sweep import sweep
from gieok.types import Scope
from tests.support.sweeping import aged, hinted, left
from tests.support.world import World, somebody


@pytest.mark.parametrize(("hours", "due"), [(0.0, False), (1.9, False), (2.1, True)])
async def test_an_idle_tail_is_hinted(world: World, hours: float, due: bool) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "한마디")
    await aged(world, user, hours)
    world.hints.sent.clear()
    await sweep(world.sweeper)
    assert hinted(world, user) == ([Scope(user, (haru,))] if due else [])


async def test_an_old_message_of_a_busy_session_is_hinted(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "한마디")).session_id
    await world.sql(
        "UPDATE chat.turns SET created_at = created_at - interval '20 h 1 min' WHERE user_id = %s",
        user,
    )
    await world.say(user, haru, "한마디 더", session)
    await sweep(world.sweeper)
    assert hinted(world, user)


async def test_a_lost_hint_is_made_good(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.hints.down = True
    session = None
    for number in range(6):
        session = (await world.say(user, haru, f"{number}번째", session)).session_id
    world.hints.down = False
    await sweep(world.sweeper)
    assert hinted(world, user) == [Scope(user, (haru,))]
    assert await world.generate(user, haru) == ["written", "not_due"]


async def test_what_was_remembered_is_not_hinted_again(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "한마디")
    await aged(world, user, 5)
    world.hints.sent.clear()
    await sweep(world.sweeper)
    assert hinted(world, user) == []


async def test_a_session_past_its_time_expires_and_its_tail_is_hinted(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "한마디")).session_id
    await world.sql("UPDATE chat.sessions SET expires_at = now() WHERE id = %s", session)
    await sweep(world.sweeper)
    assert await status(world, session) == "expired"
    assert hinted(world, user)


async def status(world: World, session: UUID) -> str:
    (row,) = await world.sql("SELECT status FROM chat.sessions WHERE id = %s", session)
    return str(row[0])


async def test_raw_messages_go_at_24_hours_and_not_before(world: World) -> None:
    haru, young, old = await world.character(), somebody(), somebody()
    await world.talk_and_generate(young, haru, "아직")
    await world.talk_and_generate(old, haru, "이제")
    await aged(world, young, 23.9)
    await aged(world, old, 24.1)
    swept = await sweep(world.sweeper)
    assert await left(world, young) == (1, 2)
    assert await left(world, old) == (0, 0)
    assert swept.purged >= 1
    assert swept.lost == 0


async def test_memories_survive_the_purge_and_are_still_recalled(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "강아지 콩이 이야기")
    await aged(world, user, 30)
    await sweep(world.sweeper)
    told = await world.say(user, haru, "콩이 기억나?")
    assert told.meta.memory_hit_count == 1


async def test_a_message_that_no_window_took_goes_all_the_same_and_is_counted(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "아무도 요약하지 못한 말")
    await aged(world, user, 24.1)
    swept = await sweep(world.sweeper)
    assert swept.lost == 1
    assert await left(world, user) == (0, 0)


async def test_a_queue_that_is_down_stops_neither_expiry_nor_purge(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "한마디")
    await aged(world, user, 24.1)
    world.hints.down = True
    await sweep(world.sweeper)
    assert await left(world, user) == (0, 0)


async def test_sweeping_again_changes_nothing(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "한마디")
    await aged(world, user, 24.1)
    await sweep(world.sweeper)
    again = await sweep(world.sweeper)
    assert (again.purged, again.lost, again.expired) == (0, 0, 0)


async def test_the_sweeps_role_can_read_no_content(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "한마디")
    for table, column in (
        ("chat.messages", "body"),
        ("memory.memories", "summary"),
        ("memory.relationship_versions", "body"),
        ("memory.vector_blocks", "embeddings"),
        ("memory.recent_postings", "entries"),
        ("memory.postings", "entries"),
        ("privacy.user_keys", "wrapped"),
        ("chat.characters", "persona"),
    ):
        allowed = "SELECT has_column_privilege('gieok_retention_sweep', %s, %s, 'SELECT')"
        assert await world.sql(allowed, table, column) == [(False,)], (table, column)
