"""Conversations on a real database, and the ways to take them back."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import UUID

import pytest

from gieok.conversation.sessions import ReadMessage, read_messages
from gieok.memories.read import list_memories
from gieok.revision.edit import edit_message
from gieok.revision.rewind import rewind
from gieok.types import UserId
from tests.support.world import World

IDLE = timedelta(hours=3)


async def talk(world: World, user: UserId, cast: UUID, *messages: str) -> UUID:
    """Say all in one new session."""
    session = None
    for message in messages:
        session = (await world.say(user, cast, message, session)).session_id
    assert session
    return session


async def generate_idle(world: World, user: UserId, *cast: UUID) -> None:
    """What the worker does when the user is away."""
    world.clock.ahead = IDLE
    outcomes = await world.generate(user, *cast)
    world.clock.ahead = timedelta()
    assert outcomes[-1] == "not_due"


async def messages_of(world: World, user: UserId, session: UUID) -> list[ReadMessage]:
    """Raw messages, oldest first."""
    page = await read_messages(world.engine, user, session, None, 99)
    return list(reversed(page.items))


async def message(world: World, user: UserId, session: UUID, text: str) -> UUID:
    """The id of the message with a text."""
    told = await messages_of(world, user, session)
    return next(m.stored.sealed.id for m in told if m.text == text)


async def answer_to(world: World, user: UserId, session: UUID, text: str) -> UUID:
    """The id of the answer to a message."""
    told = await messages_of(world, user, session)
    place = next(i for i, m in enumerate(told) if m.text == text)
    return told[place + 1].stored.sealed.id


async def summaries(world: World, user: UserId, character: UUID | None = None) -> list[str]:
    """What is remembered, oldest first."""
    page = await list_memories(world.engine, user, character, None, None, 99)
    return [m.summary for m in reversed(page.items)]


Take = Callable[[World, UserId, UUID, str], Awaitable[object]]


async def do_rewind(world: World, user: UserId, session: UUID, text: str) -> object:
    to = await answer_to(world, user, session, text)
    return await rewind(world.engine, user, session, to)


async def do_edit(world: World, user: UserId, session: UUID, text: str) -> object:
    return await edit_message(
        world.engine, user, await message(world, user, session, text), f"고친 {text}"
    )


async def do_reroll(world: World, user: UserId, session: UUID, text: str) -> object:
    return await world.reroll(user, await answer_to(world, user, session, text))


TAKES = pytest.mark.parametrize("take", [do_rewind, do_edit, do_reroll])
