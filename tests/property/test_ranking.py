"""Laws of the recall ranking, over any candidates."""

from dataclasses import replace
from random import Random
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from gieok import ranking
from gieok.policy import RecallPolicy
from tests.unit.test_ranking import Found, Remembered, found

SCORE = st.none() | st.floats(-1, 1) | st.sampled_from([0.0, 0.5])
UNNUMBERED = st.builds(
    Found,
    st.builds(Remembered, st.just(UUID(int=0)), st.integers(1, 10), st.booleans()),
    st.integers(0, 300),
    SCORE,
    st.none() | st.floats(0, 2),
    st.booleans(),
)
CANDIDATES = st.lists(UNNUMBERED, max_size=30).map(
    lambda drawn: [
        replace(one, memory=replace(one.memory, id=UUID(int=n))) for n, one in enumerate(drawn)
    ]
)
POLICY = st.builds(
    RecallPolicy,
    limit=st.integers(0, 15),
    reserved=st.integers(0, 4),
    important_from=st.integers(1, 10),
    half_life=st.floats(1, 1000),
    decay_floor=st.floats(0, 1),
)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.floats(0.1, 1e6), st.floats(0, 1))
def test_decay_falls_with_distance_from_one_to_its_floor(
    near: int, more: int, half_life: float, floor: float
) -> None:
    close = ranking.decay(near, half_life, floor, pinned=False)
    far = ranking.decay(near + more, half_life, floor, pinned=False)
    assert floor <= far <= close <= 1
    assert ranking.decay(0, half_life, floor, pinned=False) == 1
    assert ranking.decay(near, half_life, floor, pinned=True) == 1


@settings(deadline=None)
@given(st.lists(st.permutations([UUID(int=n) for n in range(6)]), min_size=1, max_size=4))
def test_fusion_never_ranks_below_what_every_leg_ranks_lower(rankings: list[list[UUID]]) -> None:
    scores = ranking.reciprocal_rank_fusion(rankings, 60)
    for one in scores:
        for other in scores:
            if all(r.index(one) < r.index(other) for r in rankings):
                assert scores[one] > scores[other]


@settings(deadline=None)
@given(CANDIDATES, POLICY, st.booleans())
def test_at_most_the_limit_each_once_and_only_what_was_found(
    candidates: list[Found], policy: RecallPolicy, has_vector: bool
) -> None:
    ids = [one for one, _ in ranking.select(candidates, policy, has_vector=has_vector)]
    assert len(ids) <= policy.limit
    assert len(set(ids)) == len(ids)
    assert set(ids) <= {f.memory.id for f in candidates}


@settings(deadline=None)
@given(CANDIDATES, POLICY, st.booleans())
def test_no_place_stays_free_while_something_could_take_it(
    candidates: list[Found], policy: RecallPolicy, has_vector: bool
) -> None:
    taken = {one for one, _ in ranking.select(candidates, policy, has_vector=has_vector)}
    if len(taken) < policy.limit:
        for left in (f for f in candidates if f.memory.id not in taken):
            assert left.similarity is None
            assert left.keyword_rank is None
            assert has_vector or not left.newest


@settings(deadline=None)
@given(CANDIDATES, POLICY, st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(
    candidates: list[Found], policy: RecallPolicy, has_vector: bool, random: Random
) -> None:
    shuffled = list(candidates)
    random.shuffle(shuffled)
    chosen = ranking.select(candidates, policy, has_vector=has_vector)
    assert ranking.select(shuffled, policy, has_vector=has_vector) == chosen


@settings(deadline=None)
@given(CANDIDATES, POLICY)
def test_the_most_important_memories_are_always_in(
    candidates: list[Found], policy: RecallPolicy
) -> None:
    ids = {one for one, _ in ranking.select(candidates, policy)}
    important = [f for f in candidates if f.memory.importance >= policy.important_from]
    important.sort(key=lambda f: (-f.memory.importance, f.distance, f.memory.id))
    assert {f.memory.id for f in important[: min(policy.reserved, policy.limit)]} <= ids


@settings(deadline=None)
@given(CANDIDATES, POLICY)
def test_importance_takes_no_more_than_the_reserved_places(
    candidates: list[Found], policy: RecallPolicy
) -> None:
    slots = [why.slot for _, why in ranking.select(candidates, policy)]
    assert slots.count("importance") <= policy.reserved
    assert slots == sorted(slots, key=["fused", "importance", "newest"].index)


@settings(deadline=None)
@given(CANDIDATES, POLICY)
def test_what_was_fused_is_in_the_order_of_its_scores(
    candidates: list[Found], policy: RecallPolicy
) -> None:
    scores = [why.score for _, why in ranking.select(candidates, policy) if why.slot == "fused"]
    assert scores == sorted(scores, reverse=True)
    assert all(scores)


@settings(deadline=None)
@given(CANDIDATES, POLICY)
def test_without_keywords_the_vector_order_stands_alone(
    candidates: list[Found], policy: RecallPolicy
) -> None:
    wordless = [replace(f, keyword_rank=None) for f in candidates]
    chosen = ranking.select(wordless, replace(policy, reserved=0))
    ranks = [why.vector_rank for _, why in chosen if why.slot == "fused"]
    assert ranks == list(range(len(ranks)))


@settings(deadline=None)
@given(CANDIDATES, POLICY, st.booleans())
def test_an_explanation_says_what_the_legs_said(
    candidates: list[Found], policy: RecallPolicy, has_vector: bool
) -> None:
    by_id = {f.memory.id: f for f in candidates}
    for one, why in ranking.select(candidates, policy, has_vector=has_vector):
        assert why.similarity == by_id[one].similarity
        assert (why.vector_rank is None) == (by_id[one].similarity is None)
        assert (why.keyword_rank is None) == (by_id[one].keyword_rank is None)
        ranks = [r for r in (why.vector_rank, why.keyword_rank) if r is not None]
        assert abs(why.score - sum(1 / (policy.rrf_k + r) for r in ranks)) < 1e-12


@settings(deadline=None)
@given(st.floats(-1, 1), st.integers(0, 300), st.integers(0, 300), POLICY)
def test_of_two_equally_similar_memories_the_newer_is_never_below(
    similarity: float, one: int, other: int, policy: RecallPolicy
) -> None:
    pair = [found(1, one, near=similarity), found(2, other, near=similarity)]
    chosen = ranking.select(pair, replace(policy, limit=2, reserved=0))
    distances = {UUID(int=1): one, UUID(int=2): other}
    assert distances[chosen[0][0]] == min(one, other)
