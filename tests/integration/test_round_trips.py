"""What a turn costs in round trips, counted on the wire."""

import pytest

from tests.support.round_trips import counted
from tests.support.speakers import Speaker
from tests.support.stack import Stack
from tests.support.world import somebody


async def test_two_round_trips_before_the_model_and_at_most_two_after(stack: Stack) -> None:
    async with counted(stack) as (world, proxy):
        haru, user = await world.character(), somebody()
        session = (await world.say(user, haru, "처음")).session_id
        before_model: list[int] = []
        world.speaker.on_stream = lambda: before_model.append(len(proxy.queries))
        proxy.queries.clear()
        told = await world.say(user, haru, "두 번째", session)
        assert told.done
        assert before_model == [2]
        assert len(proxy.queries) - 2 <= 2
        assert "extended protocol" not in proxy.queries


async def test_a_new_session_with_an_earlier_talk_makes_no_more_of_them(stack: Stack) -> None:
    async with counted(stack) as (world, proxy):
        haru, user = await world.character(), somebody()
        await world.say(user, haru, "처음")
        before_model: list[int] = []
        world.speaker.on_stream = lambda: before_model.append(len(proxy.queries))
        proxy.queries.clear()
        told = await world.say(user, haru, "아까 뭐라고 했지?")
        assert told.meta.earlier_turns == 1
        assert before_model == [2]


async def test_a_users_very_first_turn_makes_one_more(stack: Stack) -> None:
    async with counted(stack) as (world, proxy):
        haru = await world.character()
        await world.say(somebody(), haru, "데우기")
        proxy.queries.clear()
        await world.say(somebody(), haru, "처음")
        assert len(proxy.queries) == 4


@pytest.mark.parametrize("message", ["안녕하세요 반가워요"])
async def test_no_statement_carries_what_was_said(stack: Stack, message: str) -> None:
    async with counted(stack) as (world, proxy):
        haru = await world.character()
        world.speaker.pieces = Speaker("대답이에요").pieces
        await world.say(somebody(), haru, message)
        assert proxy.queries
        assert not [q for q in proxy.queries if message[:4] in q or "대답" in q]
