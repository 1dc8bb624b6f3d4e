"""Facts on a real database: sealed, tied to their message, each kept once."""

import json
from datetime import timedelta
from uuid import UUID

from tests.support.derived import counts, known_facts, memory_ids, stating
from tests.support.world import World, somebody


async def test_a_fact_is_kept_sealed_with_the_message_it_is_from(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: stating(
        p, "용은 위스키를 마신다.", subject={"kind": "other", "name": "용"}, reality="story"
    )
    await world.talk_and_generate(user, haru, "옛날에 위스키를 마시는 용이 살았어")
    (kept,) = await known_facts(world, user)
    first = json.loads(world.speaker.extractions[0].payload)["messages"][0]
    assert kept == {
        "character_id": haru,
        "memory_id": (await memory_ids(world, user, haru))[0],
        "message_id": UUID(first["id"]),
        "category": "preference",
        "subject": "other",
        "reality": "story",
        "name": "용",
        "text": "용은 위스키를 마신다.",
        "quote": "옛날에 위스키를 마시는 용이 살았어",
    }


async def test_the_same_fact_told_again_is_kept_once_for_each_character(world: World) -> None:
    user, haru, bada = somebody(), await world.character("하루"), await world.character("바다")
    world.speaker.extract = lambda p: stating(p, "사용자는 위스키를 좋아한다.")
    await world.talk_and_generate(user, haru, "나는 위스키가 좋아")
    world.speaker.extract = lambda p: stating(p, "사용자는  위스키를 좋아한다!")
    await world.talk_and_generate(user, haru, "역시 위스키가 좋아")
    assert await counts(world, user) == (0, 1)
    world.speaker.extract = lambda p: stating(p, "사용자는 와인을 좋아한다.")
    await world.talk_and_generate(user, haru, "와인도 좋아")
    assert await counts(world, user) == (0, 2)
    await world.say(user, tuple(sorted((haru, bada))), "와인도 좋아")
    world.clock.ahead = timedelta(hours=3)
    await world.generate(user, haru, bada)
    assert await counts(world, user) == (0, 3), "who was not there learns it, who knew it does not"
