"""What decay, fusion and context do in small and large pairs: LoCoMo cut into blocks."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gieok.policy import PLAIN_RRF, SOURCE, RecallPolicy
from tests.eval import locomo
from tests.eval.house import House
from tests.eval.scores import score

SIZES = (10, 50, 100, 300, 600)
"""Memories of a pair."""

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


async def compare(house: House, path: Path) -> dict[str, Any]:
    """For each size, each policy's score."""
    found: dict[str, Any] = {}
    for size in SIZES:
        known = await locomo.learn(house, path, size)
        found[str(size)] = {
            name: score(await locomo.ask(house, known, policy, name=f"{size}: {name}")).shown(12)
            for name, policy in POLICIES.items()
        }
    return found


def table(found: Mapping[str, Any]) -> str:
    """As Markdown, recall@12 / hit@12."""
    sizes = [f"{size} ({next(iter(of.values()))['n']})" for size, of in found.items()]
    lines = [f"| policy | {' | '.join(sizes)} |", "|---" * (len(sizes) + 1) + "|"]
    for name in POLICIES:
        cells = [
            f"{of[name]['recall_at_12']:.3f} / {of[name]['hit_at_12']:.3f}" for of in found.values()
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
