"""Whom the sweep hints: everybody in turn, nobody twice in a row, and what was lost again."""

from datetime import timedelta

import pytest

from gieok.retention.sweep import sweep
from gieok.store import retention
from gieok.types import Scope, UserId
from tests.support.sweeping import aged, hinted
from tests.support.world import World, somebody


async def idle_users(world: World, count: int) -> list[Scope]:
    """Scopes that are due."""
    haru, scopes = await world.character(), []
    for _ in range(count):
        user = somebody()
        await world.say(user, haru, "한마디")
        await aged(world, user, 3)
        scopes.append(Scope(user, (haru,)))
    return scopes


async def a_page(world: World, limit: int) -> list[Scope]:
    """What one small run would hint, marked as hinted."""
    due = retention.list_due_scopes(world.sweeper.policy.generation, limit)
    scopes = (await world.sweeper.database.run(None, due))[due]
    await world.sweeper.database.run(None, retention.mark_hinted(scopes))
    return scopes


async def hint_ago(world: World, user: UserId, ago: timedelta) -> None:
    await world.sql("UPDATE ops.hints SET hinted_at = now() - %s WHERE user_id = %s", ago, user)


async def test_more_scopes_than_one_run_takes_all_have_their_turn(world: World) -> None:
    await sweep(world.sweeper)  # whoever other tests left behind
    scopes = await idle_users(world, 5)
    pages = [await a_page(world, 2) for _ in range(3)]
    assert [len(p) for p in pages] == [2, 2, 1]
    assert [*pages[0], *pages[1], *pages[2]] == scopes, "the oldest message first, nobody twice"


async def test_who_waited_longest_for_a_hint_comes_first(world: World) -> None:
    await sweep(world.sweeper)
    one, two, three = await idle_users(world, 3)
    await a_page(world, 9)
    for scope, minutes in ((one, 20), (two, 40), (three, 30)):
        await hint_ago(world, scope.user_id, timedelta(minutes=minutes))
    assert await a_page(world, 2) == [two, three]


async def test_a_scope_that_stays_due_is_hinted_again_but_not_at_once(world: World) -> None:
    (scope,) = await idle_users(world, 1)
    for _ in range(2):
        await sweep(world.sweeper)
        assert hinted(world, scope.user_id).count(scope) == 1
    await hint_ago(world, scope.user_id, timedelta(minutes=11))
    await sweep(world.sweeper)
    assert hinted(world, scope.user_id).count(scope) == 2


async def test_nobody_counts_as_hinted_while_the_queue_is_down(world: World) -> None:
    (scope,) = await idle_users(world, 1)
    world.hints.down = True
    await sweep(world.sweeper)
    world.hints.down = False
    await sweep(world.sweeper)
    assert hinted(world, scope.user_id) == [scope]


async def test_hints_of_yesterday_are_forgotten(world: World) -> None:
    (scope,) = await idle_users(world, 1)
    await sweep(world.sweeper)
    await world.generate(scope.user_id, *scope.character_ids)
    await world.talk_and_generate(scope.user_id, scope.character_ids[0], "한마디 더")
    await hint_ago(world, scope.user_id, timedelta(hours=25))
    await sweep(world.sweeper)
    count = "SELECT count(*) FROM ops.hints WHERE user_id = %s"
    assert await world.sql(count, scope.user_id) == [(0,)]


async def test_a_rest_between_two_memories_is_hinted_as_soon_as_it_is_settled(world: World) -> None:
    haru, user = await world.character(), somebody()
    for text in ("처음", "다음"):
        await world.talk_and_generate(user, haru, text)
    await step_back(world, user)
    world.hints.sent.clear()
    await sweep(world.sweeper)
    assert hinted(world, user) == []
    assert await world.generate(user, haru) == ["not_due"], "the last exchange may still change"
    world.hints.sent.clear()
    await aged(world, user, 0.05)
    await sweep(world.sweeper)
    assert hinted(world, user) == [Scope(user, (haru,))]
    assert await world.generate(user, haru) == ["written", "not_due"]
    assert await world.generate(user, haru) == ["not_due"], "what stands is not taken again"
    ranges = await world.sql(
        "SELECT first_position, last_position FROM memory.memories WHERE user_id = %s"
        " AND invalidated_at IS NULL ORDER BY first_position",
        user,
    )
    assert len(ranges) == 2
    assert ranges[0][1] < ranges[1][0], "memories never overlap"


async def step_back(world: World, user: UserId) -> None:
    """What a change of the first window's turns does: its memory goes, the cursor steps back, and
    its session was active now."""
    await world.sql(
        "UPDATE memory.memories m SET invalidated_at = now() WHERE m.user_id = %s"
        " AND m.first_position = (SELECT min(first_position) FROM memory.memories"
        " WHERE user_id = m.user_id)",
        user,
    )
    await world.sql("UPDATE memory.pairs SET covered_through = 0 WHERE user_id = %s", user)
    await world.sql("UPDATE chat.sessions SET last_active_at = now() WHERE user_id = %s", user)


async def test_what_stands_after_the_cursor_is_neither_counted_nor_lost(world: World) -> None:
    haru, user = await world.character(), somebody()
    for text in ("처음", "다음"):
        await world.talk_and_generate(user, haru, text)
    await step_back(world, user)
    await aged(world, user, 24.1)
    assert (await sweep(world.sweeper)).lost == 1, "the turn of the memory that went, and no other"


async def test_only_turns_that_held_a_message_are_lost(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    haru, user = await world.character(), somebody()
    for text in ("하나", "둘", "셋"):
        await world.say(user, haru, text)
    await world.sql(
        "DELETE FROM chat.messages WHERE turn_id IN"
        " (SELECT id FROM chat.turns WHERE user_id = %s ORDER BY position LIMIT 1)",
        user,
    )
    await aged(world, user, 24.1)
    capsys.readouterr()
    swept = await sweep(world.sweeper)
    assert (swept.purged, swept.lost) == (3, 2)
    assert '"unsummarised_lost":[2.0]' in capsys.readouterr().out
