"""Worked examples of the recall ranking."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import pytest

from gieok import ranking
from gieok.policy import RecallPolicy


@dataclass(frozen=True)
class Remembered:
    id: UUID
    importance: int = 5
    pinned: bool = False


@dataclass(frozen=True)
class Found:
    memory: Remembered
    distance: int = 0
    similarity: float | None = None
    keyword_rank: float | None = None
    newest: bool = False


def found(
    number: int,
    distance: int = 0,
    near: float | None = None,
    word: float | None = None,
    *,
    importance: int = 5,
    pinned: bool = False,
    newest: bool = False,
) -> Found:
    return Found(Remembered(UUID(int=number), importance, pinned), distance, near, word, newest)


def numbers(chosen: ranking.Chosen) -> list[int]:
    return [one.int for one, _ in chosen]


def slots(chosen: ranking.Chosen) -> list[str]:
    return [why.slot for _, why in chosen]


def select(*candidates: Found, limit: int = 12, has_vector: bool = True) -> ranking.Chosen:
    return ranking.select(candidates, RecallPolicy(limit=limit), has_vector=has_vector)


@pytest.mark.parametrize(
    ("distance", "expected"), [(0, 1), (40, 0.5), (60, 2**-1.5), (80, 0.3), (10**9, 0.3), (-3, 1)]
)
def test_a_score_halves_every_forty_memories_down_to_the_floor(
    distance: int, expected: float
) -> None:
    assert ranking.decay(distance, 40, 0.3, pinned=False) == pytest.approx(expected)
    assert ranking.decay(distance, 40, 0.3, pinned=True) == 1


def test_fusion_sums_reciprocal_ranks_from_zero() -> None:
    a, b, c = (UUID(int=n) for n in (1, 2, 3))
    assert ranking.reciprocal_rank_fusion([[a, b], [b, c]], 60) == {
        a: 1 / 60,
        b: 1 / 61 + 1 / 60,
        c: 1 / 61,
    }


def test_what_both_legs_find_comes_first_and_says_why() -> None:
    chosen = select(found(1, near=0.9), found(2, 40, near=0.8, word=0.3), found(3, word=0.1))
    assert numbers(chosen) == [2, 1, 3]
    why = dict(chosen)[UUID(int=2)]
    assert (why.slot, why.vector_rank, why.keyword_rank) == ("fused", 1, 0)
    assert why.score == pytest.approx(1 / 61 + 1 / 60)
    assert (why.decay, why.similarity) == (0.5, 0.8)
    assert dict(chosen)[UUID(int=1)].keyword_rank is None


def test_each_leg_is_ranked_again_after_decay() -> None:
    far, near, least = found(1, 80, near=0.9), found(2, 0, near=0.7), found(3, 0, near=0.1)
    assert numbers(select(far, near, least)) == [2, 1, 3]


def test_similarities_in_a_narrow_band_are_not_ranked_by_age_alone() -> None:
    """As sentence embedders give them: a hundredth is much, and the right one is old."""
    old, *newer = [found(1, 20, near=0.86)] + [found(n, 20 - n, near=0.82) for n in range(2, 20)]
    assert numbers(select(old, *newer))[0] == 1
    assert numbers(select(found(1, 80, near=0.9, pinned=True), found(2, near=0.5))) == [1, 2]
    assert numbers(select(found(1, 80, word=0.9), found(2, 0, word=0.5))) == [2, 1]


def test_decay_does_not_lift_an_opposite_memory() -> None:
    assert numbers(select(found(1, 500, near=-0.5), found(2, 0, near=-0.5))) == [2, 1]


def test_equals_are_ordered_by_vector_rank_then_the_newest() -> None:
    assert numbers(select(found(1, word=0.5), found(2, near=0.5))) == [2, 1]
    assert numbers(select(found(1, 3, near=0.0), found(2, 2, near=0.0))) == [2, 1]


def test_important_memories_take_reserved_places() -> None:
    legs = [found(n, near=1 - n / 100) for n in range(1, 7)]
    important = [found(20, 9, importance=7), found(21, 5, importance=9), found(22, importance=6)]
    chosen = select(*legs, *important, found(30, importance=5), limit=5)
    assert numbers(chosen) == [1, 2, 3, 21, 20]
    assert slots(chosen) == ["fused"] * 3 + ["importance"] * 2


def test_of_equally_important_memories_the_newest_is_taken() -> None:
    old, new, newer = (found(n, 10 - n, importance=8) for n in (1, 2, 3))
    assert numbers(select(old, new, newer)) == [3, 2]


def test_an_important_memory_that_a_leg_ranks_too_low_is_not_lost() -> None:
    legs = [found(n, near=1 - n / 100, importance=9 if n == 4 else 5) for n in range(1, 9)]
    chosen = select(*legs, found(20, importance=7), found(21, importance=6), limit=5)
    assert numbers(chosen) == [1, 2, 3, 4, 20]
    assert dict(chosen)[UUID(int=4)].vector_rank == 3


def test_unneeded_reserved_places_are_filled_by_rank() -> None:
    legs = [found(n, near=1 - n / 100, importance=9) for n in range(1, 4)]
    assert numbers(select(*legs, *(found(n, near=0.1) for n in range(4, 9)), limit=5)) == [
        *(1, 2, 3, 4, 5)
    ]


def test_without_a_vector_the_newest_follow_the_keyword_leg() -> None:
    candidates = [
        found(1, 30, word=0.4),
        *(found(n, n, newest=True) for n in range(2, 9)),
        found(20, 50, importance=8),
    ]
    chosen = select(*candidates, limit=5, has_vector=False)
    assert numbers(chosen) == [1, 20, 2, 3, 4]
    assert slots(chosen) == ["fused", "importance", "newest", "newest", "newest"]
    assert numbers(select(*candidates, limit=5)) == [1, 20]


@pytest.mark.parametrize("limit", [0, 1])
def test_a_tiny_limit_holds(limit: int) -> None:
    candidates: Sequence[Found] = [found(1, near=0.9), found(2, importance=9)]
    assert len(select(*candidates, limit=limit)) == limit


def test_nothing_found_is_nothing_recalled() -> None:
    assert select() == []
