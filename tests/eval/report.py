"""The figures of an evaluation beside the bars they are to reach."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bar:
    """The least value of a figure; `path` leads to it. With `above`, it counts from that figure."""

    path: tuple[str, ...]
    least: float
    above: tuple[str, ...] = ()


BARS = (
    Bar(("windows", "in_prompt_hit"), 0.955),
    Bar(("windows", "in_prompt_hit"), -0.005, above=("windows", "hit_at_12")),
    Bar(("windows", "hit_at_3"), 0.80),
    Bar(("korean_windows", "in_prompt_hit"), 0.95),
    Bar(("korean_windows", "hit_at_3"), 0.80),
    Bar(("korean_windows", "rewritten", "in_prompt_hit"), 0.97),
    Bar(("korean_windows", "rewritten", "hit_at_3"), 0.86),
    Bar(("korean_chat", "hit_at_12"), 0.95),
    Bar(("locomo", "recall_at_12"), 0.74),
    Bar(("locomo", "hit_at_12"), 0.81),
    Bar(("madial_en", "recall_at_10"), 0.70),
    Bar(("madial_en", "hit_at_10"), 0.92),
    Bar(("korquad_keyword", "recall_at_10"), 0.92),
    Bar(("korquad_hybrid", "recall_at_10"), 0.95),
)

_COLUMNS: Mapping[str, str] = {
    "n": "n",
    "recall_at_12": "rec@12",
    "hit_at_12": "hit@12",
    "hit_at_3": "hit@3",
    "in_prompt_hit": "prompt",
    "whole_in_prompt_hit": "whole",
    "memories_in_prompt": "mems",
}
"""Figures that many parts of the result have, with the heads of their columns."""


def table(figures: Mapping[str, Any]) -> str:
    """What was found beside the bars and whether they were reached; then every figure there is."""
    lines = [f"{'figure':<40}{'found':>8}{'bar':>8}"]
    lines += [_against(figures, bar) for bar in BARS if _holds(figures, bar)]
    for name in ("windows", "korean_windows", "korean_chat", "locomo"):
        lines += _rows(name, figures[name]) if name in figures else []
    if "extraction" in figures:
        lines += ["", *_lines("extraction", figures["extraction"])]
    return "\n".join(lines)


def _against(figures: Mapping[str, Any], bar: Bar) -> str:
    found = _at(figures, bar.path)
    least = bar.least + (_at(figures, bar.above) if bar.above else 0)
    missed = "" if found >= least else "  below"
    return f"{'.'.join(bar.path):<40}{found:>8.3f}{least:>8.3f}{missed}"


def _rows(name: str, figures: Mapping[str, Any]) -> list[str]:
    """A set's figures and those of its parts, a line each."""
    heads = "".join(f"{head:>8}" for head in _COLUMNS.values())
    return ["", f"{name:<40}{heads}", *_lines("", figures)]


def _lines(name: str, figures: Mapping[str, Any]) -> Iterator[str]:
    if not _COLUMNS.keys().isdisjoint(figures):
        yield name.ljust(40) + "".join(f"{figures.get(key, '-'):>8}" for key in _COLUMNS)
    for key, part in figures.items():
        called = f"{name} {key}".strip()
        if isinstance(part, Mapping):
            yield from _lines(called, part)
        elif key not in _COLUMNS:
            shown = ", ".join(map(str, part)) if isinstance(part, list) else part
            yield f"{called}: {shown}"


def _holds(figures: Mapping[str, Any], bar: Bar) -> bool:
    found: Any = figures
    for name in bar.path:
        if name not in found:
            return False
        found = found[name]
    return True


def _at(figures: Mapping[str, Any], path: tuple[str, ...]) -> float:
    found: Any = figures
    for name in path:
        found = found[name]
    return float(found)
