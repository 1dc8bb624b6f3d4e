"""The letters of a text, which stay the same however it is spaced, punctuated or capitalised."""

from unicodedata import category

from gieok.language import korean


def letters(text: str) -> str:
    """What two spellings of the same words share: the text without spaces, punctuation, case and
    width."""
    return "".join(filter(is_letter, korean.normalise(text)))


def is_letter(char: str) -> bool:
    """Whether a character is a letter, a digit, a mark on one, or a pictograph."""
    return category(char)[0] in "LNM" or category(char) == "So"
