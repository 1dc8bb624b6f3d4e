"""What a recall should give, written the slow and plain way: the oracle of `recall_memories`."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gieok.indexing import keywords
from gieok.policy import RecallPolicy
from gieok.store.windows import BRIEF, SITTING


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory of one pair; its place is its seq. `angle`: of its vector, in degrees."""

    angle: int
    words: tuple[str, ...]
    importance: int
    happened_at: datetime
    pinned: bool = False
    live: bool = True


Score = Mapping[int, float]
"""By place in the list of memories."""


def recalled(
    memories: Sequence[Remembered],
    asked: Mapping[str, float],
    angle: int | None,
    policy: RecallPolicy,
) -> list[tuple[int, str]]:
    """Which memories, best first, and the slot of each. `angle` None: the embedder failed."""
    legs = _vector_leg(memories, angle, policy), _keyword_leg(memories, asked, policy)
    decays = {i: _decay(i, memories, policy) for i in range(len(memories))}
    fuse = _by_ranks if policy.fusion == "ranks" else _by_scores
    score = _with_context(fuse(legs, decays, policy), memories, policy)
    # Among equals, as the vector leg has them: in "ranks" it is decayed before it is ranked.
    fading = decays if policy.fusion == "ranks" else dict.fromkeys(decays, 1.0)
    near = {i: similarity * fading[i] for i, similarity in legs[0].items()}
    ranked = sorted(
        (i for i in score if memories[i].live),
        key=lambda i: (-round(score[i], 9), i not in near, -near.get(i, 0), -i),
    )
    sure = ranked[: policy.limit - policy.reserved]
    important = sorted(
        (
            i
            for i, m in enumerate(memories)
            if m.live and m.importance >= policy.important_from and i not in sure
        ),
        key=lambda i: (-memories[i].importance, -i),
    )[: policy.reserved]
    most = policy.limit + policy.spare - len(important)
    fused = [i for i in ranked if i not in important][:most]
    found = [(i, "fused") for i in fused] + [(i, "importance") for i in important]
    newest = [i for i in reversed(range(len(memories))) if memories[i].live]
    spare = [i for i in newest if angle is None and i not in {j for j, _ in found}]
    return found + [(i, "newest") for i in spare[: policy.limit]]


def _vector_leg(memories: Sequence[Remembered], angle: int | None, policy: RecallPolicy) -> Score:
    if angle is None:
        return {}
    near = {i: math.cos(math.radians(m.angle - angle)) for i, m in enumerate(memories) if m.live}
    return _first(near, policy.overfetch)


def _keyword_leg(
    memories: Sequence[Remembered], asked: Mapping[str, float], policy: RecallPolicy
) -> Score:
    """BM25 in whole numbers, as in the database. Muted ones tell how rare a piece is, too."""
    held = {i: keywords.stored_pieces(m.words) for i, m in enumerate(memories)}
    total: defaultdict[int, float] = defaultdict(float)
    for piece, counts_for in asked.items():
        holders = [i for i, pieces in held.items() if piece in pieces]
        idf = math.log((len(memories) + 1) / (len(holders) + 0.5))
        for i in holders:
            impact = keywords.impact(held[i][piece], len(held[i]))
            total[i] += round(1000 * counts_for * idf) * impact
    return _first({i: t for i, t in total.items() if memories[i].live}, policy.overfetch)


def _first(score: Score, count: int) -> Score:
    best = sorted(score, key=lambda i: (-score[i], -i))[:count]
    return {i: score[i] for i in best}


def _decay(place: int, memories: Sequence[Remembered], policy: RecallPolicy) -> float:
    distance = len(memories) - 1 - place
    faded = max(policy.decay_floor, 2.0 ** (-distance / policy.half_life))
    return 1.0 if memories[place].pinned else faded


def _by_ranks(legs: tuple[Score, Score], decays: Score, policy: RecallPolicy) -> Score:
    total: defaultdict[int, float] = defaultdict(float)
    for leg in legs:
        for rank, i in enumerate(sorted(leg, key=lambda i: (-leg[i] * decays[i], -i))):
            total[i] += 1 / (policy.rrf_k + rank)
    return total


def _by_scores(legs: tuple[Score, Score], decays: Score, policy: RecallPolicy) -> Score:
    near, words = legs
    least = 0.0 if len(words) < policy.overfetch else min(words.values())
    shares: tuple[tuple[Score, float, float], ...] = (
        (near, 1 - policy.keyword_share, min(near.values(), default=0.0)),
        (words, policy.keyword_share, least),
    )
    total: defaultdict[int, float] = defaultdict(float)
    for leg, share, low in shares:
        spread = max(leg.values(), default=0.0) - low
        for i, score in leg.items():
            total[i] += decays[i] * share * ((score - low) / spread if spread else 1.0)
    return total


def _with_context(own: Score, memories: Sequence[Remembered], policy: RecallPolicy) -> Score:
    began = _sittings(memories)
    total: defaultdict[int, float] = defaultdict(float)
    for i, score in own.items():
        total[i] += score
        for step, share in enumerate(policy.context, 1):
            for j in (i - step, i + step):
                if 0 <= j < len(memories) and began[i] == began[j]:
                    total[j] += share * score
    return total


def _sittings(memories: Sequence[Remembered]) -> list[int]:
    """Where each one's sitting began. Only brief ones sit together."""
    began: list[int] = []
    for i, m in enumerate(memories):
        together = i and all(map(_is_brief, memories[i - 1 : i + 1]))
        near = i and abs(m.happened_at - memories[i - 1].happened_at) <= SITTING
        began.append(began[-1] if together and near else i)
    return began


def _is_brief(memory: Remembered) -> bool:
    return len(keywords.stored_pieces(memory.words)) <= BRIEF
