"""What a memory brought in besides itself goes with it, and nothing else does."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from gieok.calls import StructuredPrompt
from gieok.errors import NotFound
from gieok.memories.delete import delete_memory
from gieok.relationship.corrections import correct, restore
from gieok.revision.rewind import rewind
from gieok.types import Scope, UserId
from tests.support.conversation import IDLE, TAKES, Take, generate_idle, message, talk
from tests.support.derived import counts, fact, known, memory_ids, moving, stand
from tests.support.world import World, somebody


def promising_with_a_fact(prompt: StructuredPrompt) -> str:
    """An answer that adds the user's last words to the promises and to the facts."""
    before, (*_, last) = known(prompt), json.loads(prompt.payload)["messages"][::2]
    moved = moving(
        prompt, promises=[*before["promises"], last["text"]], affection=before["affection"] + 3
    )
    return json.dumps(json.loads(moved) | {"facts": [fact(last["text"], last)]})


async def test_what_came_with_a_memory_goes_with_it_and_the_rest_stays(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = promising_with_a_fact
    for promise in ("별 보기", "비밀 지키기"):
        await world.talk_and_generate(user, haru, promise)
    await correct(world.engine, user, haru, {"boundaries": ("전 남친",)})
    first, _ = await memory_ids(world, user, haru)

    await delete_memory(world.engine, user, first)
    assert (await counts(world, user))[1] == 1
    for _ in range(2):
        history = await stand(world, user, haru)
    assert [v.source for v in history.versions] == ["recomputed", "user", "window"]
    assert (await counts(world, user))[0] == 3, "what was to be made is made"
    assert history.current
    state = history.current.relationship.state
    assert (state.promises, state.boundaries, state.affection) == (
        ("비밀 지키기",),
        ("전 남친",),
        3,
    )
    assert set(history.current.relationship.held) == {"boundaries"}
    with pytest.raises(NotFound):
        await restore(world.engine, user, haru, 1)


async def test_what_only_the_newest_version_said_needs_no_other_one(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = promising_with_a_fact
    for promise in ("별 보기", "비밀 지키기"):
        await world.talk_and_generate(user, haru, promise)
    _, second = await memory_ids(world, user, haru)
    await delete_memory(world.engine, user, second)
    history = await stand(world, user, haru)
    assert [(v.number, v.source) for v in history.versions] == [(1, "window")]
    assert history.current
    assert history.current.relationship.state.promises == ("별 보기",)


async def test_what_the_user_set_is_as_it_was_set_when_a_memory_from_before_goes(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: moving(p, user_called="민지", affection=10)
    await world.talk_and_generate(user, haru, "민지라고 불러")
    await correct(world.engine, user, haru, {"affection": 80, "user_called": "민지"})
    (memory,) = await memory_ids(world, user, haru)
    await delete_memory(world.engine, user, memory)
    current = (await stand(world, user, haru)).current
    assert current
    state = current.relationship.state
    assert (state.affection, state.user_called) == (80, "민지")
    assert set(current.relationship.held) == {"affection", "user_called"}


async def test_what_was_restored_stays_when_what_it_replaced_goes(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: moving(p, affection=known(p)["affection"] + 10)
    for words in ("고마워", "사랑해"):
        await world.talk_and_generate(user, haru, words)
    await restore(world.engine, user, haru, 1)
    _, second = await memory_ids(world, user, haru)
    await delete_memory(world.engine, user, second)
    current = (await stand(world, user, haru)).current
    assert current
    assert current.relationship.state.affection == 10
    assert set(current.relationship.held) == {"affection"}


Reader = Callable[[World, UserId, UUID], Awaitable[str]]


async def in_a_prompt(world: World, user: UserId, character: UUID) -> str:
    """What the next answer starts from."""
    await world.say(user, character, "나 왔어")
    sections = world.speaker.prompts[-1].sections
    return next(s.text for s in sections if s.name == "relationship")


async def in_a_window(world: World, user: UserId, character: UUID) -> str:
    """What the next extraction is shown."""
    await world.say(user, character, "나 왔어")
    world.clock.ahead = IDLE
    await world.generate(user, character)
    world.clock.ahead = timedelta()
    return world.speaker.extractions[-1].payload


async def on_the_page(world: World, user: UserId, character: UUID) -> str:
    """What the user sees."""
    current = (await stand(world, user, character)).current
    return repr(current and current.relationship.state)


async def under_a_correction(world: World, user: UserId, character: UUID) -> str:
    """What a correction leaves as it was."""
    await correct(world.engine, user, character, {"boundaries": ("전 남친",)})
    return await on_the_page(world, user, character)


class Died(Exception):
    """The process did, right after a transaction."""


class DyingQueue:
    """Whoever sends to it dies."""

    async def send(self, scope: Scope, delay_s: int = 0) -> None:
        """See `ports.Queue`."""
        raise Died


READERS = pytest.mark.parametrize(
    "read", [in_a_prompt, in_a_window, on_the_page, under_a_correction]
)


@READERS
@TAKES
async def test_what_was_taken_back_reaches_nobody_though_all_else_died_with_the_process(
    world: World, take: Take, read: Reader
) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = promising_with_a_fact
    session = await talk(world, user, haru, "하나", "비밀 지키기")
    await generate_idle(world, user, haru)
    await world.talk_and_generate(user, haru, "별 보기")
    assert "비밀" in await on_the_page(world, user, haru)
    dying = replace(world, engine=replace(world.engine, queue=DyingQueue()))
    with pytest.raises(Died):
        await take(dying, user, session, "하나")
    await world.sql("DELETE FROM chat.turns WHERE user_id = %s", user)
    shown = await read(world, user, haru)
    assert "비밀" not in shown
    assert "별 보기" in shown


@READERS
async def test_several_losses_before_anybody_looks_are_all_gone(world: World, read: Reader) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = promising_with_a_fact
    for promise in ("비밀 하나", "비밀 둘", "별 보기"):
        await world.talk_and_generate(user, haru, promise)
    for memory in (await memory_ids(world, user, haru))[:2]:
        await delete_memory(world.engine, user, memory)
    await world.sql("DELETE FROM chat.turns WHERE user_id = %s", user)
    shown = await read(world, user, haru)
    assert "비밀" not in shown
    assert "별 보기" in shown


async def test_all_who_look_at_once_make_it_once(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = promising_with_a_fact
    for promise in ("비밀 지키기", "별 보기"):
        await world.talk_and_generate(user, haru, promise)
    first, _ = await memory_ids(world, user, haru)
    await delete_memory(world.engine, user, first)
    looks = await asyncio.gather(*(stand(world, user, haru) for _ in range(6)))
    assert {len(history.versions) for history in looks} == {2}
    for history in looks:
        assert history.current
        assert history.current.relationship.state.promises == ("별 보기",)


async def test_losses_corrections_and_looks_all_at_once_lose_nothing_else(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = promising_with_a_fact
    for promise in ("비밀 하나", "별 보기", "비밀 둘"):
        await world.talk_and_generate(user, haru, promise)
    first, _, third = await memory_ids(world, user, haru)
    session = (await world.say(user, haru, "나 왔어")).session_id
    to = await message(world, user, session, "나 왔어")
    await asyncio.gather(
        delete_memory(world.engine, user, first),
        correct(world.engine, user, haru, {"user_called": "지은"}),
        stand(world, user, haru),
        delete_memory(world.engine, user, third),
        correct(world.engine, user, haru, {"boundaries": ("전 남친",)}),
        stand(world, user, haru),
        rewind(world.engine, user, session, to),
    )
    current = (await stand(world, user, haru)).current
    assert current
    state = current.relationship.state
    assert (state.user_called, state.promises, state.boundaries) == (
        "지은",
        ("별 보기",),
        ("전 남친",),
    )


async def test_what_was_made_from_a_lost_version_is_superseded(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: moving(p, promises=[*known(p)["promises"], "별 보기"])
    await world.talk_and_generate(user, haru, "별 보러 가자")
    (memory_id,) = await memory_ids(world, user, haru)

    async def forget(prompt: StructuredPrompt) -> None:
        if memory_id in await memory_ids(world, user, haru):
            await delete_memory(world.engine, user, memory_id)

    world.speaker.during_extraction = forget
    await world.say(user, haru, "별이 참 예쁘네")
    world.clock.ahead = timedelta(hours=3)
    assert (await world.generate(user, haru))[:2] == ["superseded", "written"]
    assert known(world.speaker.extractions[-1])["promises"] == []
