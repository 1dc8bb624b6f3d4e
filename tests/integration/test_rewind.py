"""Rewind: what came after a message never happened, and the rest is as it was."""

import pytest

from gieok.errors import (
    NotFound,
)
from gieok.memories.amend import Amendment, amend_memory
from gieok.memories.read import list_memories
from gieok.revision.edit import edit_message
from gieok.revision.rewind import rewind
from gieok.types import Scope
from tests.support.conversation import (
    answer_to,
    generate_idle,
    message,
    messages_of,
    summaries,
    talk,
)
from tests.support.world import World, extraction, somebody


async def test_a_rewind_to_the_users_message_leaves_it_without_its_answer(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘", "셋")
    to = await message(world, user, session, "둘")
    rewound = await rewind(world.engine, user, session, to)
    told = await messages_of(world, user, session)
    assert [m.text for m in told if m.stored.sealed.role == "user"] == ["하나", "둘"]
    assert [m.stored.sealed.role for m in told] == ["user", "assistant", "user"]
    assert rewound.message_count == 3


async def test_a_rewind_to_an_answer_leaves_its_turn_whole(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘", "셋")
    to = await answer_to(world, user, session, "둘")
    rewound = await rewind(world.engine, user, session, to)
    assert rewound.message_count == 4
    assert len(await messages_of(world, user, session)) == 4
    again = await rewind(world.engine, user, session, to)
    assert (again.message_count, again.status) == (4, "active")


async def test_the_next_turn_starts_from_where_the_talk_was_taken_back_to(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘", "셋")
    await rewind(world.engine, user, session, await message(world, user, session, "하나"))
    await world.say(user, haru, "다른 둘", session)
    said = [text for _, text in world.speaker.prompts[-1].turns]
    assert said == ["하나", "다른 둘"]
    numbers = [m.stored.turn_number for m in await messages_of(world, user, session)]
    assert numbers == [1, 2, 2]


async def test_memories_of_what_was_taken_back_go_and_the_rest_is_remembered_anew(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    kept = await talk(world, user, haru, "다른 대화")
    await generate_idle(world, user, haru)
    session = await talk(world, user, haru, "하나", "둘", "셋")
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["다른 대화", "하나 둘 셋"]
    world.hints.sent.clear()
    await rewind(world.engine, user, session, await answer_to(world, user, session, "둘"))
    assert await summaries(world, user) == ["다른 대화"]
    assert [scope for scope, _ in world.hints.sent] == [Scope(user, (haru,))]
    assert world.hints.sent[0][1] > world.engine.policy.generation.settle_after.total_seconds()
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["다른 대화", "하나 둘"]
    assert kept != session


async def test_pinned_memories_survive_a_rewind_and_their_turns_are_not_taken_twice(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    await generate_idle(world, user, haru)
    (memory,) = (await list_memories(world.engine, user, haru, None, None, 9)).items
    await amend_memory(world.engine, user, memory.id, Amendment(pinned=True))
    await rewind(world.engine, user, session, await answer_to(world, user, session, "하나"))
    await world.say(user, haru, "새 둘", session)
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["하나 둘", "새 둘"]


async def test_what_another_session_left_later_stands_and_is_not_read_again(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    await generate_idle(world, user, haru)
    await talk(world, user, haru, "나중 대화")
    await generate_idle(world, user, haru)
    await rewind(world.engine, user, session, await answer_to(world, user, session, "하나"))
    extractions = len(world.speaker.extractions)
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["나중 대화", "하나"]
    assert len(world.speaker.extractions) == extractions + 1


async def test_a_deleted_memory_does_not_come_back_when_the_cursor_steps_over_it(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    await generate_idle(world, user, haru)
    await talk(world, user, haru, "지워 달라는 말")
    await generate_idle(world, user, haru)
    await world.sql(
        "DELETE FROM memory.memories m WHERE user_id = %s AND first_position ="
        " (SELECT max(first_position) FROM memory.memories WHERE user_id = m.user_id)",
        user,
    )
    await edit_message(world.engine, user, await message(world, user, session, "하나"), "고친 하나")
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["고친 하나"]


async def test_a_window_worth_nothing_is_not_asked_about_again(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    await generate_idle(world, user, haru)
    world.speaker.extract = lambda p: extraction(p, worth_keeping=False)
    await talk(world, user, haru, "음")
    await generate_idle(world, user, haru)
    world.speaker.extract = extraction
    await edit_message(world.engine, user, await message(world, user, session, "하나"), "고친 하나")
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["고친 하나"]


async def test_a_message_of_another_session_is_no_place_to_rewind_to(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    other = await talk(world, user, haru, "셋")
    with pytest.raises(NotFound):
        await rewind(world.engine, user, other, await message(world, user, session, "하나"))
    assert len(await messages_of(world, user, session)) == 4


async def test_a_deleted_memory_does_not_come_back_with_a_later_one_that_spans_it(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "지울 둘")
    await generate_idle(world, user, haru)
    for text in ("셋", "지울 넷"):
        await world.say(user, haru, text, session)
    await generate_idle(world, user, haru)
    await world.sql("DELETE FROM memory.memories WHERE user_id = %s", user)
    for text in ("하나", "셋"):
        found = await message(world, user, session, text)
        await edit_message(world.engine, user, found, f"고친 {text}")
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["고친 하나", "고친 셋"]
    await rewind(world.engine, user, session, await message(world, user, session, "고친 셋"))
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["고친 하나", "고친 셋"]


async def test_a_rewind_to_a_message_without_an_answer_changes_nothing(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    to = await message(world, user, session, "하나")
    await rewind(world.engine, user, session, to)
    await generate_idle(world, user, haru)
    before = (await list_memories(world.engine, user, haru, None, None, 9)).items
    await rewind(world.engine, user, session, to)
    assert (await list_memories(world.engine, user, haru, None, None, 9)).items == before != ()
