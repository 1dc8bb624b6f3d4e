"""An id that a client chose stands for one request: the same again is replayed, another refused."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

import pytest

from gieok.conversation.replay import outcome
from gieok.errors import MessageIdReused
from gieok.ids import new_id
from gieok.types import UserId
from tests.support.conversation import answer_to
from tests.support.dead_turns import die
from tests.support.world import Told, World, somebody


@dataclass(frozen=True, slots=True)
class First:
    """The request that had the id "1" first, and what it was told."""

    world: World
    user: UserId
    haru: UUID
    told: Told


async def said(world: World) -> First:
    haru, user = await world.character(), somebody()
    told = await world.say(user, haru, "안녕", client_message_id="1")
    return First(world, user, haru, told)


Another = Callable[[First], Awaitable[object]]


async def to_another_character(first: First) -> object:
    bada = await first.world.character("바다")
    return await first.world.say(first.user, bada, "안녕", client_message_id="1")


async def to_a_group(first: First) -> object:
    cast = tuple(sorted((first.haru, await first.world.character("바다"))))
    return await first.world.say(first.user, cast, "안녕", client_message_id="1")


async def in_another_session(first: First) -> object:
    other = await first.world.say(first.user, first.haru, "다른 대화")
    return await first.world.say(first.user, first.haru, "안녕", other.session_id, "1")


async def in_a_session_of_nobody(first: First) -> object:
    return await first.world.say(first.user, first.haru, "안녕", new_id(), "1")


async def with_another_message(first: First) -> object:
    return await first.world.say(first.user, first.haru, "잘 가", client_message_id="1")


async def as_a_reroll(first: First) -> object:
    answer = await answer_to(first.world, first.user, first.told.session_id, "안녕")
    return await first.world.reroll(first.user, answer, "1")


ANOTHER = pytest.mark.parametrize(
    "another",
    [
        to_another_character,
        to_a_group,
        in_another_session,
        in_a_session_of_nobody,
        with_another_message,
        as_a_reroll,
    ],
)


@ANOTHER
async def test_an_id_does_not_serve_another_request(world: World, another: Another) -> None:
    first = await said(world)
    with pytest.raises(MessageIdReused):
        await another(first)
    state, events = await outcome(world.engine, first.user, "1")
    assert (state, events[-1]) == ("done", first.told.done)


@ANOTHER
async def test_nor_when_its_own_request_died(world: World, another: Another) -> None:
    first = await said(world)
    if another is as_a_reroll:
        answer = await answer_to(world, first.user, first.told.session_id, "안녕")
        with pytest.raises(MessageIdReused):
            await world.reroll(first.user, answer, "1")
        return
    await die(world, first.user, "1")
    with pytest.raises(MessageIdReused):
        await another(first)
    assert (await world.say(first.user, first.haru, "안녕", client_message_id="1")).done


async def test_the_same_request_may_name_the_session_that_it_was_told_of(world: World) -> None:
    first = await said(world)
    for cast, session in ((first.haru, None), (first.haru, first.told.session_id)):
        again = await world.say(first.user, cast, "안녕", session, "1")
        assert again.done == first.told.done
    assert (await world.say(first.user, (), "안녕", first.told.session_id, "1")).done
    assert len(world.speaker.prompts) == 1


async def test_the_id_of_a_reroll_serves_no_message(world: World) -> None:
    first = await said(world)
    answer = await answer_to(world, first.user, first.told.session_id, "안녕")
    told = await world.reroll(first.user, answer, "again")
    for session in (None, first.told.session_id):
        with pytest.raises(MessageIdReused):
            await world.say(first.user, first.haru, "안녕", session, "again")
    state, events = await outcome(world.engine, first.user, "again")
    assert (state, events[-1]) == ("done", told.done)
