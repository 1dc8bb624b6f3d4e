"""Facts of a window: which of a model's stand, and how two of them are told to be the same.

Nothing a character makes up becomes a fact of the user's life: what is said of the user, or of
somebody the user really knows, must be in the user's own words.
"""

import hmac
from collections.abc import Collection, Sequence

from gieok.extraction.content_words import says_something
from gieok.extraction.evidence import Evidence
from gieok.extraction.form import CATEGORIES, REALITIES, SUBJECTS, ProposedFact
from gieok.extraction.third_person import about_another, mentions_another
from gieok.extraction.window_context import WindowContext
from gieok.language.letters import letters
from gieok.relationship.rules import NAME_CHARS, clipped
from gieok.types import USER, Fact, FactSubject, Reality

FACTS = 20
"""Facts of one window, at most: as many as a prompt is to show."""
FACT_CHARS = 200
QUOTE_CHARS = 300
LEAST_CONFIDENCE = 0.5
"""Confidence below which a fact is not stored: it is as likely wrong as true."""
FINGERPRINT_BYTES = 16


def standing_facts(found: Sequence[ProposedFact], window: WindowContext) -> list[Fact]:
    """The facts that stand, in the model's order.

    One whose quote nobody said who may say it, that rests on others' words rather than that
    speaker's (see `evidence`), of an unknown category, subject or reality, without
    text, of too little confidence, or that puts another person's trait on the user, does not.
    """
    names = [n for f in found if f.subject.kind == "other" and (n := _name(f))]
    checked = (_checked(f, window, names) for f in found)
    return [fact for fact in checked if fact]


def rests_on_the_user(fact: Fact) -> bool:
    """Whether only the user's words may prove it: it is of the user, or of somebody they know."""
    return _may_say(fact.subject, fact.reality) == {USER}


def each_once(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The first of those that say the same, at most `FACTS`."""
    distinct: dict[str, Fact] = {}
    for fact in facts:
        distinct.setdefault(_identity(fact), fact)
    return tuple(distinct.values())[:FACTS]


def _checked(found: ProposedFact, window: WindowContext, names: Sequence[str]) -> Fact | None:
    category = next((c for c in CATEGORIES if c == found.category), None)
    subject = next((s for s in SUBJECTS if s == found.subject.kind), None)
    reality = next((r for r in REALITIES if r == found.reality), None)
    text = clipped(found.text, FACT_CHARS)
    sure = LEAST_CONFIDENCE <= found.confidence <= 1
    if not (category and subject and reality and text and sure):
        return None
    whose = _whose(found, subject, window.cast, names)
    if whose is None:
        return None
    subject, name = whose
    message = window.transcript.find(found.quote, _may_say(subject, reality), found.message_id)
    if message is None:
        return None
    if _may_say(subject, reality) == {USER} and not _is_told(found, name, window.evidence):
        return None
    quote = clipped(found.quote, QUOTE_CHARS)
    return Fact(category, subject, name, reality, text, quote, message.id, found.confidence)


def _is_told(found: ProposedFact, name: str, evidence: Evidence) -> bool:
    """Whether the user told it; a rewording in other words needs a quote with a content word."""
    carried = evidence.carries(found.text, found.quote, name)
    return says_something(found.quote) if carried is None else carried


def _whose(
    found: ProposedFact, subject: FactSubject, cast: Sequence[str], names: Sequence[str]
) -> tuple[FactSubject, str] | None:
    """The subject with its name; None for a stranger without one, or a trait put on the user."""
    name = _name(found)
    if subject == "character":
        return ("character", name) if name in cast else None
    if subject == "other":
        return ("other", name) if name else None
    another = about_another(found.quote, names)
    if not another:
        return "user", ""
    return ("other", another) if mentions_another(found.text, names) else None


def _name(found: ProposedFact) -> str:
    return clipped(found.subject.name, NAME_CHARS)


def _may_say(subject: FactSubject, reality: Reality) -> Collection[str] | None:
    """Whose words a fact may rest on; None is anyone's."""
    inventable = subject == "character" or (subject == "other" and reality == "story")
    return None if inventable else {USER}


def _identity(fact: Fact) -> str:
    """The same for two facts of one category, subject and reality that say the same."""
    parts = (fact.category, fact.subject, fact.reality, letters(fact.name), letters(fact.text))
    return "\n".join(parts)


def fingerprint(fact: Fact, key: bytes) -> bytes:
    """A digest, keyed per user, by which the store knows a fact that it has already."""
    # Two line breaks: no piece of the keyword index, which has the same key, holds any.
    text = f"fact\n\n{_identity(fact)}"
    return hmac.digest(key, text.encode(), "sha256")[:FINGERPRINT_BYTES]
