"""Laws of the token estimate."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gieok.prompt import tokens

BORDERS = (
    "@AZ[`az{ \n\u00a0\u0141ㅋ\u1100\uabff가힣\ud7a4\ud7ff"
    "\ud800\udbff\udc00\udfff\ue000\uffff\U00010000\U0010ffff"
)
"""The first and last of each kind, their neighbours, and what shares a byte with one."""
TEXT = st.text(st.characters(exclude_categories=()) | st.sampled_from(BORDERS), max_size=50)


def _tenths(char: str) -> int:
    """What a character weighs, said one kind after the other."""
    if char == " ":
        return 0
    if "가" <= char <= "힣":
        return 9
    if "A" <= char <= "Z" or "a" <= char <= "z":
        return 4
    return 30 if char > "\uffff" else 10


def test_every_character_there_is_weighs_what_its_kind_does() -> None:
    for first in range(0, 0x110000, 0x100):
        row = "".join(map(chr, range(first, first + 0x100)))
        assert tokens.estimate(row * 10) == sum(map(_tenths, row))


@settings(deadline=None)
@given(TEXT)
@example(BORDERS)
def test_a_text_weighs_what_its_characters_do_rounded_up(text: str) -> None:
    tenths = sum(map(_tenths, text))
    assert tokens.estimate(text * 10) == tenths
    assert tokens.estimate(text) == tenths // 10 + (tenths % 10 > 0)


@settings(deadline=None)
@given(TEXT, TEXT)
def test_a_longer_text_takes_no_less_and_parts_no_less_than_the_whole(a: str, b: str) -> None:
    whole, parts = tokens.estimate(a + b), tokens.estimate(a) + tokens.estimate(b)
    assert max(tokens.estimate(a), tokens.estimate(b)) <= whole <= parts <= whole + 1


@settings(deadline=None)
@given(TEXT)
def test_an_estimate_lies_between_nothing_and_three_a_character(text: str) -> None:
    assert bool(text.strip(" ")) <= tokens.estimate(text) <= 3 * len(text)
