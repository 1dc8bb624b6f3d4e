"""Windows that fail: tried again later and later, parked in the end, and counted when lost."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from gieok.calls import StructuredPrompt
from gieok.errors import DatabaseUnavailable, ModelBlocked, ModelRateLimited
from gieok.generation import generate as generation
from gieok.retention.sweep import sweep
from gieok.types import Scope, UserId
from tests.support.meanwhile import before
from tests.support.parking import WAITS, fail, one_message
from tests.support.sweeping import aged, hinted, left
from tests.support.world import World, extraction, somebody


async def pair(world: World, user: UserId) -> tuple[int, timedelta | None, bool]:
    """Failures, how long until the next try, and whether the cursor moved."""
    (row,) = await world.sql(
        "SELECT failures, retry_at, greatest(covered_through, skipped_through) > 0"
        " FROM memory.pairs WHERE user_id = %s",
        user,
    )
    return row[0], row[1] - world.clock.now() if row[1] else None, row[2]


async def parked(world: World, user: UserId) -> list[tuple[str, int]]:
    """(reason, attempts) of a user's parked windows."""
    found = await world.sql(
        "SELECT reason, attempts FROM ops.parked_windows WHERE user_id = %s", user
    )
    return [(str(reason), int(attempts)) for reason, attempts in found]


async def test_a_window_is_tried_again_later_each_time_and_parked_at_its_fifth_failure(
    world: World,
) -> None:
    user, haru = await one_message(world)
    world.speaker.extract = lambda p: "[]"
    for number, wait in enumerate(WAITS, 1):
        assert await world.generate(user, haru) == ["failed"]
        failures, left_to_wait, moved = await pair(world, user)
        assert (failures, moved) == (number, False)
        assert left_to_wait
        assert abs(left_to_wait - wait) < timedelta(seconds=20)
        assert await world.generate(user, haru) == ["waiting"]
        world.clock.ahead += wait
    assert await world.generate(user, haru) == ["parked", "not_due"]
    assert await pair(world, user) == (0, None, True)
    assert await parked(world, user) == [("model_malformed: not a JSON object", 5)]
    assert await left(world, user) == (1, 2), "raw messages stay until their purge"


async def test_a_window_that_the_database_will_not_take_is_parked_and_its_cost_kept(
    world: World,
) -> None:
    user, haru = await one_message(world)

    async def refused() -> None:
        raise DatabaseUnavailable("54000")

    for wait in (*WAITS, timedelta()):
        worker = before(world.worker, "save_memory", refused)
        (outcome, *_) = await generation.generate(worker, Scope(user, (haru,)))
        world.clock.ahead += wait
    assert outcome == "parked"
    assert await parked(world, user) == [("database_unavailable: 54000", 5)]
    used = "SELECT count(*) FROM ops.usage WHERE user_id = %s AND task = 'EXTRACTION'"
    assert await world.sql(used, user) == [(5,)]


async def test_what_comes_after_a_parked_window_is_remembered(world: World) -> None:
    user, haru = await one_message(world)
    await fail(world, user, haru, 4)
    assert await world.generate(user, haru) == ["parked", "not_due"]
    world.speaker.extract = extraction
    world.clock.ahead = timedelta()
    await world.say(user, haru, "다음 이야기")
    world.clock.ahead = timedelta(hours=3)
    assert await world.generate(user, haru) == ["written", "not_due"]


@pytest.mark.parametrize("worth_keeping", [True, False])
async def test_a_success_forgives_all_failures(world: World, worth_keeping: bool) -> None:
    user, haru = await one_message(world)
    await fail(world, user, haru, 4)
    world.speaker.extract = lambda p: extraction(p, worth_keeping=worth_keeping)
    outcome = "written" if worth_keeping else "skipped"
    assert await world.generate(user, haru) == [outcome, "not_due"]
    assert await pair(world, user) == (0, None, True)


async def test_any_error_of_the_models_counts_and_says_why(world: World) -> None:
    user, haru = await one_message(world)
    await fail(world, user, haru, 4)

    def refuse(prompt: StructuredPrompt) -> str:
        raise ModelBlocked("m")

    world.speaker.extract = refuse
    assert await world.generate(user, haru) == ["parked", "not_due"]
    assert await parked(world, user) == [("model_blocked", 5)]


async def test_a_reason_holds_nothing_of_what_was_said(world: World) -> None:
    user, haru = await one_message(world, "비밀번호는 열려라참깨")
    await fail(world, user, haru, 4)
    world.speaker.extract = lambda p: '{"worth_keeping": "열려라참깨"}'
    await world.generate(user, haru)
    ((reason, _),) = await parked(world, user)
    assert "열려라" not in reason
    assert "worth_keeping" in reason


async def test_what_failed_is_paid_for_all_the_same(world: World) -> None:
    user, haru = await one_message(world)
    await fail(world, user, haru, 1)
    usage = "SELECT count(*) FROM ops.usage WHERE user_id = %s AND task = 'EXTRACTION'"
    assert await world.sql(usage, user) == [(2,)]


async def test_the_deadline_of_the_critical_section_is_a_failure_too(world: World) -> None:
    user, haru = await one_message(world)
    policy = world.worker.policy
    hasty = replace(policy, generation=replace(policy.generation, deadline_s=0.0))
    scope = Scope(user, (haru,))
    assert await generation.generate(replace(world.worker, policy=hasty), scope) == ["failed"]
    assert (await pair(world, user))[0] == 1


async def test_workers_at_once_count_one_failure(world_without_redis: World) -> None:
    world = world_without_redis
    user, haru = await one_message(world)
    world.speaker.extract = lambda p: "[]"
    outcomes = await asyncio.gather(*(world.generate(user, haru) for _ in range(5)))
    assert sum(o.count("failed") for o in outcomes) == 1
    assert (await pair(world, user))[0] == 1


async def test_redeliveries_within_a_minute_do_not_use_up_the_tries(world: World) -> None:
    user, haru = await one_message(world)
    world.speaker.extract = lambda p: "[]"
    outcomes = [await world.generate(user, haru) for _ in range(10)]
    assert outcomes == [["failed"], *[["waiting"]] * 9]
    assert await parked(world, user) == []


async def test_a_short_wait_ends_with_a_hint_and_a_long_one_is_left_to_the_sweep(
    world: World,
) -> None:
    user, haru = await one_message(world)
    world.hints.sent.clear()
    await fail(world, user, haru, 4)
    assert world.hints.sent == [(Scope(user, (haru,)), 120), (Scope(user, (haru,)), 600)]


async def test_the_sweep_does_not_hint_a_scope_that_waits(world: World) -> None:
    user, haru = await one_message(world)
    world.clock.ahead = timedelta(hours=3)
    await fail(world, user, haru, 1)
    await aged(world, user, 3)
    world.hints.sent.clear()
    await sweep(world.sweeper)
    assert hinted(world, user) == []
    await world.sql("UPDATE memory.pairs SET retry_at = now() WHERE user_id = %s", user)
    await sweep(world.sweeper)
    assert hinted(world, user) == [Scope(user, (haru,))]


async def test_the_loss_of_a_parked_window_is_counted_when_its_messages_go(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    user, haru = await one_message(world)
    await fail(world, user, haru, 4)
    await world.generate(user, haru)
    await sweep(world.sweeper)
    await aged(world, user, 24.1)
    capsys.readouterr()
    swept = await sweep(world.sweeper)
    assert swept.lost == 1
    assert '"unsummarised_lost":[1.0]' in capsys.readouterr().out


async def test_a_busy_scope_is_hinted_again_soon_and_nothing_fails(world: World) -> None:
    user, haru = await one_message(world)
    world.hints.sent.clear()
    async with world.worker.lock.hold(Scope(user, (haru,))) as free:
        assert free
        assert await world.generate(user, haru) == ["busy"]
    assert world.hints.sent == [(Scope(user, (haru,)), 20)]
    assert await world.generate(user, haru) == ["written", "not_due"]


async def test_a_backlog_beyond_one_call_is_hinted_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    haru, user = await world.character(), somebody()
    for number in range(27):
        await world.say(user, haru, f"{number}번째 이야기")
    world.clock.ahead = timedelta(hours=3)
    monkeypatch.setattr(generation, "MOST_WINDOWS", 1)
    world.hints.sent.clear()
    assert await world.generate(user, haru) == ["written"]
    assert world.hints.sent == [(Scope(user, (haru,)), 0)]


async def test_no_window_is_begun_that_could_outlast_the_call(world: World) -> None:
    haru, user = await world.character(), somebody()
    for number in range(27):
        await world.say(user, haru, f"{number}번째 이야기")
    world.clock.ahead = timedelta(hours=3)
    policy = world.worker.policy
    short = replace(policy.generation, call_s=policy.generation.deadline_s)
    worker = replace(world.worker, policy=replace(policy, generation=short))
    world.hints.sent.clear()
    assert await generation.generate(worker, Scope(user, (haru,))) == ["written"]
    assert world.hints.sent == [(Scope(user, (haru,)), 0)]


async def test_a_queue_that_is_down_fails_nothing(world: World) -> None:
    user, haru = await one_message(world)
    world.hints.down = True
    await fail(world, user, haru, 1)
    world.speaker.extract = extraction
    assert await world.generate(user, haru) == ["written", "not_due"]


@pytest.mark.parametrize("age_h", [0.0, 14.0, 20.1, 23.5])
async def test_every_try_comes_before_the_raw_messages_go(world: World, age_h: float) -> None:
    user, haru = await one_message(world)
    if age_h:
        await aged(world, user, age_h)
        world.clock.ahead = timedelta()
    world.speaker.extract = lambda p: "[]"
    waited = timedelta()
    for wait in WAITS:
        assert await world.generate(user, haru) == ["failed"]
        _, left_to_wait, _ = await pair(world, user)
        assert left_to_wait
        assert left_to_wait <= wait
        world.clock.ahead += left_to_wait
        waited += left_to_wait
    assert await world.generate(user, haru) == ["parked", "not_due"]
    assert timedelta(hours=age_h) + waited < timedelta(hours=24)
    if age_h <= 14:
        assert waited > timedelta(hours=5), "an outage of some hours parks nothing"


async def test_a_provider_that_is_down_for_hours_parks_nothing(world: World) -> None:
    user, haru = await one_message(world)

    def refuse(prompt: StructuredPrompt) -> str:
        raise ModelRateLimited("m")

    world.speaker.extract = refuse
    for _ in range(5 * 60 // 5):
        await world.generate(user, haru)
        world.clock.ahead += timedelta(minutes=5)
    world.speaker.extract = extraction
    world.clock.ahead += timedelta(hours=4)
    assert await world.generate(user, haru) == ["written", "not_due"]
