"""The rules of a relationship state: its limits, and what may change it.

Enforced after the model and after the user alike.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar, get_args

from gieok.prompt.fence import one_line
from gieok.relationship.mention import mentions
from gieok.types import USER, Relationship, RelationshipState, SpeechLevel, StateField, StateQuote

STANDING_CHARS = 600
ITEMS = 5
"""Promises of a state, at most, and as many boundaries."""
ITEM_CHARS = 100
NAME_CHARS = 40
"""Characters of what one calls the other, at most. The number is ours."""
AFFECTION = 100
"""Affection runs from −AFFECTION to AFFECTION."""
AFFECTION_STEP = 10
"""How far affection may move in one window."""

SPEECH_LEVELS: tuple[SpeechLevel, ...] = get_args(SpeechLevel)
"""The speech levels of `RelationshipState`; "" where the level cannot be told."""
FIELDS: tuple[StateField, ...] = get_args(StateField)
USERS_OWN: frozenset[StateField] = frozenset(
    {"character_called", "standing", "boundaries", "affection"}
)
"""Fields that only the user's words may change: a character's would feed on themselves."""
LISTS: frozenset[StateField] = frozenset({"promises", "boundaries"})
HELD_ON: frozenset[StateField] = LISTS | {"affection"}
"""Fields of which one change leaves the rest as the user set it: their holds stay."""

V = TypeVar("V")
_NOTHING = RelationshipState()
_NEW = Relationship()


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
        affection=_stepped(proposed.affection, before.affection),
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


def _stepped(proposed: int, before: int) -> int:
    nearest = max(before - AFFECTION_STEP, min(before + AFFECTION_STEP, proposed))
    return _within(nearest)


def _within(affection: int) -> int:
    return max(-AFFECTION, min(AFFECTION, affection))


def updated(
    before: Relationship, proposed: RelationshipState, quotes: Iterable[StateQuote]
) -> Relationship:
    """The next version by a model's proposal; `quotes` are words that were really said.

    A field changes only where words stand behind it: the user's own for `USERS_OWN`, otherwise
    anyone's. What the user holds changes only by the user's words that were said after it was set
    and are about the value, promises and boundaries item by item; a hold ends with such a change,
    but for `HELD_ON`.
    """
    became = bounded(proposed, before.state)
    made = _after_window(before, before.state, became, tuple(quotes))
    return replace(made, before=before.state)


def corrected(before: Relationship, given: Mapping[StateField, Any], at: datetime) -> Relationship:
    """The next version by the user, with the given fields as the user wants them, held since `at`.

    Their values are within bounds already.
    """
    held = {**before.held, **dict.fromkeys(given, at)}
    return Relationship(
        state=replace(before.state, **dict(given)), held=_in_order(held), given=(*_in_order(given),)
    )


def restored(before: Relationship, earlier: Relationship, at: datetime) -> Relationship:
    """The next version with an earlier one's state: what that changes is given by the user."""
    changed = different(before.state, earlier.state)
    made = corrected(before, {f: getattr(earlier.state, f) for f in changed}, at)
    return replace(made, quotes=earlier.quotes)


def replayed(versions: Iterable[Relationship], start: Relationship = _NEW) -> Relationship:
    """What versions add up to when others between them are gone: each does again what it did.

    Oldest first. A window changes what it changed, where the holds of the others let it: names,
    speech level and standing to what they became, promises and boundaries by what came and went,
    affection by how far it moved. What the user gave is as it was given. What a standing text took
    over from an earlier one cannot be told apart and stays. `start` is what those before add up to.
    """
    result = start
    for version in versions:
        result = _again(result, version)
    return Relationship(result.state, result.quotes, result.held)


def without(now: Relationship, lost: Relationship, was: Relationship) -> Relationship:
    """What a version says once an earlier one is lost, which had been made from `was`.

    What the user set since is as it was set. A name, the speech level and standing are as before
    the lost one where they still are what that made them; items that it brought go, those that it
    took come back, and affection loses how far it moved. A hold that it ended is back with what was
    held. What others between would have done without it is not asked.
    """
    values, held = {}, dict(now.held)
    for field in different(was.state, lost.state):
        holds = [r.held.get(field) for r in (now, lost, was)]
        if holds[0] not in (None, *holds[1:]):
            continue
        value = _put_back(field, now, lost.state, was.state)
        changed = value != getattr(now.state, field)
        values[field] = value
        if holds[0] == holds[1] and (changed or field in HELD_ON):
            held.pop(field, None)
            held |= {field: holds[2]} if holds[2] else {}
    return Relationship(replace(now.state, **values), now.quotes, _in_order(held))


def _put_back(
    field: StateField, now: Relationship, lost: RelationshipState, was: RelationshipState
) -> Any:
    """The value of a field without what turned one state into the lost one."""
    here, new, old = (getattr(s, field) for s in (now.state, lost, was))
    if field in LISTS:
        kept = (i for i in here if i in old or i not in new)
        back = (i for i in old if i not in new)
        items = tuple(dict.fromkeys([*back, *kept]))
        return items[:ITEMS] if field in now.held else items[-ITEMS:]
    if field == "affection":
        return _within(here - new + old)
    return old if here == new else here


def _again(now: Relationship, version: Relationship) -> Relationship:
    if version.given:
        given = {f: getattr(version.state, f) for f in version.given}
        return corrected(now, given, version.held[version.given[0]])
    return _after_window(now, version.before or _NOTHING, version.state, version.quotes)


def _after_window(
    now: Relationship,
    was: RelationshipState,
    became: RelationshipState,
    quotes: tuple[StateQuote, ...],
) -> Relationship:
    """What `now` becomes by a window that made one state of another, by these words."""
    values, used = {}, set()
    for field in different(was, became):
        words = _words_for(field, _touched(field, was, became), quotes, now.held)
        value = _moved(field, now, was, became, words.keys())
        if value != getattr(now.state, field):
            values[field] = value
            used |= set().union(*words.values())
    return Relationship(
        state=replace(now.state, **values),
        quotes=tuple(q for q in quotes if q in used),
        held={f: at for f, at in now.held.items() if f in HELD_ON or f not in values},
    )


def _touched(
    field: StateField, was: RelationshipState, became: RelationshipState
) -> Collection[str]:
    """What words must be about to make that change of a field; each of these for itself."""
    old, new = getattr(was, field), getattr(became, field)
    if field in LISTS:
        return set(old) ^ set(new)
    if field == "standing":
        return {" ".join(set(old.split()) ^ set(new.split()))}
    return {str(new)}


def _words_for(
    field: StateField,
    touched: Collection[str],
    quotes: Iterable[StateQuote],
    held: Mapping[StateField, datetime],
) -> dict[str, list[StateQuote]]:
    """The words that may change what is touched of a field; what has none is left out."""
    since = held.get(field)
    told = [q for q in quotes if q.field == field]
    found = {value: [q for q in told if _carries(q, value, since)] for value in touched}
    return {value: words for value, words in found.items() if words}


def _carries(quote: StateQuote, value: str, held_since: datetime | None) -> bool:
    """Whether its speaker has a say in the field: once the user set it, by later words about it."""
    if held_since is None:
        return quote.speaker == USER or quote.field not in USERS_OWN
    if quote.speaker != USER:
        return False
    return quote.said_at > held_since and mentions(quote.text, quote.field, value)


def _moved(
    field: StateField,
    now: Relationship,
    was: RelationshipState,
    became: RelationshipState,
    changing: Collection[str],
) -> Any:
    """The value of a field once `changing`, what words are about, has changed."""
    here, old, new = (getattr(s, field) for s in (now.state, was, became))
    if field in LISTS:
        kept = [i for i in here if not (i in old and i not in new and i in changing)]
        came = [i for i in new if i not in old and i in changing]
        items = tuple(dict.fromkeys([*kept, *came]))
        # The user's own are not pushed out; otherwise the oldest go.
        return items[:ITEMS] if field in now.held else items[-ITEMS:]
    if not changing:
        return here
    return _within(here + new - old) if field == "affection" else new


def different(one: RelationshipState, other: RelationshipState) -> set[StateField]:
    """The fields in which two states differ."""
    return {f for f in FIELDS if getattr(one, f) != getattr(other, f)}


def _in_order(fields: Mapping[StateField, V]) -> dict[StateField, V]:
    return {f: fields[f] for f in FIELDS if f in fields}
