"""What a user may write."""

from unicodedata import normalize

import pytest

from gieok.errors import InvalidText
from gieok.language.text import clean


@pytest.mark.parametrize(
    "blank",
    [
        *("", " ", "\n\t \r\n", "\u200b", "\ufeff\u2060", "\u3164", "\u115f\u1160", "\u00ad"),
        *("\u2800", "\u202e\u2066", "\u3000\u2003", "\ufe0f", "\U000e0020"),
    ],
)
def test_what_looks_blank_is_refused(blank: str) -> None:
    with pytest.raises(InvalidText, match=r"^message is blank$"):
        clean(blank, 100)


@pytest.mark.parametrize("bad", ["\0", "\x01", "\x08", "\x0e", "\x1b", "\x1f"])
def test_control_characters_are_refused(bad: str) -> None:
    with pytest.raises(InvalidText, match="control character"):
        clean(f"안녕{bad}", 100)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\x0b", "\x0c", "\n"])
def test_every_line_end_of_pasted_text_is_a_line_feed(end: str) -> None:
    assert clean(f"한 줄{end}두 줄", 100) == "한 줄\n두 줄"


MARKS = "\u0345\u035d\u035c\u0315\u0300\u0316\u031b\u0327\u0334"


def test_a_letter_carries_thirty_marks_and_no_more() -> None:
    assert clean("a" + "\u0334" * 30, 100)
    for stacked in ("a" + "\u0334" * 31, "a" + MARKS * 4, "".join(m * 3_555 for m in MARKS)):
        with pytest.raises(InvalidText, match=r"marks|longer"):
            clean(stacked, 100_000)
    zalgo = "".join(letter + MARKS * 3 for letter in "안녕하세요")
    assert clean(zalgo, 1_000)


@pytest.mark.parametrize("lone", [chr(0xD800), chr(0xDFFF), chr(0xDC00) + chr(0xD800)])
def test_lone_surrogates_are_refused(lone: str) -> None:
    with pytest.raises(InvalidText, match="surrogate"):
        clean(f"안녕{lone}", 100)


def test_length_counts_composed_characters() -> None:
    text = "한글"
    assert clean(normalize("NFD", text), 2) == text
    assert clean("a\r\nb", 3) == "a\nb"
    with pytest.raises(InvalidText, match="longer than 2 characters"):
        clean("한글이", 2)


@pytest.mark.parametrize(("letter", "most"), [("\ufdfa", 11), ("㎏", 100), ("가", 100)])
def test_ligatures_are_bounded_as_they_are_read(letter: str, most: int) -> None:
    """U+FDFA is eighteen letters; a limit of a hundred lets two hundred be read."""
    assert clean(letter * most, 100) == letter * most
    with pytest.raises(InvalidText):
        clean(letter * (most + 1), 100)


def test_the_rest_stays_as_it_was_written() -> None:
    text = "  ㅋㅋㅋ\tIPHONE Ａ ①\n👨‍👩‍👧 \u200b끝 "
    assert clean(text, 100) == text


def test_the_error_names_field_and_rule_but_never_the_text() -> None:
    with pytest.raises(InvalidText) as caught:
        clean("비밀이야\0", 100, "clientMessageId")
    assert caught.value.detail == "clientMessageId holds a control character"
