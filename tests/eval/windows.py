"""LoCoMo conversations as the product remembers them: windows that a model has summarised."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gieok.policy import RecallPolicy
from tests.eval import talks, window_sets
from tests.eval.house import House
from tests.eval.indexed import INDEXES, SHIPPED
from tests.eval.scores import prompt_figures
from tests.eval.window_sets import WindowSet

Figures = dict[str, Any]


async def measure(house: House, data: Path, locomo: Path) -> Figures | None:
    """All windows in one pair, as shipped, by the presets, by other indexes; then each alone.

    None when the folder has no such set.
    """
    sets = window_sets.of_locomo(data, locomo)
    if not sets:
        return None
    figures = {index: await _of_index(house, sets, index) for index in INDEXES}
    whole = figures.pop(SHIPPED)
    whole["indexes"] = figures
    whole["alone"] = {one.name: await _alone(house, one) for one in sets}
    return whole


async def _of_index(house: House, sets: Sequence[WindowSet], index: str) -> Figures:
    talk = await talks.learn(house, "windows", sets, index)
    answered = await talks.ask(house, talk, RecallPolicy(), f"windows, {index}")
    figures: Figures = {**prompt_figures(list(answered.values())), "memories": len(talk.order)}
    for name, policy in talks.PRESETS.items() if index == SHIPPED else ():
        preset = await talks.ask(house, talk, policy, f"windows, {name}")
        figures[name] = prompt_figures(list(preset.values()))
    return figures


async def _alone(house: House, one: WindowSet) -> Figures:
    talk = await talks.learn(house, one.name, [one], SHIPPED)
    return {**prompt_figures(list((await talks.ask(house, talk, RecallPolicy())).values()))}
