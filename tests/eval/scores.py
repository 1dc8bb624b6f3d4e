"""How much of what was asked for is among what was recalled."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answered:
    """One question: the keys it needs, and those recalled, best first.

    `age` counts the memories since the newest of the needed ones.
    """

    needed: tuple[str, ...]
    recalled: tuple[str, ...]
    age: int = 0

    @property
    def share(self) -> float:
        """Of the evidence, what was recalled."""
        return len(set(self.needed) & set(self.recalled)) / len(set(self.needed))


@dataclass(frozen=True, slots=True)
class Score:
    """Over a set of questions: the mean share of evidence, and how many found any of it."""

    recall: float
    hit: float
    n: int

    def shown(self, k: int) -> dict[str, float | int]:
        """As the result file has it, for the first `k` recalled."""
        return {
            f"recall_at_{k}": round(self.recall, 4),
            f"hit_at_{k}": round(self.hit, 4),
            "n": self.n,
        }


def score(answered: Sequence[Answered]) -> Score:
    """Mean over the questions; all of them need evidence."""
    count = len(answered)
    return Score(
        recall=sum(a.share for a in answered) / count if count else 0.0,
        hit=sum(a.share > 0 for a in answered) / count if count else 0.0,
        n=count,
    )


def by_age(answered: Iterable[Answered], bounds: Sequence[int]) -> dict[str, Score]:
    """Scores by the age of the newest evidence, in ranges that begin at each bound."""
    groups: dict[str, list[Answered]] = {}
    for low, high in zip((0, *bounds), (*bounds, None), strict=True):
        name = f"{low}+" if high is None else f"{low}-{high - 1}"
        groups[name] = []
    names = list(groups)
    for one in answered:
        groups[names[sum(one.age >= bound for bound in bounds)]].append(one)
    return {name: score(group) for name, group in groups.items() if group}
