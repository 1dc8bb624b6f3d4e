"""How much of what was asked for is among what was recalled."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean


@dataclass(frozen=True, slots=True)
class Answered:
    """One question: the keys it needs, and those recalled, best first.

    `age` counts the memories since the newest of the needed ones. `shown` are the keys of which the
    prompt holds at least the beginning, `whole` those whose summary it holds uncut; None where no
    prompt was assembled.
    """

    needed: tuple[str, ...]
    recalled: tuple[str, ...]
    age: int = 0
    shown: frozenset[str] | None = None
    whole: frozenset[str] | None = None

    @property
    def share(self) -> float:
        """Of the evidence, what was recalled."""
        return len(set(self.needed) & set(self.recalled)) / len(set(self.needed))

    def hit(self, k: int) -> bool:
        """Whether any of the evidence is among the first `k`."""
        return not set(self.needed).isdisjoint(self.recalled[:k])


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


def prompt_figures(answered: Sequence[Answered]) -> dict[str, float | int]:
    """As the result file has it, of questions whose prompts were assembled; all need evidence.

    `in_prompt_hit` counts the questions with any of their evidence in the prompt,
    `whole_in_prompt_hit` those that have a whole summary of it.
    """
    shown = [(set(a.needed), a.shown or frozenset(), a.whole or frozenset()) for a in answered]
    return {
        **score(answered).shown(12),
        "hit_at_3": _share(a.hit(3) for a in answered),
        "in_prompt_hit": _share(bool(needed & all_shown) for needed, all_shown, _ in shown),
        "whole_in_prompt_hit": _share(bool(needed & whole) for needed, _, whole in shown),
        "memories_in_prompt": round(mean(len(all_shown) for _, all_shown, _ in shown), 2),
    }


def _share(found: Iterable[bool]) -> float:
    return round(mean(map(float, found)), 4)


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
