"""What a memory brought in besides itself goes with it, and nothing else does."""

import json
from datetime import timedelta

import pytest

from gieok.errors import NotFound
from gieok.relationships import correct, recompute, restore
from gieok.store import relationships
from gieok.types import StructuredPrompt
from tests.integration.derived import counts, fact, known, memory_ids, moving, stand
from tests.world import World, somebody


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
        await world.talk_and_remember(user, haru, promise)
    await correct(world.engine, user, haru, {"boundaries": ("전 남친",)})
    first, _ = await memory_ids(world, user, haru)

    gone = relationships.invalidate_derived(user, [first])
    assert (await world.engine.database.run(user, gone))[gone] == [haru]
    assert await counts(world, user) == (2, 1)
    for _ in range(2):
        await recompute(world.engine, user, haru)
    history = await stand(world, user, haru)
    assert [v.source for v in history.versions] == ["recomputed", "user", "window"]
    assert history.current
    state = history.current.relationship.state
    assert (state.promises, state.boundaries, state.affection) == (
        ("비밀 지키기",),
        ("전 남친",),
        3,
    )
    assert history.current.relationship.held == ("boundaries",)
    with pytest.raises(NotFound):
        await restore(world.engine, user, haru, 1)


async def test_nothing_is_recomputed_where_nothing_was_lost(world: World) -> None:
    haru, user = await world.character(), somebody()
    await recompute(world.engine, user, haru)
    for name in ("지은", "민지"):
        await correct(world.engine, user, haru, {"user_called": name})
    await restore(world.engine, user, haru, 1)
    await recompute(world.engine, user, haru)
    assert len((await stand(world, user, haru)).versions) == 3


async def test_what_was_made_from_a_lost_version_is_superseded(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: moving(p, promises=[*known(p)["promises"], "별 보기"])
    await world.talk_and_remember(user, haru, "별 보러 가자")
    (memory_id,) = await memory_ids(world, user, haru)

    async def forget(prompt: StructuredPrompt) -> None:
        gone = relationships.invalidate_derived(user, [memory_id])
        await world.engine.database.run(user, gone)

    world.speaker.during_extraction = forget
    await world.say(user, haru, "별이 참 예쁘네")
    world.clock.ahead = timedelta(hours=3)
    assert (await world.remember(user, haru))[:2] == ["superseded", "written"]
    assert known(world.speaker.extractions[-1])["promises"] == []
