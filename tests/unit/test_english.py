"""Light English stems."""

import pytest

from gieok.language import english


@pytest.mark.parametrize(
    ("words", "stem"),
    [
        ("camp camps camped camping", "camp"),
        ("plan plans planned planning", "plan"),
        ("hike hikes hiked hiking", "hik"),
        ("nice nicely", "nic"),
        ("party parties", "party"),
        ("glass glasses", "glass"),
        ("call calls called calling", "call"),
        ("dog dogs", "dog"),
        ("bus", "bus"),
        ("thing", "thing"),
        ("ed", "ed"),
    ],
)
def test_inflections_share_a_stem(words: str, stem: str) -> None:
    assert {english.stem(word) for word in words.split()} == {stem}


@pytest.mark.parametrize("word", ["부산", "café", "15", "o'brien", "s24", ""])
def test_other_text_is_left_alone(word: str) -> None:
    assert english.stem(word) == word
