"""Bring several rankings of the same things together."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from uuid import UUID


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
