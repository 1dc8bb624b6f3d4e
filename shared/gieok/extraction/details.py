"""Details of a window: which of what a model calls said and done stand."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from gieok.extraction.evidence import Evidence, evidence_of
from gieok.extraction.facts import QUOTE_CHARS
from gieok.extraction.quotes import Transcript
from gieok.relationship.rules import clipped
from gieok.types import USER, KeyDetail

DETAILS = 12
DETAIL_CHARS = QUOTE_CHARS
CONTEXT_CHARS = 150


class ProposedDetail(msgspec.Struct):
    """A detail as a model answers it, of the right types and nothing more."""

    kind: Literal["quote", "action"]
    who: str
    text: str
    character: str | None
    context: str


def standing_details(
    found: Sequence[ProposedDetail], cast: Sequence[str], window: Transcript
) -> list[ProposedDetail]:
    """The details that stand, in the model's order: of somebody who is there, as it was told.

    A quote was said by that speaker. Of an action of the user's, told in the model's words, most
    content words are the user's own; of one of a character's, one was said by anybody.
    """
    evidence = evidence_of(USER, window.messages, cast)
    there = (d for d in found if d.who == USER or d.who in cast)
    return [d for d in there if _stands(d, window, evidence)]


def _stands(found: ProposedDetail, window: Transcript, evidence: Evidence) -> bool:
    if found.kind == "quote":
        return window.find(found.text, {found.who}) is not None
    if found.who == USER:
        return evidence.carries(found.text) is True
    return evidence.mentions(found.text)


def bounded_details(found: Sequence[ProposedDetail], cast: Sequence[str]) -> tuple[KeyDetail, ...]:
    """Each once, at most `DETAILS`."""
    kept = dict.fromkeys(_bounded(d, cast) for d in found)
    return tuple(d for d in kept if d.text)[:DETAILS]


def _bounded(found: ProposedDetail, cast: Sequence[str]) -> KeyDetail:
    return KeyDetail(
        kind=found.kind,
        who=found.who,
        text=clipped(found.text, DETAIL_CHARS),
        context=clipped(found.context, CONTEXT_CHARS),
        character=found.character if found.character in cast else None,
    )
