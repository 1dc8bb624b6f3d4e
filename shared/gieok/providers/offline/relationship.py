"""What a user's own sentences change about where they stand with a character, by visible rules."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from gieok.providers.offline.cues import (
    BOUNDARY,
    CHARACTER_CALLED,
    COLD,
    CUES,
    PLAIN,
    POLITE,
    PROMISE,
    USER_CALLED,
    WARM,
)
from gieok.relationship.rules import AFFECTION, AFFECTION_STEP, ITEMS, different
from gieok.types import RelationshipState, SpeechLevel, StateField

QUOTES_A_FIELD = 2
"""Sentences that are quoted for one changed field, at most."""
_AFFECTION_A_WORD = 2
"""Points of affection that a warm sentence adds and a cold one takes away."""
_CLEARLY = 0.8
"""The share of sentences, 0 to 1, that makes one of the two speech levels the user's level."""


def updated(before: RelationshipState, said: Sequence[str]) -> RelationshipState:
    """The state after the user said these sentences to the character. `standing` stays."""
    return replace(
        before,
        user_called=_last_match(said, USER_CALLED) or before.user_called,
        character_called=_last_match(said, CHARACTER_CALLED) or before.character_called,
        speech_level=speech_level(said) or before.speech_level,
        promises=_added(before.promises, [s for s in said if _promises(s)]),
        boundaries=_added(before.boundaries, [s for s in said if BOUNDARY.search(s)]),
        affection=_moved(before.affection, said),
    )


def reasons(
    before: RelationshipState, after: RelationshipState, said: Sequence[str]
) -> dict[StateField, list[str]]:
    """The sentences that changed each field which `updated` changed, newest last."""
    return {
        field: [s for s in said if _CHANGES[field](s)][-QUOTES_A_FIELD:]
        for field in sorted(different(before, after))
    }


def speech_level(said: Sequence[str]) -> SpeechLevel:
    """The level that clearly most Korean sentences end in, else a mixture; "" without any."""
    polite = sum(bool(POLITE.search(s)) for s in said)
    plain = sum(bool(PLAIN.search(s)) and not POLITE.search(s) for s in said)
    if not polite + plain:
        return ""
    share = polite / (polite + plain)
    if share >= _CLEARLY:
        return "존댓말"
    return "반말" if share <= 1 - _CLEARLY else "섞어 씀"


def _promises(sentence: str) -> bool:
    """Whether a sentence is a promise: no question, and no request to be called something."""
    named = CUES["name"].search(sentence)
    return bool(PROMISE.search(sentence)) and not named and not sentence.endswith("?")


def _last_match(said: Sequence[str], pattern: re.Pattern[str]) -> str:
    found = [m for s in said for m in pattern.finditer(s)]
    return next(filter(None, found[-1].groups()), "") if found else ""


def _added(before: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """The old items and then the new ones; beyond the limit the oldest go."""
    return tuple(dict.fromkeys((*before, *new)))[-ITEMS:]


def _moved(before: int, said: Sequence[str]) -> int:
    warmth = sum(bool(WARM.search(s)) - bool(COLD.search(s)) for s in said)
    step = max(-AFFECTION_STEP, min(AFFECTION_STEP, _AFFECTION_A_WORD * warmth))
    return max(-AFFECTION, min(AFFECTION, before + step))


_CHANGES: Mapping[StateField, Callable[[str], object]] = {
    "user_called": USER_CALLED.search,
    "character_called": CHARACTER_CALLED.search,
    "speech_level": PLAIN.search,  # polite endings are Hangul too
    "promises": _promises,
    "boundaries": BOUNDARY.search,
    "affection": lambda sentence: WARM.search(sentence) or COLD.search(sentence),
}
"""For each field, what says whether a sentence may have changed it."""
