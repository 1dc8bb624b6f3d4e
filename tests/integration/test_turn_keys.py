"""What must be unique of turns stands in small tables; they say what the turns say, always."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

import psycopg
import pytest

from gieok.ids import new_id
from gieok.retention.sweep import sweep
from gieok.revision import reset as resetting
from gieok.types import UserId
from tests.support.conversation import do_edit, do_reroll, do_rewind, talk
from tests.support.world import World, somebody

_KEYS = """
SELECT 'message', client_message_id, turn_id FROM chat.client_messages WHERE user_id = %(user)s
UNION ALL SELECT 'reroll', reroll_id, turn_id FROM chat.rerolls WHERE user_id = %(user)s
UNION ALL SELECT 'runs', session_id::text, turn_id FROM chat.running_turns WHERE user_id = %(user)s
"""
_TURNS = """
SELECT 'message', client_message_id, id FROM chat.turns WHERE user_id = %(user)s
UNION ALL SELECT 'reroll', reroll_id, id FROM chat.turns
          WHERE user_id = %(user)s AND reroll_id IS NOT NULL
UNION ALL SELECT 'runs', session_id::text, id FROM chat.turns
          WHERE user_id = %(user)s AND state = 'running'
"""


async def keys(world: World, user: UserId) -> set[tuple[object, ...]]:
    """The rows of the small tables; the turns say the same."""
    async with await psycopg.AsyncConnection.connect(world.admin_url) as link:
        kept = set(await (await link.execute(_KEYS, {"user": user})).fetchall())
        said = set(await (await link.execute(_TURNS, {"user": user})).fetchall())
    assert kept == said
    return kept


async def purge(world: World, user: UserId, *_: object) -> object:
    """Let all that the user said be older than it may be kept."""
    old = "UPDATE chat.turns SET created_at = now() - interval '30 hours' WHERE user_id = %s"
    await world.sql(old, user)
    return await sweep(world.sweeper)


async def reset(world: World, user: UserId, session: UUID, _: str) -> object:
    """Have the character of a session forget everything."""
    ((character,),) = await world.sql(
        "SELECT character_ids[1] FROM chat.sessions WHERE id = %s", session
    )
    await resetting.reset(world.engine, user, character)
    return None


@pytest.mark.parametrize(
    ("take", "left"),
    [(do_edit, 3), (do_reroll, 4), (do_rewind, 2), (reset, 0), (purge, 0)],
    ids=["edit", "reroll", "rewind", "reset", "purge"],
)
async def test_taking_turns_back_takes_their_keys_along(
    world: World, take: Callable[[World, UserId, UUID, str], Awaitable[object]], left: int
) -> None:
    haru, user, other = await world.character(), somebody(), somebody()
    await talk(world, other, haru, "하나")
    session = await talk(world, user, haru, "하나", "둘", "셋")
    assert len(await keys(world, user)) == 3
    await take(world, user, session, "둘")
    assert len(await keys(world, user)) == left
    assert len(await keys(world, other)) == 1 or take is purge


async def test_a_second_running_turn_of_a_session_is_refused_by_the_table(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "하나")
    begin = (
        "INSERT INTO chat.turns (user_id, id, session_id, character_ids, client_message_id, number,"
        " lease_until) VALUES (%s, %s, %s, %s, %s, 9, now())"
    )

    async def beginning(name: str) -> bool:
        try:
            await world.sql(begin, user, new_id(), session, [haru], name)
        except psycopg.errors.UniqueViolation:
            return False
        return True

    begun = await asyncio.gather(*(beginning(name) for name in "abcdef"))
    assert sum(begun) == 1
    ended = "UPDATE chat.turns SET state = 'failed' WHERE user_id = %s AND state = 'running'"
    await world.sql(ended, user)
    assert await beginning("g")
