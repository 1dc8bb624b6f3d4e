"""What a list of embeddings must be before anybody stores or compares it."""

import math
from collections.abc import Sequence

from gieok.calls import Vector
from gieok.errors import ModelMalformed

_LEAST_NORM = 1e-9
"""The size of a vector's largest component, at least: a smaller vector's direction is noise."""


def unit_vectors(
    rows: Sequence[Sequence[float]], count: int, width: int | None, model: str
) -> tuple[Vector, ...]:
    """The rows scaled to length 1: `count` of them, each `width` wide (None: all alike).

    Raises `ModelMalformed` for another count or width, and for a row that has no direction: a NaN,
    an infinity, or nothing but zeros.
    """
    if len(rows) != count:
        raise ModelMalformed(model, f"{len(rows)} vectors for {count} texts")
    expected = width or (len(rows[0]) if rows else 0)
    return tuple(_unit(row, expected, model) for row in rows)


def _unit(row: Sequence[float], width: int, model: str) -> Vector:
    if not row or len(row) != width:
        raise ModelMalformed(model, f"a vector of width {len(row)}, expected {width}")
    largest = max(map(abs, row))
    if not all(map(math.isfinite, row)) or largest < _LEAST_NORM:
        raise ModelMalformed(model, "a vector without a direction")
    # Scaled first, so that no square overflows.
    scaled = [x / largest for x in row]
    norm = math.hypot(*scaled)
    return tuple(x / norm for x in scaled)
