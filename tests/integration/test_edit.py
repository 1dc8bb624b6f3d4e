"""Edit: a message with another text, the user's or an answer."""

import pytest

from gieok.conversation.sessions import read_session
from gieok.errors import (
    InvalidText,
)
from gieok.revision.edit import edit_message
from tests.support.conversation import generate_idle, message, messages_of, summaries, talk
from tests.support.world import World, somebody


async def test_an_edit_keeps_everything_but_the_text(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    before = await messages_of(world, user, session)
    edited = await edit_message(world.engine, user, before[0].stored.sealed.id, "고친 하나")
    assert edited.text == "고친 하나"
    assert edited.stored.edited_at
    answered = await edit_message(world.engine, user, before[1].stored.sealed.id, "고친 대답")
    assert answered.stored.sealed.role == "assistant"
    after = await messages_of(world, user, session)
    assert [m.text for m in after] == ["고친 하나", "고친 대답", *(m.text for m in before[2:])]
    assert [m.stored.sealed.id for m in after] == [m.stored.sealed.id for m in before]
    assert (await read_session(world.engine, user, session)).message_count == 4


async def test_the_same_text_again_is_no_edit_and_costs_no_memory(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    await generate_idle(world, user, haru)
    same = await edit_message(
        world.engine, user, await message(world, user, session, "하나"), "하나"
    )
    assert same.stored.edited_at is None
    assert await summaries(world, user) == ["하나"]


@pytest.mark.parametrize("text", ["", " \n", "a\0b", "\ud800", "가" * 8001])
async def test_a_text_that_breaks_a_rule_edits_nothing(world: World, text: str) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    with pytest.raises(InvalidText):
        await edit_message(world.engine, user, await message(world, user, session, "하나"), text)
    assert (await messages_of(world, user, session))[0].text == "하나"
