"""What an extraction is shown from before its window names referents, and nothing is kept of it."""

import json
from dataclasses import replace
from uuid import UUID

import pytest

from gieok.calls import StructuredPrompt
from gieok.memories.amend import Amendment, amend_memory
from gieok.memories.delete import delete_memory
from gieok.memories.read import list_memories
from gieok.revision.reset import reset
from gieok.types import UserId
from tests.support.conversation import IDLE, generate_idle, message, talk
from tests.support.derived import counts, fact, memory_ids
from tests.support.world import World, extraction, somebody


def shown(world: World) -> list[str]:
    """What the newest extraction was shown from before its window."""
    return [m["text"] for m in json.loads(world.speaker.extractions[-1].payload)["earlier"]]


async def one_window(world: World) -> tuple[UserId, UUID, UUID]:
    """A user with a memory of five messages: the user, the character, the session."""
    haru, user = await world.character(), somebody()
    world.speaker.pieces = ("그래",)
    session = await talk(world, user, haru, *(f"{n}번" for n in range(5)))
    await generate_idle(world, user, haru)
    return user, haru, session


async def test_the_two_exchanges_before_a_window_are_shown_apart(world: World) -> None:
    user, haru, session = await one_window(world)
    assert shown(world) == [], "before the first one there was nothing"
    await world.say(user, haru, "그 애 말이야", session)
    await generate_idle(world, user, haru)
    assert shown(world) == ["3번", "그래", "4번", "그래"]
    payload = json.loads(world.speaker.extractions[-1].payload)
    assert [m["text"] for m in payload["messages"]] == ["그 애 말이야", "그래"]


async def test_nothing_that_is_quoted_from_before_stands(world: World) -> None:
    user, haru, session = await one_window(world)
    await world.say(user, haru, "그 애 말이야", session)
    said = await message(world, user, session, "4번")

    def from_before(prompt: StructuredPrompt) -> str:
        quote = {"who": "user", "character": "하루", "text": "4번", "context": ""}
        known = fact("4번이다", {"text": "4번", "id": str(said)})
        return extraction(prompt, key_details=[{"kind": "quote"} | quote], facts=[known])

    world.speaker.extract = from_before
    await generate_idle(world, user, haru)
    newest = (await list_memories(world.engine, user, haru, None, None, 9)).items[0]
    assert "4번" not in [d.text for d in newest.details]
    assert await counts(world, user) == (0, 0)


async def test_what_is_muted_deleted_or_of_another_cast_is_not_shown(world: World) -> None:
    user, haru, session = await one_window(world)
    (memory,) = await memory_ids(world, user, haru)
    both = tuple(sorted((haru, await world.character("바다"))))
    await world.say(user, both, "둘에게")
    await generate_idle(world, user, *both)
    assert shown(world) == []
    await amend_memory(world.engine, user, memory, Amendment(muted=True))
    await world.say(user, haru, "조용한 말", session)
    await generate_idle(world, user, haru)
    assert shown(world) == []
    await amend_memory(world.engine, user, memory, Amendment(muted=False))
    await delete_memory(world.engine, user, (await memory_ids(world, user, haru))[-1])
    await world.say(user, haru, "다음 말", session)
    await generate_idle(world, user, haru)
    assert shown(world) == ["4번", "그래"]


async def test_what_a_reset_forgot_is_not_shown_to_those_who_forgot(world: World) -> None:
    user, haru, bada = somebody(), await world.character("하루"), await world.character("바다")
    both = tuple(sorted((haru, bada)))
    session = (await world.say(user, both, "둘에게")).session_id
    await generate_idle(world, user, *both)
    await reset(world.engine, user, haru)
    await world.say(user, both, "그 뒤에", session)
    await generate_idle(world, user, *both)
    assert shown(world) == []


@pytest.mark.parametrize("count", [0, 1])
async def test_the_policy_says_how_many_are_shown(world: World, count: int) -> None:
    user, haru, session = await one_window(world)
    policy = world.worker.policy
    fewer = replace(policy.generation, earlier_exchanges=count)
    world.worker = replace(world.worker, policy=replace(policy, generation=fewer))
    await world.say(user, haru, "그 애 말이야", session)
    world.clock.ahead = IDLE
    assert await world.generate(user, haru) == ["written", "not_due"]
    assert shown(world) == ["4번", "그래"] * count
