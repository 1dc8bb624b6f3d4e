"""What must hold of every list of embeddings that is let through."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.errors import ModelMalformed
from gieok.providers.vectors import unit_vectors

FINITE = st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.integers(1, 8).flatmap(
    lambda width: st.lists(st.lists(FINITE, min_size=width, max_size=width), max_size=5)
)


@settings(deadline=None)
@given(ROWS)
def test_what_is_let_through_is_of_unit_length_and_of_the_same_direction(
    rows: list[list[float]],
) -> None:
    directed = [row for row in rows if max(map(abs, row)) >= 1e-9]

    vectors = unit_vectors(directed, len(directed), None, "m")

    for row, vector in zip(directed, vectors, strict=True):
        assert math.isclose(math.hypot(*vector), 1, rel_tol=1e-9)
        largest = max(range(len(row)), key=lambda i: abs(row[i]))
        assert math.copysign(1, vector[largest]) == math.copysign(1, row[largest])


@settings(deadline=None)
@given(ROWS.filter(bool), st.sampled_from([math.nan, math.inf, -math.inf]), st.data())
def test_one_number_that_is_none_refuses_all(
    rows: list[list[float]], bad: float, data: st.DataObject
) -> None:
    row = data.draw(st.integers(0, len(rows) - 1))
    rows[row][data.draw(st.integers(0, len(rows[row]) - 1))] = bad

    with pytest.raises(ModelMalformed):
        unit_vectors(rows, len(rows), None, "m")


@pytest.mark.parametrize(
    ("rows", "count", "width"),
    [
        ([[1.0]], 2, None),
        ([[1.0], [1.0]], 1, None),
        ([[1.0, 0.0]], 1, 3),
        ([[1.0, 0.0], [1.0]], 2, None),
        ([[0.0, 0.0]], 1, 2),
        ([[]], 1, None),
    ],
)
def test_a_wrong_count_a_wrong_width_and_zeros_are_refused(
    rows: list[list[float]], count: int, width: int | None
) -> None:
    with pytest.raises(ModelMalformed):
        unit_vectors(rows, count, width, "m")


def test_no_texts_have_no_vectors() -> None:
    assert unit_vectors([], 0, 768, "m") == ()
