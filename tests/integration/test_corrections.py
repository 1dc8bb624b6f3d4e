"""What the user set stands until the user's own later words contradict it, on a real database."""

import json
from functools import partial

import pytest

from gieok.errors import NotFound
from gieok.relationship.corrections import correct, restore
from tests.support.conversation import TAKES, Take, generate_idle
from tests.support.derived import moving, stand
from tests.support.world import World, somebody

CALL_ME = "민지라고 불러줘"


async def test_a_correction_holds_until_the_users_words_contradict_it(world: World) -> None:
    haru, user = await world.character(), somebody()
    await correct(world.engine, user, haru, {"user_called": "지은", "promises": ("별 보기",)})
    world.speaker.extract = lambda p: moving(p, user_called="민지")
    await world.talk_and_generate(user, haru, "오늘은 날씨가 좋네")
    shown = json.loads(world.speaker.extractions[-1].payload)["relationship_state"]["하루"]
    assert shown["held_by_user"] == ["user_called", "promises"]
    history = await stand(world, user, haru)
    assert [v.source for v in history.versions] == ["user"]
    await world.talk_and_generate(user, haru, f"이제 {CALL_ME}")
    current = (await stand(world, user, haru)).current
    assert current
    assert current.relationship.state.user_called == "민지"
    assert set(current.relationship.held) == {"promises"}
    await world.say(user, haru, "나 누구게?")
    section = next(s.text for s in world.speaker.prompts[-1].sections if s.name == "relationship")
    assert "민지" in section
    assert "별 보기" in section


@pytest.mark.parametrize("number", [0, 1])
async def test_words_count_only_when_they_were_said_after_the_correction(
    world: World, number: int
) -> None:
    """Before the worker came: what was said, then set, and said once more or not."""
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, CALL_ME)).session_id
    await correct(world.engine, user, haru, {"user_called": "지은"})
    for _ in range(number):
        await world.say(user, haru, CALL_ME, session)
    world.speaker.extract = lambda p: moving(p, CALL_ME, user_called="민지")
    await generate_idle(world, user, haru)
    current = (await stand(world, user, haru)).current
    assert current
    assert current.relationship.state.user_called == ["지은", "민지"][number]
    assert len(current.relationship.held) == 1 - number


async def test_what_is_set_again_outranks_what_was_said_meanwhile(world: World) -> None:
    haru, user = await world.character(), somebody()
    await correct(world.engine, user, haru, {"user_called": "지은"})
    await world.say(user, haru, CALL_ME)
    await correct(world.engine, user, haru, {"user_called": "지은"})
    world.speaker.extract = lambda p: moving(p, user_called="민지")
    await generate_idle(world, user, haru)
    current = (await stand(world, user, haru)).current
    assert current
    assert (current.source, current.relationship.state.user_called) == ("user", "지은")


@TAKES
async def test_words_from_before_a_correction_do_not_undo_it_when_they_are_read_again(
    world: World, take: Take
) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: moving(p, CALL_ME, user_called="민지", affection=10)
    session = (await world.talk_and_generate(user, haru, CALL_ME, "좋았어", "셋")).session_id
    await correct(world.engine, user, haru, {"user_called": "지은", "affection": 80})
    await take(world, user, session, "좋았어")
    await generate_idle(world, user, haru)
    assert CALL_ME in world.speaker.extractions[-1].payload, "read again"
    current = (await stand(world, user, haru)).current
    assert current
    assert current.relationship.state.user_called == "지은"
    assert current.relationship.state.affection == 80
    assert set(current.relationship.held) == {"user_called", "affection"}


async def test_words_about_something_else_move_nothing_that_the_user_set(world: World) -> None:
    haru, user = await world.character(), somebody()
    wanted = {"standing": "헤어진 사이", "boundaries": ("전 남친 이야기 금지",), "affection": -50}
    await correct(world.engine, user, haru, wanted)  # type: ignore[arg-type]
    world.speaker.extract = lambda p: moving(p, standing="연인", boundaries=[], affection=-40)
    await world.talk_and_generate(user, haru, "응 오늘 날씨 좋네")
    current = (await stand(world, user, haru)).current
    assert current
    state = current.relationship.state
    assert {f: getattr(state, f) for f in wanted} == wanted
    assert set(current.relationship.held) == set(wanted)


async def test_a_restored_version_is_a_new_one_and_holds_what_it_changed(world: World) -> None:
    haru, user = await world.character(), somebody()
    for name in ("지은", "민지"):
        world.speaker.extract = partial(moving, user_called=name)
        await world.talk_and_generate(user, haru, f"{name}라고 불러줘")
    await restore(world.engine, user, haru, 1)
    history = await stand(world, user, haru)
    assert [(v.number, v.source) for v in history.versions] == [
        (3, "restored"),
        (2, "window"),
        (1, "window"),
    ]
    assert history.current
    assert history.current.relationship.state.user_called == "지은"
    assert set(history.current.relationship.held) == {"user_called"}
    for number in (0, 9):
        with pytest.raises(NotFound):
            await restore(world.engine, user, haru, number)
