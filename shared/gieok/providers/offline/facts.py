"""Facts by rules: a user's own sentence that states one is the fact, word for word."""

from gieok.providers.offline.cues import FACT_CUES
from gieok.providers.offline.sentences import is_question
from gieok.providers.offline.speech import said_by_the_user
from gieok.types import FactCategory

CONFIDENCE = 0.8
"""The confidence of a fact, 0 to 1: the words are certain, their category is a guess."""


def category_of(sentence: str) -> FactCategory | None:
    """The kind of thing that a sentence states of its speaker; None for a question, for what
    somebody else said, and for no fact."""
    own = "" if is_question(sentence) else said_by_the_user(sentence)
    return next((c for c, cue in FACT_CUES.items() if cue.search(own)), None)


def fact_of(sentence: str, message_id: str, *, story: bool) -> dict[str, object] | None:
    """The fact that a user's sentence states, as JSON values of an extraction's answer; or None."""
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
