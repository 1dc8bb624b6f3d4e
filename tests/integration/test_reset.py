"""Reset: a relationship begins anew, and nothing under way brings the old one back."""

import psycopg
import pytest

from gieok.conversation.replay import outcome
from gieok.errors import (
    Interrupted,
    NotFound,
)
from gieok.ids import new_id
from gieok.retention.removal import BATCH
from gieok.revision.reset import reset
from tests.support.bulk.rows import Pair, write
from tests.support.conversation import IDLE, generate_idle, messages_of, summaries, talk
from tests.support.world import World, extraction, somebody


async def test_a_reset_takes_all_that_was_with_that_character_alone(world: World) -> None:
    haru, bada, user = await world.character(), await world.character("바다"), somebody()
    await talk(world, user, haru, "하루에게만")
    await talk(world, user, bada, "바다에게만")
    both = tuple(sorted((haru, bada)))
    shared = (await world.say(user, both, "둘에게")).session_id
    for cast in ((haru,), (bada,), both):
        await generate_idle(world, user, *cast)
    await reset(world.engine, user, haru)
    await reset(world.engine, user, haru)
    assert await summaries(world, user, haru) == []
    assert await summaries(world, user, bada) == ["바다에게만", "둘에게"]
    assert len(await messages_of(world, user, shared)) == 2
    sessions = "SELECT count(*) FROM chat.sessions WHERE user_id = %s AND character_ids = %s"
    assert await world.sql(sessions, user, [haru]) == [(0,)]
    for table in (
        "memory_characters",
        "vector_blocks",
        "recent_postings",
        "facts",
        "relationship_versions",
    ):
        left = f"SELECT count(*) FROM memory.{table} WHERE user_id = %s AND character_id = %s"
        assert await world.sql(left, user, haru) == [(0,)], table


async def test_what_was_said_before_a_reset_is_never_that_characters_memory(world: World) -> None:
    haru, bada, user = await world.character(), await world.character("바다"), somebody()
    both = tuple(sorted((haru, bada)))
    session = (await world.say(user, both, "옛말")).session_id
    await reset(world.engine, user, haru)
    await world.say(user, both, "새말", session)
    await generate_idle(world, user, *both)
    assert await summaries(world, user, haru) == ["새말"]
    assert await summaries(world, user, bada) == ["옛말", "새말"]


async def test_a_reset_is_not_undone_by_a_turn_or_a_worker_under_way(world: World) -> None:
    haru, user = await world.character(), somebody()
    await talk(world, user, haru, "하나")
    events = world.events(user, haru, "둘", client_message_id="two")
    await anext(events)
    world.speaker.extract = lambda p: extraction(p)
    world.clock.ahead = IDLE

    async def reset_then(*arguments: object) -> object:
        await reset(world.engine, user, haru)
        return await structured(*arguments)  # type: ignore[arg-type]

    structured, world.speaker.structured = world.speaker.structured, reset_then  # type: ignore[method-assign, assignment]
    assert (await world.generate(user, haru))[0] == "superseded"
    rest = [e async for e in events]
    assert rest[-1].code == Interrupted.code  # type: ignore[union-attr]
    left = "SELECT count(*) FROM chat.turns WHERE user_id = %s"
    assert await world.sql(left, user) == [(0,)]
    assert await summaries(world, user) == []
    with pytest.raises(NotFound):
        await outcome(world.engine, user, "two")


async def test_a_reset_of_nobody_is_not_found_and_of_a_stranger_takes_nothing(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    with pytest.raises(NotFound):
        await reset(world.engine, user, new_id())
    await reset(world.engine, somebody(), haru)
    assert len(await messages_of(world, user, session)) == 2


async def test_a_reset_of_more_memories_than_go_at_once_takes_all_of_them(world: World) -> None:
    pair = Pair(7001, 2 * BATCH + 1)
    user, (haru,) = pair.scope.user_id, pair.scope.character_ids
    with psycopg.connect(world.admin_url) as connection:
        write(connection, [pair])
    await world.sql(
        "INSERT INTO chat.characters (id, name, persona, fallback_line)"
        " VALUES (%s, '하루', '', '')",
        haru,
    )
    await reset(world.engine, user, haru)
    assert await summaries(world, user) == []
    for table in ("memory_characters", "vector_blocks", "recent_postings", "postings", "memories"):
        left = f"SELECT count(*) FROM memory.{table} WHERE user_id = %s"
        assert await world.sql(left, user) == [(0,)], table
