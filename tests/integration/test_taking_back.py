"""What rewind, edit and reroll have in common, each on a real database with its memory."""

import asyncio

import pytest

from gieok.conversation.sessions import end_session, read_session
from gieok.errors import (
    NotFound,
    TurnInProgress,
)
from gieok.generation.generate import generate
from gieok.ids import new_id
from gieok.memories.read import list_memories
from gieok.revision.edit import edit_message
from gieok.revision.rewind import rewind
from gieok.types import Scope
from tests.support.conversation import (
    IDLE,
    TAKES,
    Take,
    do_edit,
    do_rewind,
    generate_idle,
    message,
    messages_of,
    summaries,
    talk,
)
from tests.support.world import World, extraction, somebody


@TAKES
async def test_facts_and_states_of_a_window_go_with_it(world: World, take: Take) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘", "셋")
    await generate_idle(world, user, haru)
    (memory,) = (await list_memories(world.engine, user, haru, None, None, 9)).items
    await world.sql(
        "INSERT INTO memory.facts (id, user_id, character_id, memory_id, message_id, category,"
        " subject, reality, confidence, content, fingerprint)"
        " VALUES (%s, %s, %s, %s, %s, 'profile', 'user', 'real', 1, '', '')",
        new_id(), user, haru, memory.id, new_id(),
    )  # fmt: skip
    await world.sql(
        "INSERT INTO memory.relationship_versions (id, user_id, character_id, version, body,"
        " memory_id) VALUES (%s, %s, %s, 1, '', %s)",
        new_id(), user, haru, memory.id,
    )  # fmt: skip
    await take(world, user, session, "둘")
    for table in ("facts", "relationship_versions"):
        standing = f"SELECT count(*) FROM memory.{table} WHERE user_id = %s"
        assert await world.sql(f"{standing} AND invalidated_at IS NULL", user) == [(0,)]
        assert await world.sql(standing, user) == [(1,)]


@TAKES
async def test_the_worker_is_told_of_what_a_skipped_window_is_to_be_read_for_again(
    world: World, take: Take
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘", "셋")
    world.speaker.extract = lambda p: extraction(p, worth_keeping=False)
    await generate_idle(world, user, haru)
    world.speaker.extract = extraction
    world.hints.sent.clear()
    await take(world, user, session, "둘")
    assert Scope(user, (haru,)) in [scope for scope, _ in world.hints.sent]


async def test_the_worker_is_not_told_of_a_change_that_it_has_not_read_yet(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    world.hints.sent.clear()
    await do_edit(world, user, session, "하나")
    assert world.hints.sent == []


@TAKES
async def test_a_worker_that_was_reading_meanwhile_writes_nothing(world: World, take: Take) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘", "셋")
    reading, taken = asyncio.Event(), asyncio.Event()
    structured, seen = world.speaker.structured, []

    async def slowly(*arguments: object) -> object:
        seen.append(arguments)
        if len(seen) == 1:
            reading.set()
            await taken.wait()
        return await structured(*arguments)  # type: ignore[arg-type]

    world.speaker.structured = slowly  # type: ignore[method-assign, assignment]
    world.clock.ahead = IDLE
    worker = asyncio.create_task(generate(world.worker, Scope(user, (haru,))))
    await reading.wait()
    await take(world, user, session, "둘")
    taken.set()
    assert (await worker)[0] == "superseded"
    (memory,) = await summaries(world, user)
    truth = [m.text for m in await messages_of(world, user, session)]
    assert memory.split(" ") == " ".join(t for t in truth if "그랬구나" not in t).split(" ")


@TAKES
async def test_nothing_is_taken_back_while_a_turn_streams(world: World, take: Take) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    await generate_idle(world, user, haru)
    before = [m.text for m in await messages_of(world, user, session)]
    events = world.events(user, haru, "셋", session)
    await anext(events)
    with pytest.raises(TurnInProgress):
        await take(world, user, session, "하나")
    assert [m.text for m in await messages_of(world, user, session)] == [*before, "셋"]
    assert await summaries(world, user) == ["하나 둘"]
    assert [e async for e in events][-1].message_id  # type: ignore[union-attr]


@TAKES
async def test_what_was_purged_or_is_anothers_is_not_found(world: World, take: Take) -> None:
    haru, user, thief = await world.character(), somebody(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    theirs = await message(world, user, session, "하나")
    for stranger, target in ((thief, theirs), (user, new_id())):
        with pytest.raises(NotFound):
            await rewind(world.engine, stranger, session, target)
        with pytest.raises(NotFound):
            await edit_message(world.engine, stranger, target, "바꿔치기")
        with pytest.raises(NotFound):
            await world.reroll(stranger, target)
    assert len(await messages_of(world, user, session)) == 4
    await world.sql("DELETE FROM chat.turns WHERE user_id = %s", user)
    with pytest.raises((NotFound, StopIteration, RuntimeError)):
        await take(world, user, session, "하나")


@pytest.mark.parametrize("take", [do_rewind, do_edit])
async def test_a_closed_session_can_be_taken_back_while_its_messages_are_kept(
    world: World, take: Take
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    await end_session(world.engine, user, session)
    await generate_idle(world, user, haru)
    await take(world, user, session, "하나")
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == (["하나"] if take is do_rewind else ["고친 하나 둘"])
    assert (await read_session(world.engine, user, session)).status == "archived"


async def test_a_worker_that_reads_a_group_with_the_same_character_is_superseded_too(
    world: World,
) -> None:
    """It was shown a relationship that stands no more."""
    haru, bada, user = await world.character(), await world.character("바다"), somebody()
    session = await talk(world, user, haru, "하나", "둘")
    both = tuple(sorted((haru, bada)))
    await world.say(user, both, "둘에게")
    structured = world.speaker.structured

    async def meanwhile(*arguments: object) -> object:
        world.speaker.structured = structured  # type: ignore[method-assign]
        await do_rewind(world, user, session, "하나")
        return await structured(*arguments)  # type: ignore[arg-type]

    world.speaker.structured = meanwhile  # type: ignore[method-assign, assignment]
    world.clock.ahead = IDLE
    assert (await world.generate(user, *both))[0] == "superseded"
    assert await summaries(world, user, bada) == ["둘에게"]
