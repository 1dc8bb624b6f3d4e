"""Which language a conversation is in, by its script."""

import re

from gieok.types import Locale

_SCRIPTS: tuple[tuple[Locale, re.Pattern[str]], ...] = (
    ("ko", re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")),
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("en", re.compile(r"[A-Za-z]{2}")),
)
_PREVAILING = 2 / 3
"""The share of a text's words, 0 to 1, above which the text is in their language though it borrows
from another."""


def locale_of(text: str, default: Locale) -> Locale:
    """The locale of the first script that occurs in a text; `default` when none does.

    Hangul is looked for first, then kana, then Latin, since Korean and Japanese borrow Latin words.
    """
    return next((locale for locale, script in _SCRIPTS if script.search(text)), default)


def prevailing(text: str) -> Locale | None:
    """The locale in whose script most words of the text are; None for a mixture or no words.

    A word with any Hangul or kana counts as such, so that "Boot를" is Korean.
    """
    found = [next((c for c, s in _SCRIPTS if s.search(w)), None) for w in text.split()]
    told = [locale for locale in found if locale]
    return next((c for c, _ in _SCRIPTS if told.count(c) > _PREVAILING * len(told)), None)
