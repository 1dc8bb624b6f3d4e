"""The rules of a relationship state: its limits, what may change it, and its form at rest.

Enforced after the model and after the user alike.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args

import msgspec

from gieok.errors import DecryptionFailed
from gieok.fence import one_line
from gieok.quotes import USER, letters
from gieok.types import Relationship, RelationshipState, SpeechLevel, StateField, StateQuote

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

SPEECH_LEVELS: tuple[SpeechLevel, ...] = get_args(SpeechLevel)
"""As `RelationshipState` has them; "" where it cannot be told."""
FIELDS: tuple[StateField, ...] = get_args(StateField)
USERS_OWN: frozenset[StateField] = frozenset(
    {"character_called", "standing", "boundaries", "affection"}
)
"""Fields that only the user's words may change: a character's would feed on themselves."""
NAMES: frozenset[StateField] = frozenset({"user_called", "character_called"})

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
    return _within(nearest)


def _within(affection: int) -> int:
    return max(-AFFECTION, min(AFFECTION, affection))


def updated(
    before: Relationship, proposed: RelationshipState, quotes: Iterable[StateQuote]
) -> Relationship:
    """The next version by a model's proposal; `quotes` are words that were really said.

    A field changes only where words stand behind it: the user's own for `USERS_OWN` and for a held
    field, which is held no longer then; otherwise anyone's. A name that the user holds gives way
    only to words that say the new one.
    """
    state = bounded(proposed, before.state)
    behind = [q for q in quotes if _carries(q, state, before.held)]
    changed = different(before.state, state) & {q.field for q in behind}
    return Relationship(
        state=replace(before.state, **{f: getattr(state, f) for f in changed}),
        quotes=tuple(q for q in behind if q.field in changed),
        held=tuple(f for f in before.held if f not in changed),
    )


def _carries(quote: StateQuote, state: RelationshipState, held: Collection[StateField]) -> bool:
    if quote.field in held and quote.field in NAMES:
        return quote.speaker == USER and letters(getattr(state, quote.field)) in letters(quote.text)
    return quote.speaker == USER or quote.field not in {*USERS_OWN, *held}


def corrected(before: Relationship, given: Mapping[StateField, Any]) -> Relationship:
    """The next version by the user, with the given fields as the user wants them, and held.

    Their values are within bounds already.
    """
    return Relationship(
        state=replace(before.state, **dict(given)), held=_in_order({*before.held, *given})
    )


def restored(before: Relationship, earlier: Relationship) -> Relationship:
    """The next version with an earlier one's state; what that changes is held like a correction."""
    changed = different(before.state, earlier.state)
    return Relationship(earlier.state, earlier.quotes, _in_order({*before.held, *changed}))


def replayed(steps: Iterable[tuple[Relationship, Relationship]]) -> Relationship:
    """What steps from one version to the next add up to, when others between them are gone.

    Oldest first, each as (before, after). A step gives what it changed: names, speech level and
    standing as they became, promises, boundaries and holds by what came and went, affection by how
    far it moved. What a standing text took over from an earlier one cannot be told apart and stays.
    """
    result = Relationship()
    for before, after in steps:
        result = Relationship(
            state=_moved_on(result.state, before.state, after.state),
            quotes=after.quotes,
            held=_in_order(_items_moved_on(result.held, before.held, after.held)),
        )
    return result


def _moved_on(
    result: RelationshipState, before: RelationshipState, after: RelationshipState
) -> RelationshipState:
    changed = {f: getattr(after, f) for f in different(before, after)}
    for name in changed.keys() & {"promises", "boundaries"}:
        items = _items_moved_on(getattr(result, name), getattr(before, name), changed[name])
        changed[name] = items[-ITEMS:]
    if "affection" in changed:
        changed["affection"] = _within(result.affection + after.affection - before.affection)
    return replace(result, **changed)


def _items_moved_on(
    result: tuple[str, ...], before: tuple[str, ...], after: tuple[str, ...]
) -> tuple[str, ...]:
    gone = set(before) - set(after)
    kept = [item for item in result if item not in gone]
    return tuple(dict.fromkeys([*kept, *(item for item in after if item not in before)]))


def different(one: RelationshipState, other: RelationshipState) -> set[StateField]:
    """The fields in which two states differ."""
    return {f for f in FIELDS if getattr(one, f) != getattr(other, f)}


def _in_order(fields: Collection[str]) -> tuple[StateField, ...]:
    return tuple(f for f in FIELDS if f in fields)


class _Body(msgspec.Struct):
    """A version at rest. Before quotes were kept, a body was the bare state."""

    state: RelationshipState
    quotes: tuple[StateQuote, ...] = ()
    held: tuple[StateField, ...] = ()


def to_json(version: Relationship) -> bytes:
    """The version as UTF-8 JSON, to be encrypted."""
    return msgspec.json.encode(version)


def from_json(body: bytes) -> Relationship:
    """The version that `to_json` wrote; fields it does not know are passed over.

    Raises `DecryptionFailed` for anything else.
    """
    try:
        if body.startswith(b'{"state":'):
            whole = msgspec.json.decode(body, type=_Body)
            return Relationship(whole.state, whole.quotes, whole.held)
        return Relationship(msgspec.json.decode(body, type=RelationshipState))
    except msgspec.DecodeError:
        # Not chained: the original may quote the user.
        raise DecryptionFailed("not a relationship state") from None
