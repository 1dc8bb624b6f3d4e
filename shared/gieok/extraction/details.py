"""Details of a window: which of what a model calls said and done stand."""

from collections.abc import Sequence

from gieok.extraction.facts import QUOTE_CHARS
from gieok.extraction.form import ProposedDetail
from gieok.extraction.window_context import WindowContext
from gieok.relationship.rules import clipped
from gieok.types import USER, KeyDetail

DETAILS = 12
DETAIL_CHARS = QUOTE_CHARS
CONTEXT_CHARS = 150


def standing_details(
    found: Sequence[ProposedDetail], window: WindowContext
) -> list[ProposedDetail]:
    """The details that stand, in the model's order: of somebody who is there, as it was told.

    A quote was said by that speaker. Of an action of the user's, told in the model's words, most
    content words are the user's own; of one of a character's, one was said by anybody.
    """
    there = (d for d in found if d.who == USER or d.who in window.cast)
    return [d for d in there if _stands(d, window)]


def _stands(found: ProposedDetail, window: WindowContext) -> bool:
    if found.kind == "quote":
        return window.transcript.find(found.text, {found.who}) is not None
    own, others = window.evidence.carries(found.text)
    return own > others if found.who == USER else own + others > 0


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
