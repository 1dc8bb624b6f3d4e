"""A message that the model refuses costs its own turn, and nothing waits for it."""

import json
from collections.abc import Callable

import pytest

from gieok.calls import StructuredPrompt
from gieok.errors import ModelBlocked, ModelError, ModelRejected
from gieok.retention.sweep import sweep
from gieok.types import UserId
from tests.support.conversation import summaries, talk
from tests.support.passing_time import PassingTime
from tests.support.sweeping import aged
from tests.support.world import World, extraction, somebody

REFUSED = "금지된말"


def refusing(*words: str, error: type[ModelError] = ModelBlocked) -> Callable[..., str]:
    """A model that refuses whatever holds one of these words."""

    def answer(prompt: StructuredPrompt) -> str:
        if any(word in prompt.payload for word in words):
            raise error("m", "PROHIBITED_CONTENT")
        return extraction(prompt)

    return answer


async def parked(world: World, user: UserId) -> list[tuple[str, int]]:
    """(reason, turns) of a user's parked windows."""
    found = await world.sql("SELECT reason, turns FROM ops.parked_windows WHERE user_id = %s", user)
    return [(str(reason), int(turns)) for reason, turns in found]


@pytest.mark.parametrize("error", [ModelBlocked, ModelRejected])
@pytest.mark.parametrize("place", [0, 4, 7, 10, 25])
async def test_one_refused_message_of_26_costs_its_own_turn(
    world: World, place: int, error: type[ModelError]
) -> None:
    haru, user = await world.character(), somebody()
    said = [REFUSED if n == place else f"친구{n}" for n in range(26)]
    world.speaker.extract = refusing(REFUSED, error=error)
    time = PassingTime(world, user)
    await talk(world, user, haru, *said)
    await time.go_on(400)
    tail = 5 if place < 25 else 0
    told = " ".join(await summaries(world, user, haru)).split()
    assert told == [w for w in said if w != REFUSED][: len(told)]
    assert len(told) >= 25 - tail, "what is left waits for company like any tail"
    await time.go_on(7_300)
    await world.generate(user, haru)
    await time.go_on(400)
    told = " ".join(await summaries(world, user, haru)).split()
    assert told == [w for w in said if w != REFUSED]
    assert await parked(world, user) == [(f"{error.code}: PROHIBITED_CONTENT", 1)]
    assert len(world.speaker.extractions) <= 26 // 5 + 1 + 5 + 3


async def test_two_refused_messages_of_one_window_cost_two_turns(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = refusing("나쁜말", "험한말")
    time = PassingTime(world, user)
    await talk(world, user, haru, "가", "나쁜말", "나", "험한말", "다", "라", "마", "바", "사")
    await time.go_on(400)
    assert await summaries(world, user, haru) == ["가", "나", "다 라 마 바 사"]
    assert len(await parked(world, user)) == 2


async def test_what_a_refusal_costs_is_counted_when_it_goes(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = refusing(REFUSED)
    time = PassingTime(world, user)
    await talk(world, user, haru, "하나", REFUSED, "둘")
    await time.go_on(7_300)
    await world.generate(user, haru)
    await time.go_on(400)
    assert '"window_parked":[1.0]' in capsys.readouterr().out
    await sweep(world.sweeper)
    await aged(world, user, 24)
    capsys.readouterr()
    assert (await sweep(world.sweeper)).lost == 1
    assert '"unsummarised_lost":[1.0]' in capsys.readouterr().out


async def test_a_model_that_refuses_everything_counts_as_away(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = refusing("")
    await talk(world, user, haru, *(f"{n}번" for n in range(6)))
    assert await world.generate(user, haru) == ["failed"]
    await PassingTime(world, user).go_on(400)
    assert len(world.speaker.extractions) == 3, "the window twice, and a harmless message"
    assert await parked(world, user) == []


async def test_a_refusal_that_does_not_come_again_parts_no_window(world: World) -> None:
    haru, user = await world.character(), somebody()
    refusals = [ModelBlocked("m")]

    def answer(prompt: StructuredPrompt) -> str:
        if refusals:
            raise refusals.pop()
        return extraction(prompt)

    world.speaker.extract = answer
    time, said = PassingTime(world, user), [f"{n}번" for n in range(6)]
    await talk(world, user, haru, *said)
    await time.go_on(400)
    assert await summaries(world, user, haru) == [" ".join(said[:5])]


async def test_a_turn_that_passes_alone_is_kept(world: World) -> None:
    haru, user = await world.character(), somebody()
    time = PassingTime(world, user)

    def answer(prompt: StructuredPrompt) -> str:
        if len(json.loads(prompt.payload)["messages"]) > 8:
            raise ModelRejected("m", "413")
        return extraction(prompt)

    world.speaker.extract = answer
    await talk(world, user, haru, *(f"{n}번" for n in range(6)))
    await time.go_on(400)
    assert await summaries(world, user, haru) == ["0번 1번 2번 3번", "4번"]
    assert await parked(world, user) == []


async def test_what_was_said_before_is_not_to_blame(world: World) -> None:
    """A window is tried again without it before one of its turns is given up."""
    haru, user = await world.character(), somebody()
    time = PassingTime(world, user)
    session = await talk(world, user, haru, *(f"{n}번" for n in range(6)))
    await time.go_on(400)
    world.speaker.extract = refusing("4번")
    for number in range(6, 11):
        await world.say(user, haru, f"{number}번", session)
    await time.go_on(400)
    assert (await summaries(world, user, haru))[1:] == ["5번 6번 7번 8번", "9번"]
    assert await parked(world, user) == []
