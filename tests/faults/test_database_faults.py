"""Connections cut and frozen at bad moments: one retry, then a typed error, nothing by half."""

import asyncio

import pytest

from gieok.conversation.events import Done, Failed
from gieok.errors import DatabaseUnavailable
from gieok.store import database
from tests.support.proxy import proxy_to
from tests.support.stack import Stack, make_world
from tests.support.world import somebody


async def test_a_connection_cut_while_idle_is_replaced_unnoticed(stack: Stack) -> None:
    async with proxy_to(stack.socket) as proxy, make_world(stack, chat_port=proxy.port) as world:
        haru, user = await world.character(), somebody()
        told = await world.say(user, haru, "하나")
        proxy.cut()
        again = await world.say(user, haru, "둘", told.session_id)
        assert isinstance(again.events[-1], Done)


@pytest.mark.parametrize("at", [1, 2, 3])
async def test_a_connection_cut_at_any_round_trip_of_a_turn_is_retried_once(
    stack: Stack, at: int
) -> None:
    async with proxy_to(stack.socket) as proxy, make_world(stack, chat_port=proxy.port) as world:
        haru, user = await world.character(), somebody()
        session = (await world.say(user, haru, "하나")).session_id
        proxy.cut_after_query(len(proxy.queries) + at)
        told = await world.say(user, haru, "둘", session, client_message_id="m")
        assert isinstance(told.events[-1], Done)
        counted = await world.sql(
            "SELECT s.message_count, (SELECT count(*) FROM chat.messages m JOIN chat.turns t"
            "  ON t.id = m.turn_id WHERE t.session_id = s.id) FROM chat.sessions s WHERE s.id = %s",
            session,
        )
        assert counted == [(4, 4)]
        usage = await world.sql(
            "SELECT count(*) FROM ops.usage WHERE user_id = %s AND task = 'CHAT'", user
        )
        assert usage == [(2,)]


async def test_a_database_that_is_gone_is_a_typed_error_and_the_message_is_refused(
    stack: Stack,
) -> None:
    async with proxy_to(stack.socket) as proxy, make_world(stack, chat_port=proxy.port) as world:
        haru, user = await world.character(), somebody()
        await world.say(user, haru, "하나")
        proxy.refuse = True
        proxy.cut()
        with pytest.raises(DatabaseUnavailable):
            await world.say(user, haru, "둘", client_message_id="m")
        proxy.refuse = False
        told = await world.say(user, haru, "둘", client_message_id="m")
        assert isinstance(told.events[-1], Done)


async def test_a_database_lost_after_the_model_spoke_is_an_error_and_can_be_sent_again(
    stack: Stack,
) -> None:
    async with proxy_to(stack.socket) as proxy, make_world(stack, chat_port=proxy.port) as world:
        haru, user = await world.character(), somebody()
        session = (await world.say(user, haru, "하나")).session_id

        def lose() -> None:
            proxy.refuse = True
            proxy.cut()

        world.speaker.on_stream = lose
        told = await world.say(user, haru, "둘", session, client_message_id="m")
        last = told.events[-1]
        assert isinstance(last, Failed)
        assert (last.code, last.retryable) == ("database_unavailable", True)
        world.speaker.on_stream = lambda: None
        proxy.refuse = False
        await world.sql(
            "UPDATE chat.turns SET lease_until = now() - interval '1 s'"
            " WHERE user_id = %s AND state = 'running'",
            user,
        )
        again = await world.say(user, haru, "둘", session, client_message_id="m")
        assert isinstance(again.events[-1], Done)
        said = "SELECT count(*) FROM chat.messages WHERE user_id = %s AND role = 'user'"
        assert await world.sql(said, user) == [(2,)]


async def test_a_frozen_connection_is_given_up_and_replaced(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "STATEMENT_S", 0.5)
    async with proxy_to(stack.socket) as proxy, make_world(stack, chat_port=proxy.port) as world:
        haru, user = await world.character(), somebody()
        session = (await world.say(user, haru, "하나")).session_id
        proxy.freeze()
        turn = asyncio.create_task(world.say(user, haru, "둘", session))
        await proxy.refused_data.wait()
        await asyncio.sleep(0.6)  # longer than the bound: the first attempt is given up meanwhile
        proxy.thaw()
        assert isinstance((await turn).events[-1], Done)


async def test_postgres_restarting_between_turns_is_not_noticed(stack: Stack) -> None:
    async with make_world(stack) as world:
        haru, user = await world.character(), somebody()
        session = (await world.say(user, haru, "하나")).session_id
        await world.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            " AND datname = current_database()"
        )
        assert isinstance((await world.say(user, haru, "둘", session)).events[-1], Done)


async def test_a_read_only_database_is_a_typed_error(stack: Stack) -> None:
    async with make_world(stack) as world:
        haru = await world.character()
        name = "gieok_chat"
        await world.sql(f"ALTER ROLE {name} SET default_transaction_read_only = on")
        try:
            async with make_world(stack) as reader:
                with pytest.raises(DatabaseUnavailable):
                    await reader.say(somebody(), haru, "안녕")
        finally:
            await world.sql(f"ALTER ROLE {name} RESET default_transaction_read_only")
