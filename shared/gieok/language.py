"""Which language a conversation is in, by its script."""

import re

from gieok.types import Locale

_SCRIPTS: tuple[tuple[Locale, re.Pattern[str]], ...] = (
    ("ko", re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")),
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("en", re.compile(r"[A-Za-z]{2}")),
)


def locale_of(text: str, default: Locale) -> Locale:
    """The locale whose script the text shows, most telling script first; else `default`."""
    return next((locale for locale, script in _SCRIPTS if script.search(text)), default)
