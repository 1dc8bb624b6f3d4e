"""The limits of a relationship state, enforced after the model, and its form at rest."""

from typing import Literal, get_args

import msgspec

from gieok.errors import DecryptionFailed
from gieok.fence import one_line
from gieok.types import RelationshipState

STANDING_CHARS = 600
ITEMS = 5
"""Promises, and as many boundaries."""
ITEM_CHARS = 100
NAME_CHARS = 40
"""What one calls the other; ours, since the specification sets none."""
AFFECTION = 100
"""Affection runs from −AFFECTION to AFFECTION."""
AFFECTION_STEP = 10
"""How far affection moves in one window."""

SpeechLevel = Literal["존댓말", "반말", "섞어 씀", ""]
SPEECH_LEVELS: tuple[SpeechLevel, ...] = get_args(SpeechLevel)
"""As `RelationshipState` has them; "" where it cannot be told."""

_NOTHING = RelationshipState()


def bounded(proposed: RelationshipState, previous: RelationshipState | None) -> RelationshipState:
    """The proposed state within its limits; `previous` is None before the first window.

    Promises and boundaries are replaced whole, so that a kept promise can go. A blank name, speech
    level or standing is a model's omission, not news: the previous one stays. Idempotent.
    """
    before = previous or _NOTHING
    return RelationshipState(
        user_called=clipped(proposed.user_called, NAME_CHARS) or before.user_called,
        character_called=clipped(proposed.character_called, NAME_CHARS) or before.character_called,
        speech_level=speech_level(proposed.speech_level) or before.speech_level,
        standing=clipped(proposed.standing, STANDING_CHARS) or before.standing,
        promises=_items(proposed.promises),
        boundaries=_items(proposed.boundaries),
        affection=_moved(proposed.affection, before.affection),
    )


def speech_level(text: str) -> SpeechLevel:
    """The speech level of that name; "" for any other text."""
    return next((level for level in SPEECH_LEVELS if level == text.strip()), "")


def clipped(text: str, limit: int) -> str:
    """The text on one line, at most `limit` characters; "…" ends one that was cut."""
    line = one_line(text)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _items(texts: tuple[str, ...]) -> tuple[str, ...]:
    lines = dict.fromkeys(clipped(t, ITEM_CHARS) for t in texts)
    return tuple(line for line in lines if line)[:ITEMS]


def _moved(proposed: int, before: int) -> int:
    nearest = max(before - AFFECTION_STEP, min(before + AFFECTION_STEP, proposed))
    return max(-AFFECTION, min(AFFECTION, nearest))


def to_json(state: RelationshipState) -> bytes:
    """The state as UTF-8 JSON, to be encrypted."""
    return msgspec.json.encode(state)


def from_json(body: bytes) -> RelationshipState:
    """The state that `to_json` wrote; fields it does not know are passed over.

    Raises `DecryptionFailed` for anything else.
    """
    try:
        return msgspec.json.decode(body, type=RelationshipState)
    except msgspec.DecodeError:
        # Not chained: the original may quote the user.
        raise DecryptionFailed("not a relationship state") from None
