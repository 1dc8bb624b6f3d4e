"""Rank the memories that the legs of a recall found: decay, fusion, reserved places, the limit."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol
from uuid import UUID

from gieok.policy import RecallPolicy
from gieok.types import Explanation, Slot


class Remembered(Protocol):
    """What ranking needs to know of a memory itself."""

    @property
    def id(self) -> UUID:
        """The last tie-breaker, so that equal input gives equal output."""

    @property
    def importance(self) -> int:
        """1 to 10."""

    @property
    def pinned(self) -> bool:
        """Whether time leaves it alone."""


class Found(Protocol):
    """A memory that some leg found, or that is important or new."""

    @property
    def memory(self) -> Remembered:
        """The memory, sealed or not: ranking never reads it."""

    @property
    def distance(self) -> int:
        """Memories of the pair that came after it."""

    @property
    def similarity(self) -> float | None:
        """Cosine to the question; None where the vector leg did not find it."""

    @property
    def keyword_rank(self) -> float | None:
        """Score of the keyword leg, any scale; None where it did not find it."""

    @property
    def newest(self) -> bool:
        """Whether it may stand in for a vector leg that could not run."""


Chosen = list[tuple[UUID, Explanation]]
"""Memories for the prompt, best first, each with its reason."""


def decay(distance: int, half_life: float, floor: float, pinned: bool) -> float:
    """What is left of a score `distance` memories later: max(floor, 2^(−distance/half_life)).

    1 for a pinned memory. Counted in memories, not days: a user who was away is not forgotten more.
    """
    return 1.0 if pinned else max(floor, 2.0 ** (-max(distance, 0) / half_life))


def reciprocal_rank_fusion(rankings: Iterable[Sequence[UUID]], k: int) -> dict[UUID, float]:
    """Σ 1/(k + rank) over the rankings that hold an id, ranks from 0.

    Only for rankings of the same kind of thing by different measures: Cormack, Clarke and Büttcher,
    SIGIR 2009.
    """
    scores: defaultdict[UUID, float] = defaultdict(float)
    for ranking in rankings:
        for rank, one in enumerate(ranking):
            scores[one] += 1 / (k + rank)
    return dict(scores)


def select(found: Sequence[Found], policy: RecallPolicy, *, has_vector: bool = True) -> Chosen:
    """Which memories reach the prompt, at most `policy.limit`, each once, and why; best first.

    Each id may occur once in `found`. The two legs are decayed, ranked again and fused; an empty
    keyword leg leaves the vector order. Of the important memories that hold no sure place among the
    fused, the `policy.reserved` most important (then newest) take reserved ones. Without a vector
    leg the newest fill what is left free.
    """
    why = _explain(found, policy)
    fused = sorted((f for f in found if why[f.memory.id].score), key=lambda f: _order(f, why))
    important = _important(found, fused, policy)
    reserved = {f.memory.id for f in important}
    kept = [f for f in fused if f.memory.id not in reserved][: policy.limit - len(important)]
    taken = reserved | {f.memory.id for f in kept}
    spare = [] if has_vector else [f for f in found if f.newest and f.memory.id not in taken]
    newest = sorted(spare, key=_recency)[: policy.limit - len(taken)]
    groups: tuple[tuple[Slot, list[Found]], ...] = (
        ("fused", kept),
        ("importance", important),
        ("newest", newest),
    )
    ids = ((slot, f.memory.id) for slot, group in groups for f in group)
    return [(one, replace(why[one], slot=slot)) for slot, one in ids]


def _explain(found: Sequence[Found], policy: RecallPolicy) -> dict[UUID, Explanation]:
    """Ranks and scores of all, as if all were fused. The score is 0 where no leg found it."""
    decays = {
        f.memory.id: decay(f.distance, policy.half_life, policy.decay_floor, f.memory.pinned)
        for f in found
    }
    vector = _ranking(_spread([(f, f.similarity) for f in found]), decays)
    keyword = _ranking([(f, f.keyword_rank) for f in found], decays)
    scores = reciprocal_rank_fusion((vector, keyword), policy.rrf_k)
    vector_ranks, keyword_ranks = _ranks(vector), _ranks(keyword)
    return {
        f.memory.id: Explanation(
            slot="fused",
            score=scores.get(f.memory.id, 0.0),
            decay=decays[f.memory.id],
            similarity=f.similarity,
            vector_rank=vector_ranks.get(f.memory.id),
            keyword_rank=keyword_ranks.get(f.memory.id),
        )
        for f in found
    }


Scored = list[tuple["Found", float | None]]


def _spread(scored: Scored) -> Scored:
    """Similarities over 0 to 1 among the leg's own candidates.

    A cosine has no zero that means "unrelated": those of one question lie within a few hundredths,
    and decayed as they are they would rank by age alone (docs/decisions/08).
    """
    similarities = [s for _, s in scored if s is not None]
    low, high = min(similarities, default=0.0), max(similarities, default=0.0)
    return [(f, None if s is None else (s - low) / ((high - low) or 1.0)) for f, s in scored]


def _ranking(scored: Scored, decays: dict[UUID, float]) -> list[UUID]:
    """One leg in the order of its decayed scores, then newest first."""
    leg = [(f, score) for f, score in scored if score is not None]
    leg.sort(key=lambda one: (-one[1] * decays[one[0].memory.id], *_recency(one[0])))
    return [f.memory.id for f, _ in leg]


def _ranks(ranking: Sequence[UUID]) -> dict[UUID, int]:
    return {one: rank for rank, one in enumerate(ranking)}


def _order(found: Found, why: dict[UUID, Explanation]) -> tuple[float, float, int, UUID]:
    """Fused score; among equals what the vector leg prefers, then the newest."""
    reason = why[found.memory.id]
    near = math.inf if reason.vector_rank is None else reason.vector_rank
    return -reason.score, near, *_recency(found)


def _recency(found: Found) -> tuple[int, UUID]:
    return found.distance, found.memory.id


def _important(found: Sequence[Found], fused: Sequence[Found], policy: RecallPolicy) -> list[Found]:
    """Who takes the reserved places: not those that are in anyhow."""
    places = min(policy.reserved, policy.limit)
    sure = {f.memory.id for f in fused[: policy.limit - places]}
    rest = [
        f for f in found if f.memory.importance >= policy.important_from and f.memory.id not in sure
    ]
    return sorted(rest, key=lambda f: (-f.memory.importance, *_recency(f)))[:places]
