"""A relationship of many versions: what is lost of it is found without reading all of them."""

from gieok.memories.delete import delete_memory
from gieok.relationship.corrections import correct
from gieok.relationship.versions import REPLAYED
from gieok.store import relationships
from tests.support.derived import known, memory_ids, moving, stand
from tests.support.world import World, somebody


async def test_what_a_long_lost_window_brought_goes_and_the_rest_stays(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: moving(
        p, promises=[*known(p)["promises"], "별 보기"], user_called="민지"
    )
    await world.talk_and_generate(user, haru, "민지라고 불러줘, 별 보기 약속")
    await correct(world.engine, user, haru, {"boundaries": ("전 남친",)})
    world.speaker.extract = lambda p: moving(p, standing="친구")
    await world.talk_and_generate(user, haru, "우리 친구 하자")
    for number in range(REPLAYED):
        await correct(world.engine, user, haru, {"affection": number % 50 + 1})
    first, second = await memory_ids(world, user, haru)

    await delete_memory(world.engine, user, first)
    current = (await stand(world, user, haru)).current
    assert current
    assert current.source == "recomputed"
    state = current.relationship.state
    assert (state.user_called, state.promises) == ("", ())
    assert (state.standing, state.boundaries, state.affection) == ("친구", ("전 남친",), 50)
    assert set(current.relationship.held) == {"boundaries", "affection"}

    await delete_memory(world.engine, user, second)
    current = (await stand(world, user, haru)).current
    assert current
    state = current.relationship.state
    assert (state.user_called, state.standing, state.boundaries) == ("", "", ("전 남친",))


async def test_versions_are_read_up_to_a_limit_however_many_there_are(world: World) -> None:
    haru, user = await world.character(), somebody()
    for affection in range(1, 8):
        await correct(world.engine, user, haru, {"affection": affection})
    latest = relationships.read_latest_versions(user, haru, 3)
    found = (await world.engine.database.run(user, latest))[latest]
    assert [v.sealed.version for v in found] == [5, 6, 7]
