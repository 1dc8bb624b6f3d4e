"""Extraction by rules: the user's own sentences that tell most, word for word, and what they show.

Nothing is understood and nothing is reworded: a summary quotes the sentences that tell most, and a
quote is what was typed. What the characters said is left out, since it may be made up.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import dropwhile, takewhile

import msgspec

from gieok.errors import ModelMalformed
from gieok.language.korean import normalise
from gieok.providers.offline.corrections import corrected_by
from gieok.providers.offline.cues import IMPORTANCE
from gieok.providers.offline.dates import relative_days, spoken
from gieok.providers.offline.facts import fact_of
from gieok.providers.offline.related import related_terms
from gieok.providers.offline.relationship import reasons, updated
from gieok.providers.offline.sentences import (
    actions,
    asides,
    cues,
    ends_of,
    search_terms,
    sentences,
    worth,
)
from gieok.providers.offline.summary import BESIDE, Told, summary
from gieok.types import USER, Locale, RelationshipState

DETAILS = 12
"""Quotes and actions of a memory, at most, unless its cast is larger."""
SEARCH_TERMS = 40
"""Search terms of a memory, at most."""
ACTION_WORTH = 4
"""The worth of an action, which is that of a sentence with four topics."""
_USUAL_IMPORTANCE = 2
"""The importance, 1 to 10, of a window that shows no cue."""


class _Message(msgspec.Struct):
    id: str
    speaker: str
    text: str
    at: str


class _Window(msgspec.Struct):
    language: Locale
    characters: list[str]
    messages: list[_Message]
    relationship_state: dict[str, RelationshipState | None] = {}


def extract(payload: str, model: str) -> str:
    """The answer to an extraction call, as JSON. Raises `ModelMalformed` for another payload."""
    try:
        window = msgspec.json.decode(payload, type=_Window)
        told = list(_told(window))
    except (msgspec.MsgspecError, ValueError):
        raise ModelMalformed(model, "not the payload of an extraction call") from None
    return msgspec.json.encode(_answer(window, told)).decode()


def _answer(window: _Window, told: Sequence[Told]) -> dict[str, object]:
    best = sorted((t for t in told if t.points), key=lambda t: -t.points)
    kept = _with_every_character(best, window.characters)
    terms = dict.fromkeys(term for t in best[:DETAILS] for term in _terms(t, window))
    return {
        "worth_keeping": bool(best),
        "summary": summary(best, window.language),
        "importance": _importance(best),
        "key_details": [_detail(t, window.language) for t in kept],
        "search_terms": list(terms)[:SEARCH_TERMS],
        "related_terms": related_terms(" ".join(t.text for t in best), window.language),
        "asked_as": [],
        "facts": list(_facts(told)) if best else [],
        "relationship_states": list(_changed_states(window, told)) if best else [],
    }


def _told(window: _Window) -> list[Told]:
    """Everything the user said and did, in order, each with the correction that came later."""
    told = [t for i, message in enumerate(window.messages) for t in _of_message(message, i, window)]
    ordered = [replace(t, place=place) for place, t in enumerate(told)]
    for earlier, later in corrected_by([t.text for t in ordered]).items():
        ordered[earlier] = replace(ordered[earlier], correction=ordered[later].text)
    return ordered


def _of_message(message: _Message, position: int, window: _Window) -> Iterator[Told]:
    if message.speaker != USER:
        return
    day = datetime.fromisoformat(message.at).date()
    names, text = window.characters, ends_of(message.text)
    said = [("quote", False, s, worth(s, names)) for s in sentences(text)]
    beside = [("quote", True, s, worth(s, names)) for s in asides(text)]
    done = actions(text)
    deeds = [("action", False, deed, ACTION_WORTH) for deed in done]
    for kind, aside, text, points in (*said, *beside, *deeds):
        character = _addressed(text, window, position)
        story = bool(done) and not aside
        yield Told(0, kind, text, character, day, points, message.id, story, aside)


def _addressed(text: str, window: _Window, position: int) -> str | None:
    """Whom a text is said to: the only character, else the one it names, else the one who alone
    answers it; None when it is said to all."""
    if len(window.characters) == 1:
        return window.characters[0]
    named = (name for name in window.characters if normalise(name) in normalise(text))
    return next(named, None) or _answering_alone(window, position)


def _answering_alone(window: _Window, position: int) -> str | None:
    """The one character who answers a message. An answer that names nobody is kept under the first
    of the cast: where no other one ever speaks, it does not tell who was meant."""
    later = dropwhile(lambda name: name == USER, (m.speaker for m in window.messages[position:]))
    answering = set(takewhile(lambda name: name != USER, later))
    ever = {m.speaker for m in window.messages} - {USER}
    if len(answering) != 1 or ever == {window.characters[0]}:
        return None
    return next((name for name in window.characters if name in answering), None)


def _with_every_character(best: Sequence[Told], cast: Sequence[str]) -> list[Told]:
    """The best ones in the order of the window, and one more for each character who has none: what
    was said to it or to all, never what was said to another."""
    missing = [name for name in cast if name not in {t.character for t in best[:DETAILS]}]
    kept = list(best[: max(DETAILS - len(missing), 1)])
    for name in missing:
        own = next((t for t in best if t.character in (name, None)), None)
        kept += [replace(own, character=name)] if own else []
    return sorted(kept, key=lambda t: t.place)


def _importance(best: Sequence[Told]) -> int:
    """The importance, 1 to 10: the usual one, plus the points of the two strongest cues, plus one
    when four cues or more are shown."""
    shown = frozenset[str]().union(*(cues(t.text) for t in best[:DETAILS]))
    strongest = sorted((IMPORTANCE[cue] for cue in shown), reverse=True)[:2]
    return min(max(_USUAL_IMPORTANCE + sum(strongest) + (len(shown) >= 4), 1), 10)


def _detail(told: Told, language: str) -> dict[str, object]:
    days = (f"{word} = {spoken(day, language)}" for word, day in _days(told))
    return {
        "kind": told.kind,
        "who": USER,
        "character": told.character,
        "text": told.text,
        "context": ", ".join((spoken(told.day, language), *days, *_remarks(told, language))),
    }


def _remarks(told: Told, language: str) -> Iterator[str]:
    """What a detail must not be read without: its correction, and that it is no part of a story."""
    if told.correction:
        yield f"→ “{told.correction}”"
    if told.aside:
        yield BESIDE.get(language, BESIDE["en"])


def _days(told: Told) -> Iterator[tuple[str, date]]:
    return relative_days(told.text, told.day)


def _terms(told: Told, window: _Window) -> list[str]:
    dates = [spoken(day, window.language) for _, day in _days(told)]
    return [*search_terms(told.text, window.characters), *dates]


def _facts(told: Iterable[Told]) -> Iterator[dict[str, object]]:
    """Facts of what was said and not corrected later."""
    said = (t for t in told if t.kind == "quote" and not t.correction)
    stated = (fact_of(t.text, t.message_id, story=t.story) for t in said)
    return (fact for fact in stated if fact)


def _changed_states(window: _Window, told: Sequence[Told]) -> Iterator[dict[str, object]]:
    for name in window.characters:
        before = window.relationship_state.get(name) or RelationshipState()
        heard = [t for t in told if t.kind == "quote" and t.character in (name, None)]
        said = [t.text for t in heard if not t.aside]
        beside = [t.text for t in heard if t.aside]
        after = updated(before, said, beside)
        if after != before:
            yield {
                "character": name,
                **msgspec.to_builtins(after),
                "speech_level": after.speech_level or None,
                "changes": [
                    {"field": field, "speaker": USER, "quote": sentence}
                    for field, sentences in reasons(before, after, said, beside).items()
                    for sentence in sentences
                ],
            }
