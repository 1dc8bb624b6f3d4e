"""What the user decided of a memory outlasts every change of the words around it."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest

from gieok.conversation.sessions import end_session
from gieok.errors import NotFound
from gieok.memories.amend import Amendment, amend_memory
from gieok.memories.delete import delete_memory
from gieok.memories.read import list_memories
from gieok.revision.edit import edit_message
from gieok.revision.rewind import rewind
from gieok.types import Memory, UserId
from tests.support.conversation import (
    answer_to,
    do_edit,
    generate_idle,
    message,
    summaries,
    talk,
)
from tests.support.derived import memory_ids
from tests.support.world import World, somebody

SAID = ("하나", "둘", "셋", "넷", "비밀 다섯", "여섯")
SECRET = SAID[4]

Change = Callable[[World, UserId, UUID, str], Awaitable[object]]


async def edit_the_answer(world: World, user: UserId, session: UUID, text: str) -> object:
    answer = await answer_to(world, user, session, text)
    return await edit_message(world.engine, user, answer, "다른 대답")


async def reroll_the_answer(world: World, user: UserId, session: UUID, text: str) -> object:
    return await world.reroll(user, await answer_to(world, user, session, text))


async def rewind_to_the_message(world: World, user: UserId, session: UUID, text: str) -> object:
    return await rewind(world.engine, user, session, await message(world, user, session, text))


ANSWERS = pytest.mark.parametrize("change", [edit_the_answer, reroll_the_answer])
CHANGES = pytest.mark.parametrize(
    "change", [edit_the_answer, reroll_the_answer, rewind_to_the_message]
)


async def remembered(world: World, user: UserId) -> list[Memory]:
    """The memories, oldest first."""
    page = await list_memories(world.engine, user, None, None, None, 9)
    return list(reversed(page.items))


async def with_the_secret(world: World, user: UserId) -> Memory:
    """The memory that tells the secret."""
    (memory,) = [m for m in await remembered(world, user) if SECRET in m.summary]
    return memory


async def decided(world: World, user: UserId, haru: UUID, amendment: Amendment) -> UUID:
    """A conversation of which the memory with the secret was amended."""
    session = await talk(world, user, haru, *SAID)
    await generate_idle(world, user, haru)
    memory = await with_the_secret(world, user)
    await amend_memory(world.engine, user, memory.id, amendment)
    return session


async def ended(world: World, user: UserId, haru: UUID, session: UUID) -> None:
    """The worker after the session was ended."""
    await end_session(world.engine, user, session)
    await generate_idle(world, user, haru)


@CHANGES
async def test_a_deleted_memory_stays_deleted_when_an_answer_in_it_changes(
    world: World, change: Change
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, *SAID)
    await generate_idle(world, user, haru)
    await delete_memory(world.engine, user, (await with_the_secret(world, user)).id)
    await change(world, user, session, SECRET)
    await ended(world, user, haru, session)
    assert not [s for s in await summaries(world, user) if SECRET in s]


@ANSWERS
async def test_a_memory_that_is_deleted_while_it_is_made_anew_stays_deleted(
    world: World, change: Change
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, *SAID)
    await generate_idle(world, user, haru)
    memory = await with_the_secret(world, user)
    await change(world, user, session, SECRET)
    await delete_memory(world.engine, user, memory.id)
    await ended(world, user, haru, session)
    assert not [s for s in await summaries(world, user) if SECRET in s]
    assert await world.sql(
        "SELECT count(*) FROM memory.memories WHERE user_id = %s AND id = %s", user, memory.id
    ) == [(0,)]


async def test_one_that_fell_is_not_deleted_once_another_one_stands_for_its_turns(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나 비밀", "둘 말")
    await generate_idle(world, user, haru)
    (fell,) = await memory_ids(world, user, haru)
    await do_edit(world, user, session, "둘 말")
    await generate_idle(world, user, haru)
    (stands,) = {*await memory_ids(world, user, haru)} - {fell}
    with pytest.raises(NotFound):
        await delete_memory(world.engine, user, fell)
    assert await summaries(world, user, haru) == ["하나 비밀 고친 둘 말"]
    await delete_memory(world.engine, user, stands)
    await generate_idle(world, user, haru)
    left = "SELECT count(*) FROM memory.memories WHERE user_id = %s"
    assert await world.sql(left, user) == [(0,)]


async def test_new_words_in_place_of_deleted_ones_are_remembered_without_the_old_answer(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, *SAID)
    await generate_idle(world, user, haru)
    await delete_memory(world.engine, user, (await with_the_secret(world, user)).id)
    await reroll_the_answer(world, user, session, SECRET)
    secret = await message(world, user, session, SECRET)
    await edit_message(world.engine, user, secret, "새 다섯")
    await generate_idle(world, user, haru)
    assert "새 다섯" in await summaries(world, user)
    assert "그랬구나" not in world.speaker.extractions[-1].payload
    await reroll_the_answer(world, user, session, "새 다섯")
    await ended(world, user, haru, session)
    assert "새 다섯" in await summaries(world, user)
    assert "그랬구나" in world.speaker.extractions[-1].payload


async def test_a_deleted_memory_stays_deleted_when_its_message_is_sent_again(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, SECRET, None, "five")).session_id
    await generate_idle(world, user, haru)
    await delete_memory(world.engine, user, (await with_the_secret(world, user)).id)
    await rewind_to_the_message(world, user, session, SECRET)
    await world.say(user, haru, SECRET, session, "five")
    await ended(world, user, haru, session)
    assert await summaries(world, user) == []


@CHANGES
async def test_a_muted_memory_comes_back_muted(world: World, change: Change) -> None:
    haru, user = await world.character(), somebody()
    session = await decided(world, user, haru, Amendment(muted=True))
    await change(world, user, session, "넷" if change is not rewind_to_the_message else SECRET)
    await ended(world, user, haru, session)
    assert (await with_the_secret(world, user)).muted
    rows = await world.sql(
        "SELECT DISTINCT mc.live FROM memory.memory_characters mc JOIN memory.memories m"
        " ON m.user_id = mc.user_id AND m.id = mc.memory_id"
        " WHERE m.user_id = %s AND m.muted_at IS NOT NULL", user,
    )  # fmt: skip
    assert rows == [(False,)]


async def test_an_unmuted_memory_comes_back_unmuted(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await decided(world, user, haru, Amendment(muted=True))
    await reroll_the_answer(world, user, session, "넷")
    await generate_idle(world, user, haru)
    memory = await with_the_secret(world, user)
    await amend_memory(world.engine, user, memory.id, Amendment(muted=False))
    await reroll_the_answer(world, user, session, "넷")
    await ended(world, user, haru, session)
    assert not (await with_the_secret(world, user)).muted


async def test_what_is_said_after_a_muted_memory_is_not_muted_with_it(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", SECRET)
    await generate_idle(world, user, haru)
    memory = await with_the_secret(world, user)
    await amend_memory(world.engine, user, memory.id, Amendment(muted=True))
    for text in ("셋", "넷"):
        await world.say(user, haru, text, session)
    await reroll_the_answer(world, user, session, "하나")
    await ended(world, user, haru, session)
    assert [(m.summary, m.muted) for m in await remembered(world, user)] == [
        (f"하나 {SECRET}", True),
        ("셋 넷", False),
    ]


@CHANGES
async def test_the_users_importance_holds(world: World, change: Change) -> None:
    haru, user = await world.character(), somebody()
    session = await decided(world, user, haru, Amendment(importance=9))
    await change(world, user, session, SECRET)
    await ended(world, user, haru, session)
    assert (await with_the_secret(world, user)).importance == 9


async def test_an_importance_that_the_user_confirmed_holds(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await decided(world, user, haru, Amendment(importance=5))
    extract = world.speaker.extract
    world.speaker.extract = lambda p: extract(p).replace('"importance": 5', '"importance": 2')
    await reroll_the_answer(world, user, session, SECRET)
    await ended(world, user, haru, session)
    assert (await with_the_secret(world, user)).importance == 5


@CHANGES
async def test_the_users_own_text_stands_while_only_answers_change(
    world: World, change: Change
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, *SAID[:5])
    await generate_idle(world, user, haru)
    memory = await with_the_secret(world, user)
    wanted = Amendment(summary="내가 고친 글", importance=9)
    await amend_memory(world.engine, user, memory.id, wanted)
    await change(world, user, session, SECRET)
    await ended(world, user, haru, session)
    (stands,) = await remembered(world, user)
    assert (stands.summary, stands.importance) == ("내가 고친 글", 9)


async def test_a_quote_that_the_user_struck_out_does_not_come_back(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await decided(world, user, haru, Amendment(details=()))
    await reroll_the_answer(world, user, session, SECRET)
    await ended(world, user, haru, session)
    assert (await with_the_secret(world, user)).details == ()


async def test_new_words_of_the_user_outrank_their_own_text_but_not_the_rest(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    wanted = Amendment(summary=f"내가 고친 {SECRET}", importance=9, muted=True)
    session = await decided(world, user, haru, wanted)
    edited = await message(world, user, session, "넷")
    await edit_message(world.engine, user, edited, "고친 넷")
    await ended(world, user, haru, session)
    memory = await with_the_secret(world, user)
    assert "고친 넷" in memory.summary
    assert "내가" not in memory.summary
    assert (memory.importance, memory.muted) == (9, True)
