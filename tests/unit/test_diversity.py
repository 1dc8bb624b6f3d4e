"""One place for each text among what is recalled."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.policy import RecallPolicy
from gieok.privacy.cells import seal_details, seal_summary
from gieok.privacy.cipher import UserCipher
from gieok.recall.recall import conclude
from gieok.store.memories import Found
from gieok.store.sealed import SealedMemory
from gieok.types import Explanation, Recalled, Slot, UserId

START = datetime(2026, 11, 1, tzinfo=UTC)
COFFEE = "오늘도 커피 마셨어, 역시 커피가 최고야"
DECAF = "의사 선생님이 커피 끊으래서 이제 디카페인만 마시기로 했어"
CIPHER = UserCipher(UserId("somebody"), bytes(32))
PLACES = 12


def found(day: int, text: str, slot: Slot = "fused") -> Found:
    """A memory of the day with that number, as the database finds it."""
    memory_id, at = UUID(int=day), START + timedelta(days=day)
    sealed = SealedMemory(
        id=memory_id,
        character_ids=(),
        summary=seal_summary(CIPHER, memory_id, text),
        details=seal_details(CIPHER, memory_id, ()),
        importance=5,
        involved=("하루",),
        began_at=at,
        happened_at=at,
        created_at=at,
        pinned=False,
        muted=False,
    )
    return Found(sealed, Explanation(slot, 1.0, 1.0))


def recalled(*candidates: Found, limit: int = PLACES) -> tuple[Recalled, ...]:
    return conclude(CIPHER, candidates, None, RecallPolicy(limit=limit, newest_from=2)).memories


def days(memories: tuple[Recalled, ...]) -> list[int]:
    return [one.memory.id.int for one in memories]


def city(day: int) -> str:
    """Texts that have hardly a word in common."""
    return f"{day}번째 여행은 {day * 7}번 도시로 갔다"


def test_copies_share_one_place_and_the_newest_stands_for_them() -> None:
    copies = [found(day, COFFEE) for day in range(12)]
    assert days(recalled(*copies, found(12, DECAF))) == [11, 12]


def test_it_has_the_best_place_of_them() -> None:
    assert days(recalled(found(1, COFFEE), found(3, DECAF), found(2, COFFEE))) == [2, 3]


def test_spare_candidates_fill_what_copies_leave() -> None:
    copies = [found(day, COFFEE) for day in range(6)]
    shown = recalled(*copies, *(found(100 + day, city(day)) for day in range(18)))
    assert days(shown) == [5, *range(100, 111)]


def test_the_newest_copy_stands_for_them_though_it_had_no_place() -> None:
    copies = [found(1, COFFEE), found(2, COFFEE)]
    shown = recalled(
        *copies, *(found(100 + day, city(day)) for day in range(12)), found(50, COFFEE)
    )
    assert days(shown) == [50, *range(100, 111)]


def test_spare_candidates_fill_what_does_not_open() -> None:
    broken = found(1, COFFEE)
    object.__setattr__(broken.memory, "summary", b"?")
    shown = conclude(
        CIPHER,
        [broken, *(found(100 + d, city(d)) for d in range(14))],
        None,
        RecallPolicy(newest_from=2),
    )
    assert (days(shown.memories), shown.dropped) == ([*range(100, 112)], 1)


def test_reserved_memories_keep_their_places_before_spare_ones() -> None:
    fused = [found(day, city(day)) for day in range(20)]
    important = [found(50, "사랑한다고 고백했다", "importance")]
    assert days(recalled(*fused, *important)) == [*range(11), 50]


def of_both_legs(one: Found, score: float = 1.0) -> Found:
    return replace(one, why=replace(one.why, score=score, vector_rank=1, keyword_rank=1))


@pytest.mark.parametrize(
    ("score", "both", "crowded", "in_place"),
    [
        (0.6, True, True, True),
        (0.59, True, True, False),
        (0.99, False, True, False),
        (0.99, True, False, False),
    ],
)
def test_the_newest_takes_the_last_place_of_a_crowd_when_it_nearly_won_it(
    score: float, both: bool, crowded: bool, in_place: bool
) -> None:
    crowd = [of_both_legs(found(day, city(day))) for day in range(11)]
    last = found(40, city(40))
    newest = of_both_legs(found(99, DECAF), score) if both else found(99, DECAF)
    later = found(200, city(200))  # of something else: only its meaning is a little near
    candidates = [*crowd, of_both_legs(last) if crowded else last, found(50, COFFEE), newest, later]
    shown = conclude(CIPHER, candidates, None, RecallPolicy())
    assert (99 in days(shown.memories)) is in_place
    assert (40 in days(shown.memories)) is not in_place
    assert len(shown.memories) == PLACES


texts = st.sampled_from([COFFEE, DECAF, "콩이랑 산책했다", "콩이는 병원에 갔다", "7월에 이사한다"])


@given(st.lists(texts, max_size=20), st.integers(1, 12))
def test_no_text_comes_twice_and_none_is_lost_while_there_is_room(
    said: list[str], limit: int
) -> None:
    candidates = [found(day, text) for day, text in enumerate(said)]
    memories = recalled(*candidates, limit=limit)
    shown = [one.memory.summary for one in memories]
    assert len(shown) == len(set(shown)) == min(limit, len(set(said)))
    if len(said) > limit > len(set(said[:limit])):
        newest = {text: day for day, text in enumerate(said)}
        assert all(newest[one.memory.summary] == one.memory.id.int for one in memories)
