"""What a user may write: the one check of text that comes from outside."""

import re
from unicodedata import normalize

from gieok.errors import InvalidText
from gieok.language import korean

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK_BRAILLE = "\u2800"
_SPELLED_OUT = 2
"""Times as long as its limit a text may be when its compatibility characters are spelled out: ㎏ is
two letters, U+FDFA eighteen, and all that reads a text reads these."""


def clean(text: str, limit: int, field: str = "message") -> str:
    """The text in NFC with "\\n" for "\\r\\n", otherwise as it was written.

    Raises `InvalidText`, naming `field` and the rule, when it is blank to the eye (invisible
    characters included), longer than `limit` characters after NFC or twice as long after NFKC, or
    holds a lone surrogate or a control character other than tab and line feed.
    """
    if _SURROGATE.search(text):
        raise InvalidText(f"{field} holds a lone surrogate")
    composed = normalize("NFC", text.replace("\r\n", "\n"))
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
