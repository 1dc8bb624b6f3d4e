"""Facts by rules: a user's own sentence that states one, word for word, nothing read into it."""

from gieok.providers.offline.cues import FACT_CUES
from gieok.providers.offline.sentences import is_question
from gieok.types import FactCategory

CONFIDENCE = 0.8
"""The confidence of a fact, 0 to 1: the words are certain, their category is a guess."""


def category_of(sentence: str) -> FactCategory | None:
    """What a sentence states of the one who says it; None for a question or anything else."""
    if is_question(sentence):
        return None
    return next((c for c, cue in FACT_CUES.items() if cue.search(sentence)), None)


def fact_of(sentence: str, message_id: str, *, story: bool) -> dict[str, object] | None:
    """The fact a user's sentence states, as an extraction call answers it: word for word."""
    category = category_of(sentence)
    if category is None:
        return None
    return {
        "category": category,
        "subject": {"kind": "user", "name": ""},
        "reality": "story" if story else "real",
        "text": sentence,
        "quote": sentence,
        "message_id": message_id,
        "confidence": CONFIDENCE,
    }
