"""Months of a Korean user with one character, asked as people ask: by kind, with and without help.

The columns add up: search terms alone, the summary's words, what an extraction adds for the search,
and a rewritten question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from gieok.policy import RecallPolicy
from tests.eval import talks, window_sets
from tests.eval.house import House
from tests.eval.indexed import INDEXES, SHIPPED
from tests.eval.scores import Answered, prompt_figures
from tests.eval.talks import Talk
from tests.eval.window_sets import Question, WindowSet

Figures = dict[str, Any]
Asked = Mapping[tuple[str, Question], Answered]


async def measure(house: House, data: Path) -> Figures | None:
    """Every set a pair of its own, as shipped and by other indexes.

    None when the folder has no such set.
    """
    sets = window_sets.own_questions(data)
    if not sets:
        return None
    figures = {index: await _of_index(house, sets, index) for index in INDEXES}
    whole = figures.pop(SHIPPED)
    whole["indexes"] = figures
    return whole


REWRITING = replace(RecallPolicy(), rewrite="when_asked")
"""As shipped, but that questions about the past are rewritten, as far as a rewrite is recorded."""


async def _of_index(house: House, sets: Sequence[WindowSet], index: str) -> Figures:
    pairs = [await talks.learn(house, one.name, [one], index) for one in sets]
    figures = _figures(sets, await _ask(house, pairs, RecallPolicy()))
    figures["memories"] = sum(len(talk.order) for talk in pairs)
    if restated := {q: r for one in sets for q, r in one.rewrites.items()}:
        house.rewrites.of.update(restated)
        house.prepare((s for r in restated.values() for s in r.statements), "rewrites")
        figures["rewritten"] = _figures(sets, await _ask(house, pairs, REWRITING))
    for name, policy in talks.PRESETS.items() if index == SHIPPED else ():
        figures[name] = prompt_figures(_answerable(await _ask(house, pairs, policy)))
    return figures


async def _ask(house: House, pairs: Sequence[Talk], policy: RecallPolicy) -> Asked:
    """What the questions of all sets recall and show."""
    return {
        key: answer
        for talk in pairs
        for key, answer in (await talks.ask(house, talk, policy, "korean windows")).items()
    }


def _answerable(asked: Asked) -> list[Answered]:
    return [answer for (_, question), answer in asked.items() if not question.trap]


def _figures(sets: Sequence[WindowSet], asked: Asked) -> Figures:
    """Over the questions with an answer; of traps only what they are shown."""
    real = {key: a for key, a in asked.items() if not key[1].trap}
    traps = [a for key, a in asked.items() if key[1].trap]
    return {
        **prompt_figures(_answerable(asked)),
        "by_kind": {
            kind: prompt_figures([a for (_, q), a in real.items() if q.kind == kind])
            for kind in sorted({q.kind for _, q in real})
        },
        "by_set": {
            one.name: prompt_figures([a for (name, _), a in real.items() if name == one.name])
            for one in sets
        },
        "stale": stale_figures(sets, real),
        "traps": {
            "n": len(traps),
            "memories_in_prompt": round(mean(len(a.shown or ()) for a in traps), 2) if traps else 0,
        },
        "missed": [q.question for (_, q), a in real.items() if not a.hit(12)],
    }


def stale_figures(sets: Sequence[WindowSet], asked: Asked) -> dict[str, int]:
    """Of the questions whose answer changed: how often the prompt has what no longer holds.

    `without_newest`: and none of what holds now. `ahead_of_newest`: and recall ranks it higher.
    """
    named = {one.name: one for one in sets}
    found = {"n": 0, "in_prompt": 0, "without_newest": 0, "ahead_of_newest": 0}
    for (name, question), answer in asked.items():
        stale = set(named[name].windows_of(question.stale)) - set(answer.needed)
        if not stale:
            continue
        in_prompt = [key for key in answer.recalled if key in (answer.shown or ())]
        first = next((key for key in in_prompt if key in stale | set(answer.needed)), None)
        has_stale = not stale.isdisjoint(in_prompt)
        has_newest = not set(answer.needed).isdisjoint(in_prompt)
        found["n"] += 1
        found["in_prompt"] += has_stale
        found["without_newest"] += has_stale and not has_newest
        found["ahead_of_newest"] += has_stale and has_newest and first in stale
    return found
