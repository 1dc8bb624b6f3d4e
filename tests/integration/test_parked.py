"""An operator sees what was parked, without a word of it, and has it remembered after all."""

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

import pytest
import pytest_asyncio

from gieok.generation.outcome import Outcome
from gieok.ids import new_id
from gieok.memories.delete import delete_memory
from gieok.memories.read import list_memories
from gieok.operations import parked
from gieok.retention.sweep import sweep
from gieok.revision.edit import edit_message
from gieok.store.database import Database
from gieok.store.parking import ParkedWindow
from gieok.types import Scope, UserId
from tests.support.conversation import IDLE, message, summaries, talk
from tests.support.parking import WAITS
from tests.support.stack import Stack
from tests.support.sweeping import aged, hinted
from tests.support.world import World, extraction, somebody


@pytest_asyncio.fixture
async def operator(stack: Stack) -> AsyncIterator[Database]:
    """The database as `gieok_operator`."""
    database = Database(stack.url("gieok_operator"), 1)
    yield database
    await database.close()


async def park(world: World, user: UserId, *cast: UUID) -> None:
    """Fail the window that is due until it is parked, in no time by anyone's clock but ours."""
    world.speaker.extract = lambda p: "[]"
    world.clock.ahead = IDLE
    for wait in WAITS:
        assert await world.generate(user, *cast) == ["failed"]
        world.clock.ahead += wait
    assert (await world.generate(user, *cast))[0] == "parked"
    world.speaker.extract = extraction
    world.clock.ahead = timedelta()


async def a_parked_window(world: World, *messages: str) -> tuple[UserId, UUID, UUID]:
    """A user, a character and the session that was parked."""
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, *messages)
    await park(world, user, haru)
    return user, haru, session


async def of(operator: Database, user: UserId, page: int = parked.PAGE) -> list[ParkedWindow]:
    return [w async for w in parked.list_parked(operator, page) if w.scope.user_id == user]


async def generate_idle(world: World, user: UserId, *cast: UUID) -> list[Outcome]:
    world.clock.ahead = IDLE
    outcomes = await world.generate(user, *cast)
    world.clock.ahead = timedelta()
    return outcomes


async def test_what_is_listed_is_whose_where_when_and_why_and_nothing_of_what_was_said(
    world: World, operator: Database
) -> None:
    user, haru, _ = await a_parked_window(world, "비밀 하나", "비밀 둘")
    (window,) = await of(operator, user)
    assert window.scope == Scope(user, (haru,))
    assert window.first_position < window.last_position
    assert (window.turns, window.kept, window.attempts) == (2, 2, 5)
    assert window.reason == "model_malformed: not a JSON object"
    shown = parked.line(window)
    assert "2 of 2 messages kept" in shown
    assert str(window.id) in shown
    assert "비밀" not in shown


async def test_a_retried_window_is_hinted_by_the_sweep_and_becomes_the_memory_it_would_have_been(
    world: World, operator: Database
) -> None:
    user, haru, _ = await a_parked_window(world, "하나", "둘")
    (window,) = await of(operator, user)
    assert await parked.retry(operator, window.id) == (
        True,
        f"{window.id}: 2 messages will be read again",
    )
    assert await of(operator, user) == [], "it is parked no more"
    await aged(world, user, 3)
    world.hints.sent.clear()
    await sweep(world.sweeper)
    assert hinted(world, user) == [Scope(user, (haru,))]
    assert await world.generate(user, haru) == ["written", "not_due"]
    assert await summaries(world, user) == ["하나 둘"]
    await aged(world, user, 24)
    assert (await sweep(world.sweeper)).lost == 0


async def test_other_windows_stay_as_they_are(world: World, operator: Database) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "이전")
    await talk(world, user, haru, "하나", "둘")
    await park(world, user, haru)
    await talk(world, user, haru, "쓸데없는 말")
    world.speaker.extract = lambda p: extraction(p, worth_keeping=False)
    assert await generate_idle(world, user, haru) == ["skipped", "not_due"]
    await talk(world, user, haru, "셋")
    await park(world, user, haru)
    await world.talk_and_generate(user, haru, "이후")
    await talk(world, user, haru, "아직")
    first, second = await of(operator, user, page=1)
    before = await list_memories(world.engine, user, haru, None, None, 9)

    assert (await parked.retry(operator, first.id))[0]
    assert [w.id for w in await of(operator, user)] == [second.id]
    world.speaker.extractions.clear()
    world.clock.ahead = world.worker.policy.generation.settle_after
    assert await world.generate(user, haru) == ["written", "not_due"], "at once: it cannot grow"
    assert await summaries(world, user) == ["이전", "이후", "하나 둘"]
    assert (await parked.retry(operator, second.id))[0]
    assert await world.generate(user, haru) == ["written", "not_due"]
    assert len(world.speaker.extractions) == 2, "what was worth nothing is not read again"
    assert await generate_idle(world, user, haru) == ["written", "not_due"]
    now = await list_memories(world.engine, user, haru, None, None, 9)
    assert {m.id for m in before.items} <= {m.id for m in now.items}
    assert await summaries(world, user) == ["이전", "이후", "하나 둘", "셋", "아직"]


async def test_retrying_again_makes_nothing_twice(world: World, operator: Database) -> None:
    user, haru, _ = await a_parked_window(world, "하나")
    (window,) = await of(operator, user)
    for _ in range(2):
        assert (await parked.retry(operator, window.id))[0]
    await generate_idle(world, user, haru)
    assert await parked.retry(operator, window.id) == (
        False,
        f"{window.id}: what is left of it was remembered or changed since",
    )
    assert await generate_idle(world, user, haru) == ["not_due"]
    assert await summaries(world, user) == ["하나"]


async def test_what_turns_out_to_be_worth_nothing_is_not_lost(
    world: World, operator: Database
) -> None:
    user, haru, _ = await a_parked_window(world, "음")
    (window,) = await of(operator, user)
    await parked.retry(operator, window.id)
    world.speaker.extract = lambda p: extraction(p, worth_keeping=False)
    assert await generate_idle(world, user, haru) == ["skipped", "not_due"]
    await aged(world, user, 24.1)
    assert (await sweep(world.sweeper)).lost == 0


async def test_what_fails_again_is_parked_again(world: World, operator: Database) -> None:
    user, haru, _ = await a_parked_window(world, "하나")
    (window,) = await of(operator, user)
    await parked.retry(operator, window.id)
    await park(world, user, haru)
    (again,) = await of(operator, user)
    assert (again.id, again.kept) == (window.id, 1)
    assert again.parked_at > window.parked_at


async def test_messages_that_are_gone_are_said_to_be(world: World, operator: Database) -> None:
    user, haru, _ = await a_parked_window(world, "하나", "둘")
    await aged(world, user, 24.1)
    await sweep(world.sweeper)
    (window,) = await of(operator, user)
    assert (window.turns, window.kept) == (2, 0)
    assert "messages gone" in parked.line(window)
    assert await parked.retry(operator, window.id) == (
        False,
        f"{window.id}: its messages are gone, nothing is left to be read",
    )
    assert await generate_idle(world, user, haru) == ["not_due"]


async def test_a_window_that_is_half_gone_is_read_as_far_as_it_is_kept(
    world: World, operator: Database
) -> None:
    user, haru, _ = await a_parked_window(world, "하나", "둘", "셋")
    await world.sql(
        "DELETE FROM chat.turns WHERE id = (SELECT id FROM chat.turns WHERE user_id = %s"
        " ORDER BY position LIMIT 1)",
        user,
    )
    (window,) = await of(operator, user)
    assert "2 of 3 messages kept" in parked.line(window)
    assert (await parked.retry(operator, window.id))[0]
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["둘 셋"]


async def test_a_memory_that_its_user_deleted_does_not_come_back(
    world: World, operator: Database
) -> None:
    """An edit had opened the turn; a memory was made of it, and the user did not want it."""
    user, haru, session = await a_parked_window(world, "하나", "둘")
    target = await message(world, user, session, "하나")
    await edit_message(world.engine, user, target, "고친 하나")
    await generate_idle(world, user, haru)
    (memory,) = (await list_memories(world.engine, user, haru, None, None, 9)).items
    await delete_memory(world.engine, user, memory.id)
    (window,) = await of(operator, user)
    assert (await parked.retry(operator, window.id))[1].endswith("1 messages will be read again")
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["둘"]


async def test_what_an_edit_left_of_a_window_is_still_parked_when_the_edited_turn_is_again(
    world: World, operator: Database
) -> None:
    user, haru, session = await a_parked_window(world, "하나", "둘")
    target = await message(world, user, session, "하나")
    await edit_message(world.engine, user, target, "고친 하나")
    await park(world, user, haru)
    (window,) = await of(operator, user)
    assert (window.turns, window.kept) == (2, 2)
    await parked.retry(operator, window.id)
    await generate_idle(world, user, haru)
    assert await summaries(world, user) == ["고친 하나 둘"]


async def test_an_extraction_in_flight_is_superseded(world: World, operator: Database) -> None:
    """It would move the cursor past what was opened."""
    user, haru, _ = await a_parked_window(world, "하나")
    (window,) = await of(operator, user)
    await talk(world, user, haru, "둘")

    async def meanwhile(prompt: object) -> None:
        world.speaker.during_extraction = nothing
        await parked.retry(operator, window.id)

    async def nothing(prompt: object) -> None:
        """Once is enough."""

    world.speaker.during_extraction = meanwhile
    assert (await generate_idle(world, user, haru))[0] == "superseded"
    assert " ".join(await summaries(world, user)) == "하나 둘"


async def test_a_group_whose_every_member_forgot_is_not_read_again(
    world: World, operator: Database
) -> None:
    haru, bada, user = await world.character(), await world.character("바다"), somebody()
    both = tuple(sorted((haru, bada)))
    await world.say(user, both, "둘에게")
    await park(world, user, *both)
    await world.sql(
        "UPDATE memory.pairs SET reset_through = (SELECT max(position) FROM chat.turns)"
        " WHERE user_id = %s AND cardinality(character_ids) = 1",
        user,
    )
    (window,) = await of(operator, user)
    assert not (await parked.retry(operator, window.id))[0]


def test_the_command_lists_retries_and_says_what_it_cannot(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIEOK_OPERATOR_DATABASE_URL", stack.url("gieok_operator"))
    unknown = new_id()
    assert parked.main(["--list"]) == 0
    assert parked.main(["--retry", str(unknown)]) == 1
    assert f"{unknown}: no such window was parked" in capsys.readouterr().out
    assert parked.main(["--retry", "all"]) in (0, 1)
    with pytest.raises(SystemExit):
        parked.main(["--retry", "7"])
    monkeypatch.delenv("GIEOK_OPERATOR_DATABASE_URL")
    assert parked.main(["--list"]) == 1
    assert "GIEOK_OPERATOR_DATABASE_URL is not set" in capsys.readouterr().err


async def test_all_that_is_left_can_be_retried_at_once(world: World, operator: Database) -> None:
    (one, haru, _), (two, bada, _) = [await a_parked_window(world, "하나") for _ in range(2)]
    results = [r async for r in parked.retry_all(operator)]
    assert sum(will for will, _ in results) >= 2
    for user, character in ((one, haru), (two, bada)):
        assert await of(operator, user) == []
        await generate_idle(world, user, character)
        assert await summaries(world, user) == ["하나"]


async def test_the_operators_role_can_read_no_content(world: World) -> None:
    for table, column in (
        ("chat.messages", "body"),
        ("chat.turns", "message_digest"),
        ("memory.memories", "summary"),
        ("memory.memories", "details"),
        ("privacy.user_keys", "wrapped"),
    ):
        allowed = "SELECT has_column_privilege('gieok_operator', %s, %s, 'SELECT')"
        assert await world.sql(allowed, table, column) == [(False,)], (table, column)
