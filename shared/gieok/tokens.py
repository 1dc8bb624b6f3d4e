"""An estimate of a text's tokens, for budgets only: never stored, never shown as usage."""

import re

_KINDS = (
    (re.compile("[가-힣]+"), 9),
    (re.compile("[A-Za-z]+"), 4),
    (re.compile("[^가-힣A-Za-z \U00010000-\U0010ffff]+"), 10),
    (re.compile("[\U00010000-\U0010ffff]+"), 30),
)
"""Tenths of a token a character. Spaces are free: they belong to the next word's token.

Measured with the 250,000-piece multilingual SentencePiece of XLM-R (the tokenizer of the offline
embedder, near Gemini's in kind and size): Korean prose and questions .71 a syllable (p95 .87),
English chat .30 a letter (p95 .37), Chinese .65 a character (p95 .79). The weights sit at those
p95, and at 1 where a tokenizer may split to the character (digits, punctuation, jamo) or 3 to the
byte (emoji), so that the estimate errs high: 1.27 of the true count on KorQuAD sentences and below
it on 0.5 % of them, 1.46 on LoCoMo and never below.
"""


def estimate(text: str) -> int:
    """About how many tokens a text takes, rather too many than too few; 0 for none."""
    tenths = sum(weight * sum(map(len, kind.findall(text))) for kind, weight in _KINDS)
    return -(-tenths // 10)
