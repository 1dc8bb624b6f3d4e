"""A turn on a real database: its events, its idempotency, its refusals and what it leaves."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from gieok.calls import Finish, Usage
from gieok.conversation.events import Delta, Done, Failed, Meta
from gieok.conversation.replay import outcome
from gieok.conversation.sessions import end_session, open_session, read_messages
from gieok.errors import (
    BadRequest,
    InvalidText,
    KeyServiceUnavailable,
    ModelRateLimited,
    ModelUnavailable,
    NotFound,
    SessionClosed,
    TurnInProgress,
)
from gieok.ids import new_id
from gieok.privacy.keyring import Keyring
from gieok.providers.router import Models
from gieok.types import Scope, UserId
from tests.support.speakers import USAGE, Speaker
from tests.support.world import World, somebody


async def counts(world: World, user: str) -> tuple[int, int, int]:
    """A user's sessions, turns and messages."""
    rows = await world.sql(
        "SELECT (SELECT count(*) FROM chat.sessions WHERE user_id = %(u)s),"
        " (SELECT count(*) FROM chat.turns WHERE user_id = %(u)s),"
        " (SELECT count(*) FROM chat.messages WHERE user_id = %(u)s)".replace("%(u)s", "%s"),
        user,
        user,
        user,
    )
    sessions, turns, messages = rows[0]
    return int(sessions), int(turns), int(messages)


async def test_a_turn_is_one_meta_then_deltas_then_one_done(world: World) -> None:
    haru = await world.character()
    told = await world.say(somebody(), haru, "안녕, 나 오늘 회사 다녀왔어")
    assert [type(e) for e in told.events] == [Meta, Delta, Delta, Done]
    assert told.text == "그랬구나. 잘 들었어!"
    assert told.meta.new_session
    assert told.done.actual_total_tokens == USAGE.total
    assert told.done.finish_reason == "stop"
    assert told.done.request_id == told.meta.request_id


async def test_message_answer_usage_and_counters_are_stored_when_done_is_told(world: World) -> None:
    haru, user = await world.character(), somebody()
    told = await world.say(user, haru, "안녕")
    messages = (await read_messages(world.engine, user, told.session_id, None, 10)).items
    assert [(m.stored.sealed.role, m.text) for m in messages] == [
        ("assistant", told.text),
        ("user", "안녕"),
    ]
    session = await world.sql(
        "SELECT message_count, total_tokens FROM chat.sessions WHERE user_id = %s", user
    )
    assert session == [(2, USAGE.total)]
    usage = await world.sql("SELECT task, total_tokens FROM ops.usage WHERE user_id = %s", user)
    assert set(usage) == {("CHAT", USAGE.total), ("EMBEDDING", None)}


async def test_usage_that_was_not_reported_stays_null_and_never_becomes_zero(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.pieces = ("응", Finish("stop", Usage(), "m"))
    told = await world.say(user, haru, "안녕")
    assert told.done.actual_total_tokens is None
    sums = "SELECT total_tokens FROM chat.sessions WHERE user_id = %s"
    assert await world.sql(sums, user) == [(None,)]
    world.speaker.pieces = ("응", Finish("stop", USAGE, "m"))
    await world.say(user, haru, "또 안녕", told.session_id)
    world.speaker.pieces = ("응", Finish("stop", Usage(), "m"))
    await world.say(user, haru, "또또 안녕", told.session_id)
    assert await world.sql(sums, user) == [(USAGE.total,)]


async def test_the_last_six_turns_go_into_the_prompt_verbatim(world: World) -> None:
    haru, user = await world.character(), somebody()
    session: UUID | None = None
    for number in range(8):
        session = (await world.say(user, haru, f"{number}번째 이야기", session)).session_id
    said = [text for role, text in world.speaker.prompts[-1].turns if role == "user"]
    assert said == [f"{n}번째 이야기" for n in range(1, 8)]


async def test_the_same_client_message_id_is_told_the_same_and_asks_no_model_again(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    first = await world.say(user, haru, "안녕", client_message_id="m-1")
    again = await world.say(user, haru, "안녕", client_message_id="m-1")
    assert (again.meta, again.text, again.done) == (first.meta, first.text, first.done)
    assert len(world.speaker.prompts) == 1
    assert await counts(world, user) == (1, 1, 2)


async def test_the_same_client_message_id_at_the_same_time_is_one_turn(world: World) -> None:
    haru, user = await world.character(), somebody()
    told = await asyncio.gather(
        *(world.say(user, haru, "안녕", client_message_id="m-1") for _ in range(8))
    )
    assert len({t.done.message_id for t in told}) == 1
    assert len(world.speaker.prompts) == 1
    assert await counts(world, user) == (1, 1, 2)


async def test_two_users_may_use_the_same_client_message_id(world: World) -> None:
    haru = await world.character()
    one = await world.say(somebody(), haru, "안녕", client_message_id="m-1")
    two = await world.say(somebody(), haru, "안녕", client_message_id="m-1")
    assert one.done.message_id != two.done.message_id


async def test_one_turn_runs_at_a_time_in_a_session(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "안녕")).session_id
    results = await asyncio.gather(
        *(world.say(user, haru, f"{i}", session) for i in range(5)), return_exceptions=True
    )
    refused = [r for r in results if isinstance(r, TurnInProgress)]
    assert refused
    assert len(refused) + sum(not isinstance(r, BaseException) for r in results) == 5
    assert (await counts(world, user))[1] == 1 + 5 - len(refused)


async def test_a_dead_turn_gives_its_session_free_and_its_own_message_may_come_again(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "안녕")).session_id
    await world.say(user, haru, "죽은 턴", session, client_message_id="dead")
    await world.sql(
        "UPDATE chat.turns SET state = 'running', lease_until = now() - interval '1 s',"
        " outcome = NULL WHERE user_id = %s AND client_message_id = 'dead'",
        user,
    )
    await world.sql(
        "DELETE FROM chat.messages m USING chat.turns t WHERE t.id = m.turn_id"
        " AND t.user_id = %s AND t.client_message_id = 'dead' AND m.role = 'assistant'",
        user,
    )
    retried = await world.say(user, haru, "죽은 턴", client_message_id="dead")
    assert retried.session_id == session
    assert (await counts(world, user))[1:] == (2, 4)


async def test_a_dead_turn_that_comes_again_counts_for_memory_from_then_on(world: World) -> None:
    """Other turns may have been summarised meanwhile; it must not sit behind their cursor."""
    haru, user = await world.character(), somebody()
    first = await world.say(user, haru, "죽은 턴", client_message_id="dead")
    await world.sql("DELETE FROM chat.messages WHERE user_id = %s", user)
    await world.sql(
        "UPDATE chat.turns SET state = 'running', lease_until = now() - interval '1 s',"
        " outcome = NULL WHERE user_id = %s",
        user,
    )
    await world.talk_and_generate(user, haru, "그사이 다른 이야기")
    await world.say(user, haru, "죽은 턴", first.session_id, client_message_id="dead")
    world.clock.ahead = timedelta(hours=3)
    assert await world.generate(user, haru) == ["written", "not_due"]


async def test_the_outcome_of_a_dead_turn_is_failed_and_not_running(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "안녕", client_message_id="dead")
    await world.sql("DELETE FROM chat.messages WHERE user_id = %s AND role = 'assistant'", user)
    await world.sql(
        "UPDATE chat.turns SET state = 'running', outcome = NULL,"
        " lease_until = now() - interval '1 s' WHERE user_id = %s",
        user,
    )
    state, events = await outcome(world.engine, user, "dead")
    assert (state, type(events[-1])) == ("failed", Failed)


class NoKeys:
    """A key service that does not answer."""

    async def generate(self, user_id: UserId) -> tuple[bytes, bytes]:
        """See `ports.KeyService`."""
        raise KeyServiceUnavailable("down")

    async def unwrap(self, user_id: UserId, wrapped: bytes) -> bytes:
        """See `ports.KeyService`."""
        raise KeyServiceUnavailable("down")


async def test_a_turn_that_cannot_be_kept_is_undone_but_its_opened_session_stays(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    opened = await open_session(world.engine, Scope(user, (haru,)))
    whole = world.engine
    world.engine = replace(whole, keyring=Keyring(NoKeys(), world.clock))
    told = await world.say(user, haru, "안녕", opened.id, client_message_id="m")
    assert (told.failed.code, told.failed.retryable) == ("key_service_unavailable", True)
    await world.say(user, haru, "안녕", client_message_id="n")
    assert await counts(world, user) == (1, 0, 0)
    world.engine = whole
    assert (await world.say(user, haru, "안녕", opened.id, client_message_id="m")).done


async def test_another_message_ends_a_dead_turn_but_keeps_what_was_said(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "살아남을 말", client_message_id="dead")).session_id
    await world.sql(
        "UPDATE chat.turns SET state = 'running', lease_until = now() - interval '1 s'"
        " WHERE user_id = %s",
        user,
    )
    await world.sql("DELETE FROM chat.messages WHERE user_id = %s AND role = 'assistant'", user)
    await world.say(user, haru, "다음 말", session)
    state, events = await outcome(world.engine, user, "dead")
    assert state == "failed"
    assert events[-1].retryable  # type: ignore[union-attr]
    said = [text for role, text in world.speaker.prompts[-1].turns if role == "user"]
    assert said == ["살아남을 말", "다음 말"]


@pytest.mark.parametrize("text", ["", "   ", "\u200b\n", "a\0b", "\ud800", "가" * 8001])
async def test_text_that_breaks_a_rule_changes_nothing(world: World, text: str) -> None:
    haru, user = await world.character(), somebody()
    with pytest.raises(InvalidText):
        await world.say(user, haru, text)
    assert await counts(world, user) == (0, 0, 0)


async def test_an_unknown_character_or_session_changes_nothing(world: World) -> None:
    haru, user = await world.character(), somebody()
    with pytest.raises(NotFound):
        await world.say(user, new_id(), "안녕")
    with pytest.raises(NotFound):
        await world.say(user, haru, "안녕", new_id())
    assert await counts(world, user) == (0, 0, 0)


async def test_another_users_session_is_not_found(world: World) -> None:
    haru, owner, thief = await world.character(), somebody(), somebody()
    session = (await world.say(owner, haru, "비밀 이야기")).session_id
    with pytest.raises(NotFound):
        await world.say(thief, haru, "들려줘", session)
    with pytest.raises(NotFound):
        await read_messages(world.engine, thief, session, None, 10)
    with pytest.raises(NotFound):
        await end_session(world.engine, thief, session)
    assert await counts(world, thief) == (0, 0, 0)


async def test_a_session_keeps_its_cast(world: World) -> None:
    haru, user = await world.character(), somebody()
    other = await world.character("바다")
    session = (await world.say(user, haru, "안녕")).session_id
    with pytest.raises(BadRequest):
        await world.say(user, other, "안녕", session)


async def test_an_ended_or_expired_session_takes_no_more_turns(world: World) -> None:
    haru, user = await world.character(), somebody()
    ended = (await world.say(user, haru, "안녕")).session_id
    await end_session(world.engine, user, ended)
    expired = (await world.say(user, haru, "안녕")).session_id
    await world.sql("UPDATE chat.sessions SET expires_at = now() WHERE id = %s", expired)
    for session in (ended, expired):
        with pytest.raises(SessionClosed):
            await world.say(user, haru, "또 안녕", session)


async def test_when_every_model_fails_the_character_says_its_own_line(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.pieces = (ModelRateLimited("m"),)
    told = await world.say(user, haru, "안녕")
    assert told.text == "음… 잠깐만, 생각이 잘 안 나."
    assert told.done.fallback_used
    assert told.done.model is None
    assert told.done.actual_total_tokens is None
    assert (await counts(world, user))[2] == 2


@pytest.mark.parametrize("spare_speaks", [True, False])
async def test_an_answer_without_a_word_goes_to_the_next_model_and_only_then_to_the_characters_line(
    world: World, spare_speaks: bool
) -> None:
    haru, user = await world.character(), somebody()
    silent = Speaker(Finish("stop", USAGE, "silent"))
    spare = Speaker() if spare_speaks else silent
    models = Models({"test": silent, "spare": spare}, {"test": world.embedder})
    change = (
        "UPDATE ops.llm_task_assignments SET fallback_provider = %s, fallback_model = %s"
        " WHERE task = 'CHAT'"
    )
    await world.sql(change, "spare", "spare-1")
    try:
        told = await replace(world, engine=replace(world.engine, models=models)).say(
            user, haru, "안녕"
        )
    finally:
        await world.sql(change, None, None)
    line = "그랬구나. 잘 들었어!" if spare_speaks else "음… 잠깐만, 생각이 잘 안 나."
    assert (told.text, told.done.fallback_used) == (line, not spare_speaks)
    used = "SELECT model, outcome, total_tokens FROM ops.usage WHERE user_id = %s AND task = 'CHAT'"
    spares = ("spare-1", "stop" if spare_speaks else "model_malformed", USAGE.total)
    assert sorted(await world.sql(used, user)) == [
        spares,
        ("test-1", "model_malformed", USAGE.total),
    ]


@pytest.mark.parametrize(
    "answer", ["<think>음…</think>", "<think>음…", " \u200b\u3000\u2800\n", "<|im_end|>안녕"]
)
async def test_an_answer_that_shows_nothing_is_none(world: World, answer: str) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.pieces = (*answer, Finish("stop", USAGE, "speaker-1"))
    told = await world.say(user, haru, "안녕")
    assert (told.text, told.done.fallback_used) == ("음… 잠깐만, 생각이 잘 안 나.", True)


async def test_what_is_no_speech_is_neither_shown_nor_kept_nor_in_the_next_prompt(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    echo = "<memories 0123456789012345>\n- 비밀\n</memories 0123456789012345>"
    answer = f"<think>뭐라고 하지</think>{echo}안녕! 반가워.<|im_end|>"
    world.speaker.pieces = (*answer, Finish("stop", USAGE, "speaker-1"))
    told = await world.say(user, haru, "안녕")
    assert (told.text, told.done.finish_reason) == ("안녕! 반가워.", "stop")
    await world.say(user, haru, "뭐 해?", told.session_id)
    assert ("assistant", "안녕! 반가워.") in world.speaker.prompts[-1].turns


async def test_what_an_answer_cost_that_nobody_heard_to_its_end_is_kept(world: World) -> None:
    haru, user = await world.character(), somebody()
    events = world.events(user, haru, "안녕")
    while not isinstance(await anext(events), Delta):
        pass
    await events.aclose()
    used = "SELECT task, outcome FROM ops.usage WHERE user_id = %s ORDER BY task"
    assert await world.sql(used, user) == [("CHAT", "cancelled"), ("EMBEDDING", "ok")]


async def test_a_blocked_answer_is_an_outcome_of_its_own(world: World) -> None:
    haru = await world.character()
    world.speaker.pieces = (Finish("blocked", USAGE, "m"),)
    told = await world.say(somebody(), haru, "안녕")
    assert told.done.finish_reason == "blocked"
    assert told.done.fallback_used
    assert told.text


async def test_an_answer_cut_by_the_model_keeps_what_was_said(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.pieces = ("여기까지", ModelUnavailable("m"))
    told = await world.say(user, haru, "안녕")
    assert (told.text, told.done.finish_reason) == ("여기까지", "interrupted")
    assert not told.done.fallback_used


async def test_the_fifth_message_queues_with_a_delay_and_the_sixth_at_once(world: World) -> None:
    haru, user = await world.character(), somebody()
    session, queued = None, []
    for number in range(6):
        told = await world.say(user, haru, f"{number}번째", session)
        session = told.session_id
        queued.append(told.done.generation_queued)
    assert queued == [False] * 4 + [True] * 2
    delays = [timedelta(seconds=delay) for _, delay in world.hints.sent]
    assert delays[0] > world.engine.policy.generation.settle_after
    assert delays[1] == timedelta()


async def test_messages_count_over_all_sessions_of_a_pair(world: World) -> None:
    haru, user = await world.character(), somebody()
    queued = [(await world.say(user, haru, f"{n}번")).done.generation_queued for n in range(5)]
    assert queued == [False] * 4 + [True]


async def test_a_queue_that_is_down_does_not_spoil_the_turn(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.hints.down = True
    for number in range(5):
        told = await world.say(user, haru, f"{number}번째")
    assert told.done.generation_queued


async def test_the_stored_outcome_of_a_turn_can_be_looked_up_by_its_user_only(world: World) -> None:
    haru, user = await world.character(), somebody()
    told = await world.say(user, haru, "안녕", client_message_id="m-1")
    state, events = await outcome(world.engine, user, "m-1")
    assert (state, events[0], events[-1]) == ("done", told.meta, told.done)
    with pytest.raises(NotFound):
        await outcome(world.engine, somebody(), "m-1")
