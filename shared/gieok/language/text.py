"""What a user may write: the one check of text that comes from outside."""

import re
from unicodedata import combining, normalize

from gieok.errors import InvalidText
from gieok.language import korean

_LINE_END = re.compile("\r\n|[\r\x0b\x0c]")
_FORBIDDEN = re.compile("[\x00-\x08\x0e-\x1f]")
_UNUSUAL = re.compile("[^\x00-\u02ff가-힣ㄱ-ㅣぁ-ヿ一-鿿]{31}")
_MOST_STACKED = 30
"""Marks on one letter, at most: as many as the Stream-Safe Text Format has (UAX #15). To put them
in order takes the square of their number."""
_DECOMPOSED = 4
"""Times as long as its limit a text may be before NFC: a syllable is typed as three letters."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK_BRAILLE = "\u2800"
_SPELLED_OUT = 2
"""Times as long as its limit a text may be when its compatibility characters are spelled out: ㎏ is
two letters, U+FDFA eighteen, and all that reads a text reads these."""


def clean(text: str, limit: int, field: str = "message") -> str:
    """The text in NFC with "\\n" for other line ends, otherwise as it was written.

    Raises `InvalidText`, naming `field` and the rule, when it is blank to the eye (invisible
    characters included), longer than `limit` characters after NFC or twice as long after NFKC, or
    holds a lone surrogate, a control character other than tab and line feed, or more than 30 marks
    on a letter. The work is bounded before it begins.
    """
    if _SURROGATE.search(text):
        raise InvalidText(f"{field} holds a lone surrogate")
    if len(text) > _DECOMPOSED * limit:
        raise InvalidText(f"{field} is longer than {limit} characters")
    if _is_stacked(text):
        raise InvalidText(f"{field} has more than {_MOST_STACKED} marks on a letter")
    composed = normalize("NFC", _LINE_END.sub("\n", text))
    if _FORBIDDEN.search(composed):
        raise InvalidText(f"{field} holds a control character")
    if len(composed) > limit:
        raise InvalidText(f"{field} is longer than {limit} characters")
    if len(normalize("NFKC", composed)) > _SPELLED_OUT * limit:
        raise InvalidText(f"{field} is too long with its ligatures spelled out")
    if is_blank(composed):
        raise InvalidText(f"{field} is blank")
    return composed


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: white space, and characters that are invisible."""
    return not korean.normalise(text.replace(_BLANK_BRAILLE, "")).strip()


def _is_stacked(text: str) -> bool:
    stacked = 0
    for char in text if _UNUSUAL.search(text) else "":
        stacked = stacked + 1 if combining(char) else 0
        if stacked > _MOST_STACKED:
            return True
    return False
