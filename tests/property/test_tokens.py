"""Laws of the token estimate."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gieok import tokens

TEXT = st.text(st.characters(exclude_categories=()), max_size=50)


@settings(deadline=None)
@given(TEXT, TEXT)
def test_a_longer_text_takes_no_less_and_parts_no_less_than_the_whole(a: str, b: str) -> None:
    whole, parts = tokens.estimate(a + b), tokens.estimate(a) + tokens.estimate(b)
    assert max(tokens.estimate(a), tokens.estimate(b)) <= whole <= parts <= whole + 1


@settings(deadline=None)
@given(TEXT)
def test_an_estimate_lies_between_nothing_and_three_a_character(text: str) -> None:
    assert bool(text.strip(" ")) <= tokens.estimate(text) <= 3 * len(text)
