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


@pytest.mark.parametrize("bad", ["\0", "\x01", "\x0b", "\x0c", "\r", "\x1b", "\x1f"])
def test_control_characters_are_refused(bad: str) -> None:
    with pytest.raises(InvalidText, match="control character"):
        clean(f"안녕{bad}", 100)


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
