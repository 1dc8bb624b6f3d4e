"""Read a model's answer to the extraction call: whole and within bounds, or not at all."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import fields

from gieok import korean
from gieok.errors import ModelMalformed
from gieok.facts import QUOTE_CHARS, ProposedFact, each_once, standing_facts
from gieok.fence import one_line
from gieok.language import prevailing
from gieok.quotes import USER, Window, letters
from gieok.relationship import FIELDS, bounded, clipped, different, speech_level, updated
from gieok.types import (
    Extraction,
    KeyDetail,
    Message,
    Relationship,
    RelationshipState,
    StateQuote,
)

ANSWER_CHARS = 100_000
"""Several times what the output limit of the task lets a model write."""
SUMMARY_CHARS = 2_000
"""Far above five sentences."""
DETAILS = 12
DETAIL_CHARS = QUOTE_CHARS
CONTEXT_CHARS = 150
CHANGES = 14
"""Quotes behind the changes of one state: two a field."""
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


class _Change(msgspec.Struct):
    field: str
    speaker: str
    quote: str


class _State(msgspec.Struct):
    character: str
    user_called: str
    character_called: str
    speech_level: str | None
    standing: str
    promises: list[str]
    boundaries: list[str]
    affection: int
    changes: list[_Change]


class _Answer(msgspec.Struct):
    worth_keeping: bool
    summary: str
    importance: int
    key_details: list[_Detail]
    search_terms: list[str]
    facts: list[ProposedFact]
    relationship_states: list[_State]


def read(
    text: str,
    cast: Sequence[str],
    messages: Sequence[Message],
    previous: Mapping[str, Relationship],
) -> Extraction:
    """The extraction in a model's answer, for a window of `messages`.

    Around the one JSON object a code fence or prose is passed over. Dropped, and counted where it
    rests on a quote: what its speaker did not say, details of people who are not there, facts and
    changes without words behind them, states of characters outside the cast, terms that are
    sentences, whatever exceeds a count.
    Raises `ModelMalformed` for anything else that breaks the schema, and for an answer about
    something else than the window; its reason names fields only.
    """
    answer = _object(text)
    if not _field(answer, "worth_keeping", bool):
        return Extraction(worth_keeping=False)
    whole = _Answer(**{f.name: _field(answer, f.name, f.type) for f in fields(_Answer)})
    window = Window(messages)
    details = [d for d in whole.key_details if _stands(d, cast, window)]
    facts = standing_facts(whole.facts, cast, window)
    relationships, unfounded = _relationships(whole.relationship_states, cast, window, previous)
    extraction = Extraction(
        worth_keeping=True,
        summary=_summary(whole.summary),
        importance=_importance(whole.importance),
        details=_bounded_details(details, cast),
        search_terms=_terms(whole.search_terms),
        relationships=relationships,
        facts=each_once(facts),
        dropped={
            "details": len(whole.key_details) - len(details),
            "facts": len(whole.facts) - len(facts),
            "changes": unfounded,
        },
    )
    _refuse_another_window(extraction, cast, window)
    return extraction


def shortcomings(
    extraction: Extraction, cast: Sequence[str], messages: Sequence[Message]
) -> tuple[str, ...]:
    """What a repair should mend in an answer that can be stored as it is; empty when nothing."""
    missing = missing_details(extraction, cast)
    foreign = foreign_fields(extraction, messages)
    return (
        *([f"no key detail for: {', '.join(missing)}"] if missing else []),
        *(f"{name}: not in the language of the conversation" for name in foreign),
    )


def foreign_fields(extraction: Extraction, messages: Sequence[Message]) -> tuple[str, ...]:
    """The fields whose text is in another language than the conversation.

    None where the conversation itself, or the text, is a mixture.
    """
    spoken = prevailing(" ".join(m.text for m in messages if m.role != "system"))
    texts = {
        "summary": extraction.summary,
        "facts": " ".join(f.text for f in extraction.facts),
        "relationship_states": " ".join(
            r.state.standing for r in extraction.relationships.values()
        ),
    }
    found = {name: prevailing(text) for name, text in texts.items()}
    return tuple(n for n, locale in found.items() if spoken and locale and locale != spoken)


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


def _stands(found: _Detail, cast: Sequence[str], window: Window) -> bool:
    """Whether somebody who is there said it; an action is taken at the model's word."""
    there = found.who == USER or found.who in cast
    return there and (found.kind == "action" or bool(window.find(found.text, {found.who})))


def _bounded_details(found: Iterable[_Detail], cast: Sequence[str]) -> tuple[KeyDetail, ...]:
    """Each once, at most `DETAILS`."""
    kept = dict.fromkeys(_bounded_detail(d, cast) for d in found)
    return tuple(d for d in kept if d.text)[:DETAILS]


def _bounded_detail(found: _Detail, cast: Sequence[str]) -> KeyDetail:
    return KeyDetail(
        kind=found.kind,
        who=found.who,
        text=clipped(found.text, DETAIL_CHARS),
        context=clipped(found.context, CONTEXT_CHARS),
        character=found.character if found.character in cast else None,
    )


def _refuse_another_window(extraction: Extraction, cast: Sequence[str], window: Window) -> None:
    """Refuse an answer that shares nothing with what was said: one that repeats old memories.

    One quote that was said here is enough, or one telling word of the summary.
    """
    quoted = extraction.facts or any(d.kind == "quote" for d in extraction.details)
    if not quoted and not window.shares_a_word(extraction.summary, cast):
        raise _malformed("summary: about nothing that was said in the window")


def _terms(found: Iterable[str]) -> tuple[str, ...]:
    """Terms of 1 to `TERM_CHARS` characters, each spelling once, at most `SEARCH_TERMS`."""
    distinct: dict[str, str] = {}
    for text in found:
        term = one_line(text).strip(_QUOTES).lstrip("#").rstrip(_STOPS)
        if len(term) <= TERM_CHARS and letters(term):
            distinct.setdefault(korean.normalise(term), term)
    return tuple(distinct.values())[:SEARCH_TERMS]


def _relationships(
    found: Sequence[_State],
    cast: Sequence[str],
    window: Window,
    previous: Mapping[str, Relationship],
) -> tuple[dict[str, Relationship], int]:
    """The states that changed, within their bounds and by words that were said.

    The first where a character has several. Beside them, how many changes had no such words.
    """
    changed, unfounded = {}, 0
    for name, state in {s.character: s for s in reversed(found) if s.character in cast}.items():
        before, proposed = previous.get(name, Relationship()), _proposed(state)
        after = updated(before, proposed, _quotes(state, cast, window))
        unfounded += len(different(bounded(proposed, before.state), after.state))
        if after.state != before.state:
            changed[name] = after
    return changed, unfounded


def _quotes(state: _State, cast: Sequence[str], window: Window) -> list[StateQuote]:
    """The words behind a state's changes that were said in the window."""
    return [
        StateQuote(field, change.speaker, clipped(change.quote, QUOTE_CHARS))
        for change in state.changes[:CHANGES]
        for field in FIELDS
        if field == change.field
        and change.speaker in (USER, *cast)
        and window.find(change.quote, {change.speaker})
    ]


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
