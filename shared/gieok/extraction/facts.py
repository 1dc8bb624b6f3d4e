"""Facts of a window: which of a model's stand, and how two of them are told to be the same.

Nothing a character makes up becomes a fact of the user's life: what is said of the user, or of
somebody the user really knows, must be in the user's own words.
"""

import hmac
from collections.abc import Collection, Sequence

from gieok.extraction.form import CATEGORIES, REALITIES, SUBJECTS, ProposedFact
from gieok.extraction.rules import Claim, Rule, is_story
from gieok.extraction.window_context import WindowContext
from gieok.language import korean
from gieok.language.letters import letters
from gieok.relationship.rules import NAME_CHARS, clipped
from gieok.types import USER, Fact, FactSubject, Reality

FACTS = 20
"""Facts of one window, at most: as many as a prompt is to show."""
PROPOSED = 60
"""Facts of one answer that are looked at, at most."""
FACT_CHARS = 200
QUOTE_CHARS = 300
LEAST_CONFIDENCE = 0.5
"""Confidence below which a fact is not stored: it is as likely wrong as true."""
FINGERPRINT_BYTES = 16


def standing_facts(
    found: Sequence[ProposedFact], window: WindowContext, rules: Collection[Rule]
) -> list[Fact]:
    """The facts that stand, in the model's order.

    One whose quote nobody said who may say it, that one of the `rules` refuses, of an unknown
    category, subject or reality, without text, or of too little confidence, does not.
    """
    named = (_name(f) for f in found if f.subject.kind == "other")
    persons = [korean.normalise(name) for name in named if name]
    checked = (_checked(f, window, persons, rules) for f in found[:PROPOSED])
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


def _checked(
    found: ProposedFact, window: WindowContext, persons: Sequence[str], rules: Collection[Rule]
) -> Fact | None:
    category = next((c for c in CATEGORIES if c == found.category), None)
    subject = next((s for s in SUBJECTS if s == found.subject.kind), None)
    reality = next((r for r in REALITIES if r == found.reality), None)
    text, sure = clipped(found.text, FACT_CHARS), LEAST_CONFIDENCE <= found.confidence <= 1
    if not (category and subject and reality and text and sure):
        return None
    name = "" if subject == USER else _name(found)
    if (subject == "character" and name not in window.cast) or (subject == "other" and not name):
        return None
    place = window.transcript.find(found.quote, _may_say(subject, reality), found.message_id)
    if place is None:
        return None
    quote = clipped(found.quote, QUOTE_CHARS)
    claim = Claim(korean.normalise(text), subject, name, reality, quote, place, window, persons)
    if _may_say(subject, reality) == {USER}:
        if any(rule(claim) for rule in rules if rule is not is_story):
            return None
        reality = "story" if is_story in rules and is_story(claim) else reality
    message = place.line.message
    return Fact(category, subject, name, reality, text, quote, message.id, found.confidence)


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
    return hmac.digest(key, _identity(fact).encode(), "sha256")[:FINGERPRINT_BYTES]
