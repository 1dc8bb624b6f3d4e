"""Read a model's answer to the extraction call: whole and within bounds, or not at all."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal
from unicodedata import category

import msgspec
from msgspec.structs import fields

from gieok import korean
from gieok.errors import ModelMalformed
from gieok.fence import one_line
from gieok.prompts.extraction import USER
from gieok.relationship import bounded, clipped, speech_level
from gieok.types import Extraction, KeyDetail, Message, RelationshipState

ANSWER_CHARS = 100_000
"""Several times what the output limit of the task lets a model write."""
SUMMARY_CHARS = 2_000
"""Far above five sentences."""
DETAILS = 12
DETAIL_CHARS = 300
CONTEXT_CHARS = 150
SEARCH_TERMS = 40
TERM_CHARS = 40
"""Longer is a sentence, not a term."""

_QUOTES = " \"'`“”‘’「」『』"
_STOPS = " .,;:!?…"


class _Detail(msgspec.Struct):
    kind: Literal["quote", "action"]
    who: str
    text: str
    character: str | None
    context: str


class _State(msgspec.Struct):
    character: str
    user_called: str
    character_called: str
    speech_level: str | None
    standing: str
    promises: list[str]
    boundaries: list[str]
    affection: int


class _Answer(msgspec.Struct):
    worth_keeping: bool
    summary: str
    importance: int
    key_details: list[_Detail]
    search_terms: list[str]
    relationship_states: list[_State]


def read(
    text: str,
    cast: Sequence[str],
    messages: Sequence[Message],
    previous: Mapping[str, RelationshipState],
) -> Extraction:
    """The extraction in a model's answer, for a window of `messages`.

    Around the one JSON object a code fence or prose is passed over. Dropped without complaint:
    quotes their speaker did not write, details of people who are not there, states of characters
    outside the cast, terms that are sentences, whatever exceeds a count.
    Raises `ModelMalformed` for anything else that breaks the schema; its reason names fields only.
    """
    answer = _object(text)
    if not _field(answer, "worth_keeping", bool):
        return Extraction(worth_keeping=False)
    whole = _Answer(**{f.name: _field(answer, f.name, f.type) for f in fields(_Answer)})
    return Extraction(
        worth_keeping=True,
        summary=_summary(whole.summary),
        importance=_importance(whole.importance),
        details=_details(whole.key_details, cast, messages),
        search_terms=_terms(whole.search_terms),
        relationships=_relationships(whole.relationship_states, cast, previous),
    )


def missing_details(extraction: Extraction, cast: Sequence[str]) -> tuple[str, ...]:
    """The characters without a detail of what the user said or did to them.

    In a cast of one any detail of the user's counts. Nothing is missing when nothing is kept.
    """
    if not extraction.worth_keeping:
        return ()
    told = {d.character for d in extraction.details if d.who == USER}
    if len(cast) == 1 and told:
        return ()
    return tuple(name for name in cast if name not in told)


def _malformed(reason: str) -> ModelMalformed:
    return ModelMalformed("EXTRACTION", reason)


def _object(text: str) -> Mapping[str, object]:
    """The first JSON object in the text, whatever stands around it."""
    if len(text) > ANSWER_CHARS:
        raise _malformed(f"longer than {ANSWER_CHARS} characters")
    try:
        answer, _ = json.JSONDecoder().raw_decode(text, text.index("{"))
    except (ValueError, RecursionError):
        # Not chained, here and below: the original quotes the answer.
        raise _malformed("not a JSON object") from None
    return dict(answer)


def _field(answer: Mapping[str, object], name: str, kind: type) -> Any:
    if name not in answer:
        raise _malformed(f"{name}: missing")
    try:
        return msgspec.convert(answer[name], kind)
    except (msgspec.ValidationError, UnicodeError):  # a lone surrogate where no text belongs
        raise _malformed(f"{name}: not as the schema says") from None


def _summary(text: str) -> str:
    summary = one_line(text)
    if not summary or len(summary) > SUMMARY_CHARS:
        raise _malformed(f"summary: not 1 to {SUMMARY_CHARS} characters")
    return summary


def _importance(value: int) -> int:
    if not 1 <= value <= 10:
        raise _malformed("importance: not 1 to 10")
    return value


def _details(
    found: Iterable[_Detail], cast: Sequence[str], messages: Sequence[Message]
) -> tuple[KeyDetail, ...]:
    """Each once, at most `DETAILS`: quotes that were said, and actions of those who are there."""
    by_user = [_letters(m.text) for m in messages if m.role == "user"]
    by_characters = [_letters(m.text) for m in messages if m.role == "assistant"]
    kept = dict.fromkeys(
        _bounded_detail(d, cast)
        for d in found
        if (d.who == USER or d.who in cast)
        and (d.kind == "action" or _was_said(d.text, by_user if d.who == USER else by_characters))
    )
    return tuple(d for d in kept if d.text)[:DETAILS]


def _bounded_detail(found: _Detail, cast: Sequence[str]) -> KeyDetail:
    return KeyDetail(
        kind=found.kind,
        who=found.who,
        text=clipped(found.text, DETAIL_CHARS),
        context=clipped(found.context, CONTEXT_CHARS),
        character=found.character if found.character in cast else None,
    )


def _was_said(quote: str, texts: Iterable[str]) -> bool:
    letters = _letters(quote)
    return bool(letters) and any(letters in text for text in texts)


def _letters(text: str) -> str:
    """What two spellings of the same words share: no spaces, punctuation, case or width."""
    return "".join(
        c for c in korean.normalise(text) if category(c)[0] in "LNM" or category(c) == "So"
    )


def _terms(found: Iterable[str]) -> tuple[str, ...]:
    """Terms of 1 to `TERM_CHARS` characters, each spelling once, at most `SEARCH_TERMS`."""
    distinct: dict[str, str] = {}
    for text in found:
        term = one_line(text).strip(_QUOTES).lstrip("#").rstrip(_STOPS)
        if len(term) <= TERM_CHARS and _letters(term):
            distinct.setdefault(korean.normalise(term), term)
    return tuple(distinct.values())[:SEARCH_TERMS]


def _relationships(
    found: Iterable[_State], cast: Sequence[str], previous: Mapping[str, RelationshipState]
) -> dict[str, RelationshipState]:
    """The states that changed, within their bounds; the first where a character has several."""
    proposed = {s.character: s for s in reversed(list(found)) if s.character in cast}
    states = {n: bounded(_proposed(s), previous.get(n)) for n, s in proposed.items()}
    return {n: s for n, s in states.items() if s != previous.get(n, RelationshipState())}


def _proposed(state: _State) -> RelationshipState:
    return RelationshipState(
        user_called=state.user_called,
        character_called=state.character_called,
        speech_level=speech_level(state.speech_level or ""),
        standing=state.standing,
        promises=tuple(state.promises),
        boundaries=tuple(state.boundaries),
        affection=state.affection,
    )
