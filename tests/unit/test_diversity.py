"""One place for each text among what is recalled."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from gieok.recall.diversity import each_once
from gieok.types import Explanation, Memory, Recalled, Slot

START = datetime(2026, 11, 1, tzinfo=UTC)
COFFEE = "오늘도 커피 마셨어, 역시 커피가 최고야"
DECAF = "의사 선생님이 커피 끊으래서 이제 디카페인만 마시기로 했어"


def recalled(number: int, text: str, slot: Slot = "fused") -> Recalled:
    """A memory of the day with that number."""
    at = START + timedelta(days=number)
    memory = Memory(UUID(int=number), text, (), 5, ("하루",), at, at, at)
    return Recalled(memory, Explanation(slot, 1.0, 1.0))


def days(found: tuple[Recalled, ...]) -> list[int]:
    return [one.memory.id.int for one in found]


def test_copies_share_one_place_and_the_newest_stands_for_them() -> None:
    copies = [recalled(day, COFFEE) for day in range(12)]
    assert days(each_once([*copies, recalled(12, DECAF)], 12)) == [11, 12]


def test_it_has_the_best_place_of_them() -> None:
    found = each_once([recalled(1, COFFEE), recalled(3, DECAF), recalled(2, COFFEE)], 12)
    assert days(found) == [2, 3]


def test_spare_candidates_fill_what_copies_leave() -> None:
    others = [recalled(100 + day, f"{day}번째 여행은 {day * 7}번 도시로 갔다") for day in range(12)]
    found = each_once([*(recalled(day, COFFEE) for day in range(6)), *others], 12)
    assert len(found) == 12
    assert days(found)[0] == 5


def test_reserved_memories_keep_their_places_before_spare_ones() -> None:
    fused = [recalled(day, f"{day}번째 도시는 {day * 7}번 버스로 간다") for day in range(20)]
    important = [recalled(50, "사랑한다고 고백했다", "importance")]
    found = each_once([*fused, *important], 12)
    assert days(found) == [*range(11), 50]


texts = st.sampled_from([COFFEE, DECAF, "콩이랑 산책했다", "콩이는 병원에 갔다", "7월에 이사한다"])


@given(st.lists(texts, max_size=20), st.integers(1, 12))
def test_no_text_comes_twice_and_none_is_lost_while_there_is_room(
    said: list[str], limit: int
) -> None:
    found = each_once([recalled(day, text) for day, text in enumerate(said)], limit)
    shown = [one.memory.summary for one in found]
    assert len(shown) == len(set(shown)) == min(limit, len(set(said)))
    newest = {text: day for day, text in enumerate(said)}
    assert all(newest[one.memory.summary] == one.memory.id.int for one in found)
