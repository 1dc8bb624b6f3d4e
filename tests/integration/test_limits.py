"""How much one user may ask for: of messages, of searches, at once and in a minute."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace

import pytest

from gieok.conversation.events import Delta, Done
from gieok.errors import LockUnavailable, RateLimited
from gieok.memories.amend import Amendment, amend_memory
from gieok.memories.search import search
from gieok.recall.preview import preview
from gieok.types import RequestKind, Scope, UserId
from tests.support.conversation import answer_to
from tests.support.derived import memory_ids
from tests.support.world import World, somebody


class Limit:
    """Lets so many requests of each kind in."""

    def __init__(self, **most: int) -> None:
        self.left: dict[str, int] = most

    async def check(self, user_id: UserId, kind: RequestKind) -> None:
        """See `ports.RateLimiter`."""
        if kind in self.left:
            self.left[kind] -= 1
            if self.left[kind] < 0:
                raise RateLimited(30)


def limited(world: World, **most: int) -> World:
    return replace(world, engine=replace(world.engine, limiter=Limit(**most)))


async def left(world: World, user: UserId) -> tuple[int, ...]:
    """Sessions, turns and running turns of a user."""
    of = "SELECT count(*) FROM chat.{} WHERE user_id = %s"
    tables = ("sessions", "turns", "running_turns")
    return tuple([int((await world.sql(of.format(t), user))[0][0]) for t in tables])


@pytest.mark.parametrize("open_session", [False, True])
async def test_one_message_too_many_is_refused_and_leaves_nothing(
    world: World, open_session: bool
) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "안녕")).session_id if open_session else None
    before = await left(world, user)
    few = limited(world, turn=0)
    with pytest.raises(RateLimited):
        await few.say(user, haru, "하나 더", session, "m-1")
    assert await left(world, user) == before
    assert len(world.speaker.prompts) == before[1], "no model was asked"
    assert (await world.say(user, haru, "하나 더", session, "m-1")).done


async def test_a_reroll_counts_as_a_message(world: World) -> None:
    haru, user = await world.character(), somebody()
    told = await world.say(user, haru, "안녕")
    answer = await answer_to(world, user, told.session_id, "안녕")
    with pytest.raises(RateLimited):
        await limited(world, turn=0).reroll(user, answer)
    assert (await world.reroll(user, answer)).done


async def test_four_sessions_of_a_user_are_answered_at_once_and_no_fifth(world: World) -> None:
    haru, user, other = await world.character(), somebody(), somebody()
    first = await world.say(user, haru, "먼저")
    answer = await answer_to(world, user, first.session_id, "먼저")
    async with AsyncExitStack() as open_streams:
        running = [
            await open_streams.enter_async_context(aclosing(world.events(user, haru, f"{n}번")))
            for n in range(4)
        ]
        for events in running:
            while not isinstance(await anext(events), Delta):
                pass
        for session in (None, first.session_id):
            with pytest.raises(RateLimited):
                await world.say(user, haru, "다섯째", session)
        with pytest.raises(RateLimited):
            await world.reroll(user, answer)
        assert (await world.say(other, haru, "나는 다른 사람")).done
        assert isinstance([e async for e in running[0]][-1], Done)
        assert (await world.say(user, haru, "다섯째")).done


async def test_turns_whose_process_died_do_not_count_for_ever(world: World) -> None:
    haru, user = await world.character(), somebody()
    for n in range(5):
        await world.say(user, haru, f"{n}번")
    await world.sql(
        "UPDATE chat.turns SET state = 'running', lease_until = now() - interval '1 s'"
        " WHERE user_id = %s",
        user,
    )
    assert (await world.say(user, haru, "또 하나")).done


Search = Callable[[World, UserId, Scope], Awaitable[object]]


async def a_recall(world: World, user: UserId, scope: Scope) -> object:
    return await preview(world.engine, scope, "콩이?", None, None)


async def a_search(world: World, user: UserId, scope: Scope) -> object:
    return await search(world.engine, user, "콩이", None, None, 9)


async def an_edit(world: World, user: UserId, scope: Scope) -> object:
    (memory_id,) = await memory_ids(world, user, *scope.character_ids)
    return await amend_memory(world.engine, user, memory_id, Amendment(summary="콩이는 강아지"))


@pytest.mark.parametrize("embeds", [a_recall, a_search, an_edit])
async def test_what_embeds_a_text_is_counted_wherever_it_is_asked_for(
    world: World, embeds: Search
) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "강아지 콩이를 입양했어")
    scope, calls = Scope(user, (haru,)), world.embedder.calls
    with pytest.raises(RateLimited):
        await embeds(limited(world, search=0), user, scope)
    assert world.embedder.calls == calls
    await embeds(limited(world, search=1), user, scope)


async def test_without_redis_everybody_is_let_in(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    class Away:
        async def check(self, user_id: UserId, kind: RequestKind) -> None:
            raise LockUnavailable("down")

    haru, user = await world.character(), somebody()
    away = replace(world, engine=replace(world.engine, limiter=Away()))
    assert (await away.say(user, haru, "안녕")).done
    assert "rate_limit_unavailable" in capsys.readouterr().out
