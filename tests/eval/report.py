"""The figures of an evaluation beside the bars they are to reach."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bar:
    """The least value of a figure; `path` leads to it."""

    path: tuple[str, ...]
    least: float


BARS = (
    Bar(("locomo", "recall_at_12"), 0.70),
    Bar(("locomo", "hit_at_12"), 0.77),
    Bar(("madial_en", "recall_at_10"), 0.70),
    Bar(("madial_en", "hit_at_10"), 0.92),
    Bar(("korquad_keyword", "recall_at_10"), 0.92),
    Bar(("korquad_hybrid", "recall_at_10"), 0.95),
    Bar(("korean_chat", "hit_at_12"), 0.95),
)
VARIANTS = "vector_only", "keyword_only", "plain_rrf", "source_preset"


def table(figures: Mapping[str, Any]) -> str:
    """One line a figure: what was found, the bar, and whether it was reached."""
    lines = [f"{'figure':<32}{'found':>8}{'bar':>8}"]
    for bar in BARS:
        found = _at(figures, bar.path)
        missed = "" if found >= bar.least else "  below"
        lines.append(f"{'.'.join(bar.path):<32}{found:>8.3f}{bar.least:>8.2f}{missed}")
    lines.append("")
    lines += [
        f"locomo {name:<25}{of['recall_at_12']:>8.3f}{of['hit_at_12']:>8.3f}"
        for name, of in ((v, figures["locomo"][v]) for v in VARIANTS)
    ]
    lines += [
        f"locomo, {age:<7} memories ago{'':<6}{of['recall_at_12']:>8.3f}{of['hit_at_12']:>8.3f}"
        for age, of in figures["locomo"]["by_age"].items()
    ]
    lines.append(f"korean_chat missed: {', '.join(figures['korean_chat']['missed']) or 'none'}")
    return "\n".join(lines)


def _at(figures: Mapping[str, Any], path: tuple[str, ...]) -> float:
    found: Any = figures
    for name in path:
        found = found[name]
    return float(found)
