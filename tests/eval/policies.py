"""What decay, fusion, overfetch and context do, by size of the pair and age of the evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gieok.policy import PLAIN_RRF, SOURCE, RecallPolicy
from tests.eval import korean, locomo, talks, window_sets
from tests.eval.house import House
from tests.eval.indexed import SHIPPED
from tests.eval.scores import Score, by_age, score

SIZES = (10, 50, 100, 300, 600)
"""Memories of a pair: LoCoMo cut into blocks."""
AGES = (40, 200)
"""Memories since the evidence: within the first half-life of the source design, or far past it."""
KOREAN_AGES = (10, 40)
"""The pairs of our own set are smaller."""

_DEFAULT = RecallPolicy()
POLICIES: Mapping[str, RecallPolicy] = {
    "as shipped": _DEFAULT,
    "with decay 40 / 0.3": replace(_DEFAULT, decay_floor=0.3),
    "with decay 40 / 0.7": replace(_DEFAULT, decay_floor=0.7),
    "without context": replace(_DEFAULT, context=()),
    "overfetch 20": replace(_DEFAULT, overfetch=20),
    "overfetch 100": replace(_DEFAULT, overfetch=100),
    "without reserved places": replace(_DEFAULT, reserved=0),
    "plain RRF": PLAIN_RRF,
    "plain RRF, k 10": replace(PLAIN_RRF, rrf_k=10),
    "plain RRF, overfetch 100": replace(PLAIN_RRF, overfetch=100),
    "source": SOURCE,
}

Columns = Mapping[str, Mapping[str, Score]]
"""Of each column of a table, each policy's score."""


async def by_size(house: House, path: Path) -> dict[str, dict[str, Score]]:
    """LoCoMo: a question is asked where one block holds all its evidence."""
    found = {}
    for size in SIZES:
        known = await locomo.learn(house, path, size)
        found[str(size)] = {
            name: score(await locomo.ask(house, known, policy, name=f"{size}: {name}"))
            for name, policy in POLICIES.items()
        }
    return found


async def by_age_of_locomo(house: House, path: Path) -> dict[str, dict[str, Score]]:
    """Whole conversations, by how long ago the newest evidence was said."""
    known = await locomo.learn(house, path)
    of_policy = {
        name: by_age(await locomo.ask(house, known, policy, name=name), AGES)
        for name, policy in POLICIES.items()
    }
    return _turned(of_policy)


async def by_age_of_korean(house: House) -> dict[str, dict[str, Score]]:
    """The same of our own set."""
    whole, pairs = await korean.learn(house)
    of_policy = {
        name: by_age((await korean.ask(house, whole, pairs, policy)).values(), KOREAN_AGES)
        for name, policy in POLICIES.items()
    }
    return _turned(of_policy)


async def by_windows(house: House, data: Path, locomo_file: Path) -> dict[str, dict[str, Score]]:
    """Windows that a model has summarised: LoCoMo's in one pair, each Korean user's in its own."""
    english, own = window_sets.of_locomo(data, locomo_file), window_sets.own_questions(data)
    whole = [await talks.learn(house, "windows", english, SHIPPED)] if english else []
    pairs = [await talks.learn(house, one.name, [one], SHIPPED) for one in own]
    columns = {"LoCoMo": whole, "Korean": pairs}
    return {
        name: {policy: await _score(house, those, policy) for policy in POLICIES}
        for name, those in columns.items()
        if those
    }


async def _score(house: House, pairs: Sequence[talks.Talk], policy: str) -> Score:
    asked = [await talks.ask(house, talk, POLICIES[policy], policy) for talk in pairs]
    return score([answer for one in asked for (_, q), answer in one.items() if not q.trap])


def table(title: str, columns: Columns) -> str:
    """As Markdown: recall@12 / hit@12, with the number of questions above each column."""
    heads = [f"{name} ({next(iter(of.values())).n})" for name, of in columns.items()]
    lines = [f"| {title} | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for policy in POLICIES:
        cells = [f"{of[policy].recall:.3f} / {of[policy].hit:.3f}" for of in columns.values()]
        lines.append(f"| {policy} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _turned(of_policy: Columns) -> dict[str, dict[str, Score]]:
    columns: dict[str, dict[str, Score]] = {}
    for policy, scores in of_policy.items():
        for column, found in scores.items():
            columns.setdefault(column, {})[policy] = found
    return columns
