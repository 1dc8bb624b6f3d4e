"""What was said again and again takes one place of the prompt, and the change of mind is there."""

from collections.abc import Sequence

import pytest

from tests.support.world import World, somebody

DECAF = "의사 선생님이 커피 끊으래서 이제 디카페인만 마시기로 했어"
SAME = ["오늘도 커피 마셨어, 역시 커피가 최고야"] * 13
PLACES = (
    "회사 학교 공원 역 서점 시장 극장 공항 병원 도서관 빵집 옥상 마당 부엌 거실 호텔 절 섬 산 강"
)
DIFFERENT = [f"{place}에서 {n + 2}시에 커피 마셨어" for n, place in enumerate(PLACES.split())]


@pytest.mark.parametrize("later", [(), ("떡볶이 먹었어", "비가 많이 왔어", "영화 봤어")])
@pytest.mark.parametrize("said", [SAME, DIFFERENT], ids=["the same", "different sentences"])
async def test_the_newest_decision_is_in_the_prompt_however_often_the_old_habit_was_told(
    world: World, said: Sequence[str], later: Sequence[str]
) -> None:
    haru, user = await world.character(), somebody()
    for text in (*said, DECAF, *later):
        await world.talk_and_generate(user, haru, text)
    told = await world.say(user, haru, "나 커피 마셔도 되나?")
    (memories,) = (s.text for s in world.speaker.prompts[-1].sections if s.name == "memories")
    assert "디카페인" in memories
    shown = [text for text in set(said) if text in memories]
    assert len(shown) == min(len(set(said)), told.meta.memory_search_top_k - 1)
    others = len([text for text in later if text in memories])
    assert told.meta.memory_hit_count == len(shown) + 1 + others
