"""Rows that line up in a terminal, where a Hangul syllable is two columns wide."""

from collections.abc import Sequence
from unicodedata import category, east_asian_width


def width(text: str) -> int:
    """Columns that a text fills in a terminal."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def fit(text: str, columns: int) -> str:
    """The text on one line of exactly so many columns: padded, or cut with a "…" at its end."""
    flat = " ".join(text.split())
    if width(flat) > columns:
        flat = _head(flat, columns - 1) + "…"
    return flat + " " * (columns - width(flat))


def _head(text: str, columns: int) -> str:
    used = 0
    for index, character in enumerate(text):
        used += _columns(character)
        if used > columns:
            return text[:index]
    return text


def row(cells: Sequence[str], columns: Sequence[int]) -> str:
    """One line of a table, without trailing blanks."""
    return "  ".join(fit(c, n) for c, n in zip(cells, columns, strict=True)).rstrip()
