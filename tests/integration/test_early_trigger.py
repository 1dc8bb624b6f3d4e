"""When a window is pulled forward, and where its dates are read: a worker with stated decisions."""

import json
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from gieok.engine import Engine
from gieok.generation.generate import generate
from gieok.generation.outcome import Outcome
from gieok.types import Scope, UserId
from tests.support.conversation import summaries, talk
from tests.support.passing_time import PassingTime
from tests.support.world import World, somebody

SAID = ("안녕", "이름은 콩이로 하자", "오늘 날씨 좋다", "그치?")


async def told(world: World, *messages: str) -> tuple[UserId, UUID]:
    """A user who said all of this in one session; the last exchange may still change."""
    haru, user = await world.character(), somebody()
    session = None
    for message in messages:
        session = (await world.say(user, haru, message, session)).session_id
    return user, haru


async def generate_early(world: World, user: UserId, haru: UUID) -> list[Outcome]:
    """What a worker does whose policy has the early trigger."""
    return await generate(with_early_trigger(world.worker), Scope(user, (haru,)))


def with_early_trigger(engine: Engine) -> Engine:
    """The same where statements pull windows forward."""
    early = replace(engine.policy.generation, early_trigger=True)
    return replace(engine, policy=replace(engine.policy, generation=early))


async def test_a_decision_makes_a_window_of_three_due(world: World) -> None:
    user, haru = await told(world, *SAID)
    assert await world.generate(user, haru) == ["not_due"], "the companion's policy waits"
    assert await generate_early(world, user, haru) == ["written", "not_due"]


async def test_small_talk_makes_nothing_due(world: World) -> None:
    user, haru = await told(world, "안녕", "오늘 날씨 좋다", "산책 갔다 왔어", "그치?")
    assert await generate_early(world, user, haru) == ["not_due"]


async def test_two_messages_are_too_few_even_with_a_decision(world: World) -> None:
    user, haru = await told(world, *SAID[1:])
    assert await generate_early(world, user, haru) == ["not_due"]


async def test_the_turn_after_a_window_pulls_no_other_one_forward(world: World) -> None:
    user, haru = await told(world, *SAID)
    await generate_early(world, user, haru)
    await world.say(user, haru, "앞으로는 반말로 해 줘")
    world.clock.ahead = timedelta(minutes=3)
    assert await generate_early(world, user, haru) == ["not_due"]


async def test_dates_are_read_in_the_zone_of_the_users_clock(world: World) -> None:
    user, haru = await told(world, "내일 만나")
    await world.sql("UPDATE chat.turns SET time_zone = 'America/New_York' WHERE user_id = %s", user)
    world.clock.ahead = timedelta(hours=3)
    await world.generate(user, haru)
    shown = json.loads(world.speaker.extractions[-1].payload)
    assert shown["time_zone"] == "America/New_York"
    assert shown["messages"][0]["at"].endswith(("-05:00", "-04:00"))


async def test_what_was_said_before_a_journey_keeps_the_zone_it_was_said_in(world: World) -> None:
    user, haru = await told(world, "오늘 출국해", "오늘 도착했어")
    await world.sql(
        "UPDATE chat.turns SET time_zone = 'America/New_York' WHERE user_id = %s AND position ="
        " (SELECT max(position) FROM chat.turns WHERE user_id = %s)",
        user,
        user,
    )
    world.clock.ahead = timedelta(hours=3)
    await world.generate(user, haru)
    shown = json.loads(world.speaker.extractions[-1].payload)["messages"]
    seoul, new_york = shown[:2], shown[2:]
    assert {m["at"][-6:] for m in seoul} == {"+09:00"}
    assert {m["at"][-6:] for m in new_york} <= {"-05:00", "-04:00"}


async def test_where_the_zone_is_not_known_the_policys_is_used(world: World) -> None:
    user, haru = await told(world, "내일 만나")
    await world.sql("UPDATE chat.turns SET time_zone = NULL WHERE user_id = %s", user)
    world.clock.ahead = timedelta(hours=3)
    await world.generate(user, haru)
    assert json.loads(world.speaker.extractions[-1].payload)["time_zone"] == "Asia/Seoul"


async def test_the_zone_of_a_turn_is_kept_with_it(world: World) -> None:
    user, _ = await told(world, "안녕")
    zones = await world.sql("SELECT time_zone FROM chat.turns WHERE user_id = %s", user)
    assert zones == [("Asia/Seoul",)]


async def test_forty_turns_that_never_held_a_message_hold_nothing_back(world: World) -> None:
    user, haru = await told(world, *(str(n) for n in range(42)))
    await world.sql(
        "DELETE FROM chat.messages WHERE turn_id IN (SELECT id FROM chat.turns"
        " WHERE user_id = %s ORDER BY position LIMIT 41)",
        user,
    )
    world.clock.ahead = timedelta(hours=3)
    assert await world.generate(user, haru) == ["written", "not_due"]


@pytest.mark.parametrize("place", [0, 1, 2])
async def test_a_statement_is_remembered_early_wherever_it_stands(world: World, place: int) -> None:
    world.engine, world.worker = map(with_early_trigger, (world.engine, world.worker))
    haru, user = await world.character(), somebody()
    time, said = PassingTime(world, user), ["안녕", "오늘 날씨 좋다", "산책 갔다 왔어"]
    said[place] = "이름은 콩이로 하자"
    await talk(world, user, haru, *said)
    await time.go_on(150)
    assert await summaries(world, user, haru) == [" ".join(said)]


async def test_small_talk_waits_for_its_fifth_message_however_often_it_is_looked_at(
    world: World,
) -> None:
    world.engine, world.worker = map(with_early_trigger, (world.engine, world.worker))
    haru, user = await world.character(), somebody()
    time = PassingTime(world, user)
    session = await talk(world, user, haru, "안녕", "오늘 날씨 좋다", "산책 갔다 왔어", "그치?")
    await time.go_on(300)
    assert await summaries(world, user, haru) == []
    await world.say(user, haru, "응", session)
    await time.go_on(150)
    assert len(await summaries(world, user, haru)) == 1


async def test_the_third_turn_of_a_window_hints_where_the_policy_has_it(world: World) -> None:
    for engine, hints in ((world.engine, 0), (with_early_trigger(world.engine), 1)):
        world.engine = engine
        world.hints.sent.clear()
        await told(world, "안녕", "오늘 날씨 좋다", "이름은 콩이로 하자")
        assert len(world.hints.sent) == hints
