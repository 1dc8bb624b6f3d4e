"""Read a model's answer to the extraction call: whole and within bounds, or not at all."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_origin

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields

from gieok.errors import ModelMalformed
from gieok.extraction.content_words import Said, content_words
from gieok.extraction.details import bounded_details, standing_details
from gieok.extraction.extraction import Extraction
from gieok.extraction.facts import QUOTE_CHARS, each_once, standing_facts
from gieok.extraction.faithfulness import (
    foreign_fields,
    is_about,
    is_foreign,
    is_founded,
    users_words,
)
from gieok.extraction.form import ProposedAnswer, ProposedState
from gieok.extraction.rules import RULES, Rule
from gieok.extraction.window_context import WindowContext
from gieok.language import korean
from gieok.language.letters import letters
from gieok.loose_json import objects
from gieok.prompt.fence import one_line
from gieok.relationship.rules import FIELDS, bounded, clipped, different, speech_level, updated
from gieok.types import USER, Relationship, RelationshipState, StateQuote

ANSWER_CHARS = 100_000
"""Several times what the output limit of the task lets a model write."""
SUMMARY_CHARS = 2_000
"""Far above five sentences."""
CHANGES = 14
"""Quotes behind the changes of one state: two a field."""
SEARCH_TERMS = 40
RELATED_TERMS = 20
"""What the instructions ask for at most, as of the next."""
ALLUSIONS = 6
ALLUSION_CHARS = 120
"""Longer is a story, not a question or a remark."""
TERM_CHARS = 40
"""Longer is a sentence, not a term."""

_BROAD = frozenset(("건강", "친밀", "health", "intimacy", "健康", "親密"))
"""What the instructions have a model write in place of something sensitive."""

_NAMES = frozenset(("user_called", "character_called"))
"""Fields that a question alone does not change: it asks for a name, it does not give one."""

_LISTS = frozenset(
    f.name
    for part in (ProposedAnswer, ProposedState)
    for f in fields(part)
    if get_origin(f.type) is list
)

_QUOTES = " \"'`“”‘’「」『』"
_STOPS = " .,;:!?…"


def read(
    text: str, window: WindowContext, rules: Collection[Rule] = tuple(RULES.values())
) -> Extraction:
    """The extraction in a model's answer, for a window.

    Around the JSON object a code fence, thoughts and prose are passed over. Dropped, and counted
    where it rests on a quote: what its speaker did not say or do, details of people who are not
    there, facts that one of the `rules` refuses, changes without words behind them, states of
    characters outside the cast, terms that are sentences, whatever exceeds a count.
    Raises `ModelMalformed` for anything else that breaks the schema, and for an answer about
    something else than the window with nothing of it; its reason names fields only.
    """
    answer = _object(text)
    if not _field(answer, "worth_keeping", bool):
        return Extraction(worth_keeping=False)
    whole = ProposedAnswer(**{f.name: _field_or_default(answer, f) for f in fields(ProposedAnswer)})
    details = standing_details(whole.key_details, window)
    facts = standing_facts(whole.facts, window, rules)
    relationships, unfounded = _relationships(whole.relationship_states, window)
    extraction = Extraction(
        worth_keeping=True,
        summary=_summary(whole.summary),
        importance=_importance(whole.importance),
        details=bounded_details(details, window.cast),
        search_terms=_terms(whole.search_terms, SEARCH_TERMS),
        related_terms=_terms(whole.related_terms, RELATED_TERMS),
        asked_as=_allusions(whole.asked_as),
        relationships=relationships,
        facts=each_once(facts),
        dropped={
            "details": len(whole.key_details) - len(details),
            "facts": len(whole.facts) - len(facts),
            "changes": unfounded,
        },
    )
    if not (is_founded(extraction) or is_about(extraction, window)):
        raise _malformed("summary: not about what was said in the window")
    return extraction


def shortcomings(extraction: Extraction, window: WindowContext) -> tuple[str, ...]:
    """What a repair should mend in an answer that can be stored as it is; empty when nothing."""
    if not extraction.worth_keeping:
        return ()
    missing = missing_details(extraction, window.cast)
    foreign = foreign_fields(extraction, window)
    elsewhere = not is_about(extraction, window)
    return (
        *([f"no key detail for: {', '.join(missing)}"] if missing else []),
        *(f"{name}: not in the language of the conversation" for name in foreign),
        *(["summary: not about what was said in the window"] if elsewhere else []),
    )


def in_words_that_were_said(extraction: Extraction, window: WindowContext) -> Extraction:
    """The same, but with the user's words for a summary of something else or in another language.

    So neither is a window lost whose model puts it all in other words ("everything was too much"),
    nor is a memory kept that belongs elsewhere. Of its search terms those stay that were said,
    dates, and the broad ones that stand for something sensitive; when none is left, words of the
    user's are. Facts and states in another language
    than the conversation are left out. Raises `ModelMalformed` when a summary in another language
    has no words of the user's to stand for it.
    """
    foreign = is_foreign(extraction.summary, window)
    if not extraction.worth_keeping or (is_about(extraction, window) and not foreign):
        return _in_language(extraction, window)
    summary = one_line(" ".join(f"“{words}”" for words in users_words(extraction)))[:SUMMARY_CHARS]
    if not summary:
        raise _malformed("summary: not in the language of the conversation")
    said = Said(window.lines)
    found = {t: said.count(t) for t in extraction.search_terms}
    kept = (t for t, (known, all_) in found.items() if t.casefold() in _BROAD or known == all_)
    terms = tuple(kept) or _terms(sorted(content_words(summary)), SEARCH_TERMS)
    told = replace(extraction, summary=summary, search_terms=terms, related_terms=(), asked_as=())
    return _in_language(told, window)


def _in_language(extraction: Extraction, window: WindowContext) -> Extraction:
    states = extraction.relationships.items()
    return replace(
        extraction,
        facts=tuple(f for f in extraction.facts if not is_foreign(f.text, window)),
        relationships={n: r for n, r in states if not is_foreign(r.state.standing, window)},
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
    """The fullest JSON object in the text that is an answer, the last of several, whatever stands
    around it."""
    if len(text) > ANSWER_CHARS:
        raise _malformed(f"longer than {ANSWER_CHARS} characters")
    answers = [found for found in objects(text, _LISTS) if "worth_keeping" in found]
    if not answers:
        raise _malformed("not a JSON object")
    return sorted(answers, key=len)[-1]


def _field_or_default(answer: Mapping[str, object], field: FieldInfo) -> Any:
    """A field of the answer; for one that has a default nothing is worth a repair."""
    if field.default_factory is NODEFAULT:
        return _field(answer, field.name, field.type)
    try:
        return _field(answer, field.name, field.type)
    except ModelMalformed:
        return field.default_factory()


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


def _terms(found: Iterable[str], most: int) -> tuple[str, ...]:
    """Terms of 1 to `TERM_CHARS` characters, each spelling once, at most so many."""
    distinct: dict[str, str] = {}
    for text in found:
        term = one_line(text).strip(_QUOTES).lstrip("#").rstrip(_STOPS)
        if len(term) <= TERM_CHARS and letters(term):
            distinct.setdefault(korean.normalise(term), term)
    return tuple(distinct.values())[:most]


def _allusions(found: Iterable[str]) -> tuple[str, ...]:
    """Allusions of 1 to `ALLUSION_CHARS` characters, each once, at most `ALLUSIONS`."""
    lines = dict.fromkeys(one_line(text) for text in found)
    short = [line for line in lines if letters(line) and len(line) <= ALLUSION_CHARS]
    return tuple(short)[:ALLUSIONS]


def _relationships(
    found: Sequence[ProposedState], window: WindowContext
) -> tuple[dict[str, Relationship], int]:
    """The states that changed, within their bounds and by words that were said.

    The first where a character has several. Beside them, how many changes had no such words.
    """
    changed, unfounded = {}, 0
    first = {s.character: s for s in reversed(found) if s.character in window.cast}
    for name, state in first.items():
        before, proposed = window.relationships.get(name, Relationship()), _proposed(state, window)
        after = updated(before, proposed, _quotes(state, window))
        unfounded += len(different(bounded(proposed, before.state), after.state))
        if after.state != before.state:
            changed[name] = after
    return changed, unfounded


def _quotes(state: ProposedState, window: WindowContext) -> list[StateQuote]:
    """The words behind a state's changes that were said in the window.

    They count from when they were last said: the user may have set something in between.
    """
    return [
        StateQuote(
            field, change.speaker, clipped(change.quote, QUOTE_CHARS), said.line.message.created_at
        )
        for change in state.changes[:CHANGES]
        for field in FIELDS
        if field == change.field
        and change.speaker in (USER, *window.cast)
        and not (change.field in _NAMES and window.evidence.leaves_open(change.quote))
        and (said := window.transcript.find(change.quote, {change.speaker}, last=True))
    ]


def _proposed(state: ProposedState, window: WindowContext) -> RelationshipState:
    """The state without the promises that the user has just called off, however reworded."""
    kept = (p for p in state.promises if not window.evidence.calls_off(korean.normalise(p)))
    return RelationshipState(
        user_called=state.user_called,
        character_called=state.character_called,
        speech_level=speech_level(state.speech_level or ""),
        standing=state.standing,
        promises=tuple(kept),
        boundaries=tuple(state.boundaries),
        affection=state.affection,
    )
