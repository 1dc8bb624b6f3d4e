"""Reroll: another answer in the place of the first, once, or none at all."""

import asyncio
from dataclasses import replace
from typing import NoReturn

import pytest

from gieok.calls import Finish
from gieok.conversation.replay import outcome
from gieok.conversation.sessions import end_session, read_messages, read_session
from gieok.errors import (
    MessageIdReused,
    ModelUnavailable,
    NotFound,
    SessionClosed,
)
from gieok.ids import parse
from gieok.recall import recall
from gieok.revision.reset import reset
from gieok.revision.rewind import rewind
from tests.support.conversation import (
    answer_to,
    generate_idle,
    message,
    messages_of,
    summaries,
    talk,
)
from tests.support.meanwhile import before
from tests.support.speakers import USAGE
from tests.support.world import World, somebody


async def test_a_reroll_replaces_the_answer_and_counts_its_usage(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    old = await answer_to(world, user, session, "둘")
    world.speaker.pieces = ("다른 ", "대답", Finish("stop", USAGE, "m"))
    told = await world.reroll(user, old)
    assert (told.text, told.session_id, told.meta.new_session) == ("다른 대답", session, False)
    assert [text for _, text in world.speaker.prompts[-1].turns][-1] == "둘"
    assert len(world.speaker.prompts[-1].turns) == 3
    texts = [m.text for m in await messages_of(world, user, session)]
    assert texts == ["하나", "그랬구나. 잘 들었어!", "둘", "다른 대답"]
    assert parse("msg", told.done.message_id) != old
    one = await read_session(world.engine, user, session)
    assert (one.message_count, one.total_tokens) == (4, 3 * (USAGE.total or 0))
    counted = "SELECT count(*) FROM ops.usage WHERE user_id = %s AND task = 'CHAT'"
    assert await world.sql(counted, user) == [(3,)]


async def test_a_reroll_in_the_middle_knows_only_what_came_before(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘", "셋")
    world.speaker.pieces = ("다른 대답",)
    await world.reroll(user, await message(world, user, session, "둘"))
    said = [text for role, text in world.speaker.prompts[-1].turns if role == "user"]
    assert said == ["하나", "둘"]
    whole = ["하나", "그랬구나. 잘 들었어!", "둘", "다른 대답", "셋", "그랬구나. 잘 들었어!"]
    assert [m.text for m in await messages_of(world, user, session)] == whole
    paged, before = list[str](), None
    while (page := await read_messages(world.engine, user, session, before, 1)).items:
        paged, before = [page.items[0].text, *paged], page.next
        if before is None:
            break
    assert paged == whole


async def test_a_page_goes_on_behind_a_message_that_was_taken_back_meanwhile(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    first = await read_messages(world.engine, user, session, None, 1)
    await world.reroll(user, first.items[0].stored.sealed.id)
    rest = await read_messages(world.engine, user, session, first.next, 9)
    assert [m.text for m in rest.items] == ["둘", "그랬구나. 잘 들었어!", "하나"]


async def test_a_message_without_an_answer_gets_one_by_its_own_id(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    to = await message(world, user, session, "하나")
    await rewind(world.engine, user, session, to)
    told = await world.reroll(user, to)
    assert told.done
    assert (await read_session(world.engine, user, session)).message_count == 2


async def test_the_same_reroll_comes_once_however_often_it_is_asked_for(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    old = await answer_to(world, user, session, "하나")
    asked = await asyncio.gather(*(world.reroll(user, old, "again-1") for _ in range(5)))
    asked.append(await world.reroll(user, old, "again-1"))
    assert len({t.done.message_id for t in asked}) == 1
    assert len(world.speaker.prompts) == 2
    state, events = await outcome(world.engine, user, "again-1")
    assert (state, events[-1]) == ("done", asked[0].done)


async def test_a_reroll_whose_recall_fails_is_answered_without_memories(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")

    def broken(*_: object, **__: object) -> NoReturn:
        raise ValueError

    monkeypatch.setattr(recall, "conclude", broken)
    told = await world.reroll(user, await answer_to(world, user, session, "하나"))
    assert (told.meta.recall, told.done.fallback_used) == ("failed", False)


async def test_a_reroll_that_a_reset_overtakes_finds_no_message(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    answer = await answer_to(world, user, session, "하나")
    engine = before(world.engine, "read_cast", lambda: reset(world.engine, user, haru))
    with pytest.raises(NotFound):
        await replace(world, engine=engine).reroll(user, answer)


async def test_a_rerolls_id_does_not_serve_another_message(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    await world.reroll(user, await answer_to(world, user, session, "하나"), "again-1")
    with pytest.raises(MessageIdReused):
        await world.reroll(user, await answer_to(world, user, session, "둘"), "again-1")


async def test_a_reroll_that_finds_no_model_is_answered_by_the_characters_own_line(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    world.speaker.pieces = (ModelUnavailable("m"),)
    told = await world.reroll(user, await answer_to(world, user, session, "하나"))
    assert told.done.fallback_used


async def test_a_reroll_that_dies_costs_nothing_and_may_come_again(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    old = await answer_to(world, user, session, "하나")
    world.speaker.pieces = ("절반", RuntimeError("bug"))
    with pytest.raises(RuntimeError):
        await world.reroll(user, old, "again-1")
    texts = [m.text for m in await messages_of(world, user, session)]
    assert texts == ["하나", "그랬구나. 잘 들었어!"]
    world.speaker.pieces = ("새 대답",)
    assert (await world.reroll(user, old, "again-1")).text == "새 대답"


async def test_a_reroll_whose_process_died_leaves_the_answer_from_before(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    old = await answer_to(world, user, session, "하나")
    await world.sql(
        "UPDATE chat.turns SET state = 'running', reroll_id = 'again-1',"
        " lease_until = now() - interval '1 s' WHERE user_id = %s",
        user,
    )
    state, events = await outcome(world.engine, user, "again-1")
    assert state == "done"
    world.speaker.pieces = ("새 대답",)
    told = await world.reroll(user, old, "again-1")
    assert told.text == "새 대답"
    assert events[-1] != told.done


async def test_a_closed_session_answers_nothing_again(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    await end_session(world.engine, user, session)
    with pytest.raises(SessionClosed):
        await world.reroll(user, await answer_to(world, user, session, "하나"))


async def test_the_rerolled_answer_is_the_one_that_is_remembered(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    await generate_idle(world, user, haru)
    world.speaker.pieces = ("다른 대답",)
    await world.reroll(user, await answer_to(world, user, session, "하나"))
    assert await summaries(world, user) == []
    await generate_idle(world, user, haru)
    assert "다른 대답" in world.speaker.extractions[-1].payload
    assert await summaries(world, user) == ["하나"]
