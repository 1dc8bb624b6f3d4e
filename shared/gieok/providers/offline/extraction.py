"""Extraction by rules: the user's own sentences that tell most, word for word, and what they show.

Nothing is understood and nothing is reworded: a summary is the sentences that tell most, and a
quote is what was typed. What the characters said is left out, since it may be made up.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import dropwhile, takewhile

import msgspec

from gieok.errors import ModelMalformed
from gieok.language.korean import normalise
from gieok.providers.offline.cues import IMPORTANCE
from gieok.providers.offline.dates import relative_days, spoken
from gieok.providers.offline.facts import fact_of
from gieok.providers.offline.relationship import reasons, updated
from gieok.providers.offline.sentences import actions, cues, search_terms, sentences, worth
from gieok.types import USER, RelationshipState

SUMMARY_SENTENCES = 5
"""Sentences of a summary, at most."""
DETAILS = 12
"""Quotes and actions of a memory, at most, unless its cast is larger."""
SEARCH_TERMS = 40
"""Search terms of a memory, at most."""
ACTION_WORTH = 4
"""The worth of an action, which is that of a sentence with four topics."""
_USUAL_IMPORTANCE = 2
"""The importance, 1 to 10, of a window that shows no cue."""
_ENDED = re.compile(r"[.!?…。！？~ㅋㅎㅠㅜ]$")


class _Message(msgspec.Struct):
    id: str
    speaker: str
    text: str
    at: str


class _Window(msgspec.Struct):
    language: str
    characters: list[str]
    messages: list[_Message]
    relationship_state: dict[str, RelationshipState | None] = {}


@dataclass(frozen=True, slots=True)
class _Told:
    """Something that the user said or did, and to whom.

    `place` counts from 0 in the window, `points` are its worth. `story` says that its message also
    acts something out.
    """

    place: int
    kind: str
    text: str
    character: str | None
    day: date
    points: int
    message_id: str
    story: bool


def extract(payload: str, model: str) -> str:
    """The answer to an extraction call, as JSON. Raises `ModelMalformed` for another payload."""
    try:
        window = msgspec.json.decode(payload, type=_Window)
        told = list(_told(window))
    except (msgspec.MsgspecError, ValueError):
        raise ModelMalformed(model, "not the payload of an extraction call") from None
    return msgspec.json.encode(_answer(window, told)).decode()


def _answer(window: _Window, told: Sequence[_Told]) -> dict[str, object]:
    best = sorted((t for t in told if t.points), key=lambda t: -t.points)
    kept = _with_every_character(best, window.characters)
    terms = dict.fromkeys(term for t in best[:DETAILS] for term in _terms(t, window))
    return {
        "worth_keeping": bool(best),
        "summary": _summary(best[:SUMMARY_SENTENCES]),
        "importance": _importance(best),
        "key_details": [_detail(t, window.language) for t in kept],
        "search_terms": list(terms)[:SEARCH_TERMS],
        "facts": list(_facts(told)) if best else [],
        "relationship_states": list(_changed_states(window, told)) if best else [],
    }


def _told(window: _Window) -> Iterator[_Told]:
    place = 0
    for i, message in enumerate(window.messages):
        if message.speaker != USER:
            continue
        day = datetime.fromisoformat(message.at).date()
        said = [("quote", s, worth(s, window.characters)) for s in sentences(message.text)]
        done = [("action", a, ACTION_WORTH) for a in actions(message.text)]
        for kind, text, points in said + done:
            character = _addressed(text, window, i)
            yield _Told(place, kind, text, character, day, points, message.id, bool(done))
            place += 1


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


def _with_every_character(best: Sequence[_Told], cast: Sequence[str]) -> list[_Told]:
    """The best ones in the order of the window, and one more for each character who has none: what
    was said to it or to all, never what was said to another."""
    missing = [name for name in cast if name not in {t.character for t in best[:DETAILS]}]
    kept = list(best[: max(DETAILS - len(missing), 1)])
    for name in missing:
        own = next((t for t in best if t.character in (name, None)), None)
        kept += [replace(own, character=name)] if own else []
    return sorted(kept, key=lambda t: t.place)


def _summary(best: Iterable[_Told]) -> str:
    texts = (t.text for t in sorted(best, key=lambda t: t.place))
    return " ".join(text if _ENDED.search(text) else f"{text}." for text in texts)


def _importance(best: Sequence[_Told]) -> int:
    """The importance, 1 to 10: the usual one, plus the points of the two strongest cues, plus one
    when four cues or more are shown."""
    shown = frozenset[str]().union(*(cues(t.text) for t in best[:DETAILS]))
    strongest = sorted((IMPORTANCE[cue] for cue in shown), reverse=True)[:2]
    return min(max(_USUAL_IMPORTANCE + sum(strongest) + (len(shown) >= 4), 1), 10)


def _detail(told: _Told, language: str) -> dict[str, object]:
    days = (f"{word} = {spoken(day, language)}" for word, day in _days(told))
    return {
        "kind": told.kind,
        "who": USER,
        "character": told.character,
        "text": told.text,
        "context": ", ".join((spoken(told.day, language), *days)),
    }


def _days(told: _Told) -> Iterator[tuple[str, date]]:
    return relative_days(told.text, told.day)


def _terms(told: _Told, window: _Window) -> list[str]:
    dates = [spoken(day, window.language) for _, day in _days(told)]
    return [*search_terms(told.text, window.characters), *dates]


def _facts(told: Iterable[_Told]) -> Iterator[dict[str, object]]:
    stated = (fact_of(t.text, t.message_id, story=t.story) for t in told if t.kind == "quote")
    return (fact for fact in stated if fact)


def _changed_states(window: _Window, told: Sequence[_Told]) -> Iterator[dict[str, object]]:
    for name in window.characters:
        before = window.relationship_state.get(name) or RelationshipState()
        said = [t.text for t in told if t.kind == "quote" and t.character in (name, None)]
        after = updated(before, said)
        if after != before:
            yield {
                "character": name,
                **msgspec.to_builtins(after),
                "speech_level": after.speech_level or None,
                "changes": [
                    {"field": field, "speaker": USER, "quote": sentence}
                    for field, sentences in reasons(before, after, said).items()
                    for sentence in sentences
                ],
            }
