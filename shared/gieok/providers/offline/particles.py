"""Particles that depend on the letter before them."""

import re

_SAID = re.compile(r"(?<=[가-힣])(?P<mark>[”\"])라고")


def is_open(word: str) -> bool:
    """Whether a word of Hangul ends in a vowel; of another script, that it is taken to."""
    return not "가" <= word[-1:] <= "힣" or (ord(word[-1]) - ord("가")) % 28 == 0


def after_quotations(text: str) -> str:
    """The text with 이라고 after quotations that end in a consonant: “6년”이라고."""
    return _SAID.sub(lambda f: f[0] if is_open(text[f.start() - 1]) else f"{f['mark']}이라고", text)
