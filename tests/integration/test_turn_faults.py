"""Turns that go wrong: whatever breaks, the session is free and the message may come again."""

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest

from gieok.conversation.replay import outcome
from gieok.conversation.sessions import end_session, read_messages
from gieok.errors import MessageIdReused, SessionClosed
from gieok.recall import recall
from gieok.revision.edit import edit_message
from tests.support.dead_turns import die
from tests.support.world import World, somebody


@pytest.mark.parametrize("named", [True, False])
async def test_a_dead_turn_of_a_closed_session_says_that_it_is_closed(
    world: World, named: bool
) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "죽은 말", client_message_id="dead")).session_id
    await die(world, user, "dead")
    await end_session(world.engine, user, session)
    for _ in range(2):
        with pytest.raises(SessionClosed):
            await world.say(user, haru, "죽은 말", session if named else None, "dead")


@pytest.mark.parametrize("told", [True, False])
async def test_what_was_ended_as_interrupted_runs_again_with_the_same_id(
    world: World, told: bool
) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "죽은 말", client_message_id="dead")).session_id
    await die(world, user, "dead", told=told)
    await world.say(user, haru, "다음 말", session)
    state, events = await outcome(world.engine, user, "dead")
    assert (state, events[-1].code) == ("failed", "interrupted")  # type: ignore[union-attr]
    again = await world.say(user, haru, "죽은 말", session, "dead")
    assert again.done
    assert (await world.say(user, haru, "죽은 말", session, "dead")).done == again.done
    assert len(world.speaker.prompts) == 3
    page = await read_messages(world.engine, user, session, None, 9)
    assert len(page.items) == 4
    counted = "SELECT message_count FROM chat.sessions WHERE id = %s"
    assert await world.sql(counted, session) == [(4,)]


async def test_a_first_try_that_comes_back_late_ends_nothing(world: World) -> None:
    haru, user = await world.character(), somebody()
    slow = world.events(user, haru, "느린 말", client_message_id="slow")
    meta = await anext(slow)
    await world.sql(
        "UPDATE chat.turns SET lease_until = now() - interval '1 s' WHERE user_id = %s", user
    )
    again = await world.say(user, haru, "느린 말", client_message_id="slow")
    rest = [e async for e in slow]
    assert rest[-1].code == "interrupted"  # type: ignore[union-attr]
    _, events = await outcome(world.engine, user, "slow")
    assert events[-1] == again.done
    assert meta != again.meta
    counted = "SELECT message_count FROM chat.sessions WHERE user_id = %s"
    assert await world.sql(counted, user) == [(2,)]


@pytest.mark.parametrize("lost", [ValueError, asyncio.CancelledError])
async def test_a_crash_gives_the_session_free_at_once_and_the_message_may_come_again(
    world: World, lost: type[BaseException]
) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "안녕")).session_id

    def fail() -> None:
        raise lost

    world.speaker.on_stream = fail
    with pytest.raises(lost):
        await world.say(user, haru, "둘", session, "crashed")
    world.speaker.on_stream = lambda: None
    assert (await world.say(user, haru, "셋", session)).done
    assert (await world.say(user, haru, "둘", session, "crashed")).done
    await world.say(user, haru, "넷", session)
    said = [text for role, text in world.speaker.prompts[-1].turns if role == "user"]
    assert said == ["안녕", "셋", "둘", "넷"], "what came again was said when it came again"


async def test_a_listener_who_stops_in_the_middle_gives_the_session_free(world: World) -> None:
    haru, user = await world.character(), somebody()
    events = world.events(user, haru, "하나", client_message_id="left")
    meta = await anext(events)
    await events.aclose()
    assert meta.session_id  # type: ignore[union-attr]
    assert (await outcome(world.engine, user, "left"))[0] == "failed"


async def test_a_bug_in_recall_costs_the_memories_and_not_the_turn(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "우리 강아지 콩이")

    def broken(*_: object) -> None:
        raise ZeroDivisionError("bug")

    monkeypatch.setattr(recall, "conclude", broken)
    told = await world.say(user, haru, "콩이 기억해?")
    assert (told.meta.recall, told.meta.recall_reason) == ("failed", "unexpected")
    assert told.done
    page = await read_messages(world.engine, user, told.session_id, None, 9)
    assert [m.text for m in page.items][-1] == "콩이 기억해?"


async def test_an_id_that_came_before_does_not_serve_another_message(world: World) -> None:
    haru, user = await world.character(), somebody()
    told = await world.say(user, haru, "하나", client_message_id="m-1")
    with pytest.raises(MessageIdReused):
        await world.say(user, haru, "둘", client_message_id="m-1")
    with pytest.raises(MessageIdReused):
        await world.say(user, haru, "둘", told.session_id, client_message_id="m-1")
    assert (await world.say(user, haru, "하나", client_message_id="m-1")).done == told.done
    assert len(world.speaker.prompts) == 1


async def test_nor_while_its_message_is_being_answered(world: World) -> None:
    haru, user = await world.character(), somebody()
    first = world.events(user, haru, "하나", client_message_id="m-1")
    await anext(first)
    with pytest.raises(MessageIdReused):
        await world.say(user, haru, "둘", client_message_id="m-1")
    assert [e async for e in first][-1].message_id  # type: ignore[union-attr]


async def test_a_dead_message_does_not_come_again_with_another_text(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "죽은 말", client_message_id="dead")).session_id
    await die(world, user, "dead")
    with pytest.raises(MessageIdReused):
        await world.say(user, haru, "다른 말", session, "dead")
    assert (await world.say(user, haru, "죽은 말", session, "dead")).done


async def test_an_edited_message_stands_for_its_new_text(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "하나", client_message_id="m-1")).session_id
    await die(world, user, "m-1")
    page = await read_messages(world.engine, user, session, None, 9)
    await edit_message(world.engine, user, page.items[0].stored.sealed.id, "고친 하나")
    with pytest.raises(MessageIdReused):
        await world.say(user, haru, "하나", session, "m-1")
    await world.say(user, haru, "고친 하나", session, "m-1")
    assert world.speaker.prompts[-1].turns[-1] == ("user", "고친 하나")


async def test_equal_messages_have_nothing_in_common_at_rest(world: World) -> None:
    haru, user = await world.character(), somebody()
    for _ in range(2):
        await world.say(user, haru, "같은 말")
    found = await world.sql("SELECT message_digest FROM chat.turns WHERE user_id = %s", user)
    assert len(set(found)) == 2
    assert all(len(d) == 32 for (d,) in found)


async def test_numbers_of_turns_do_not_repeat_after_a_purge(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = None
    for text in ("하나", "둘"):
        session = (await world.say(user, haru, text, session)).session_id
    await world.sql("DELETE FROM chat.turns WHERE user_id = %s", user)
    await world.say(user, haru, "셋", session)
    assert session
    page = await read_messages(world.engine, user, session, None, 9)
    assert {m.stored.turn_number for m in page.items} == {3}


async def test_a_page_goes_on_behind_what_cannot_be_read(world: World) -> None:
    haru, user = await world.character(), somebody()
    session: UUID | None = None
    for text in ("하나", "둘", "셋"):
        session = (await world.say(user, haru, text, session)).session_id
    assert session
    whole = await read_messages(world.engine, user, session, None, 6)
    assert whole.next is None
    for damaged in whole.items[1:3]:
        await world.sql(
            "UPDATE chat.messages SET body = '\\x00' WHERE id = %s", damaged.stored.sealed.id
        )
    texts, before = [], None
    while True:
        page = await read_messages(world.engine, user, session, before, 2)
        texts += [m.text for m in page.items]
        if page.next is None:
            break
        before = page.next
    kept = [m.text for i, m in enumerate(whole.items) if i not in (1, 2)]
    assert texts == kept


async def test_a_worker_at_it_is_told_again_only_for_another_windows_worth(world: World) -> None:
    haru, user = await world.character(), somebody()
    session, queued = None, []
    for number in range(12):
        told = await world.say(user, haru, f"{number}번째", session)
        session = told.session_id
        queued.append(told.done.generation_queued)
    assert [n for n, q in enumerate(queued, 1) if q] == [5, 6, 11]
    assert len(world.hints.sent) == 3


async def test_the_users_clock_at_the_time_of_the_message_is_kept(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "안녕")
    zones = await world.sql("SELECT time_zone FROM chat.turns WHERE user_id = %s", user)
    assert zones == [("Asia/Seoul",)]


async def test_a_slow_database_never_makes_an_answer_twice(world: World) -> None:
    """The batch that claims runs twice when its connection is lost: it finds its own claim."""
    haru, user = await world.character(), somebody()
    world.engine = replace(world.engine, policy=world.engine.policy)
    run, calls = world.engine.database.run, 0

    async def twice(*batch: object) -> object:
        nonlocal calls
        calls += 1
        await run(*batch)  # type: ignore[arg-type]
        return await run(*batch)  # type: ignore[arg-type]

    world.engine.database.run = twice  # type: ignore[method-assign, assignment]
    told = await world.say(user, haru, "안녕", client_message_id="m")
    session, old = told.session_id, told.done.message_id
    again = await world.reroll(user, _id(old), "again")
    world.engine.database.run = run  # type: ignore[method-assign]
    assert again.done.message_id != old
    page = await read_messages(world.engine, user, session, None, 9)
    assert len(page.items) == 2
    assert calls
    counted = "SELECT message_count FROM chat.sessions WHERE id = %s"
    assert await world.sql(counted, session) == [(2,)]


def _id(message_id: str) -> UUID:
    return UUID(message_id.removeprefix("msg_"))
