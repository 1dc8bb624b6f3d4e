"""Recorded answers as the product reads them: checked against their windows, one after another."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import NAMESPACE_URL, uuid5
from zoneinfo import ZoneInfo

from gieok.errors import ModelMalformed
from gieok.extraction.answer import in_words_that_were_said, read
from gieok.extraction.extraction import Extraction
from gieok.extraction.window_context import WindowContext
from gieok.language.detection import locale_of
from gieok.policy import COMPANION
from gieok.types import USER, Locale, Message, Relationship, Turn
from tests.eval.window_sets import Expansion, Said, Window, WindowSet

_ZONE = ZoneInfo(COMPANION.time_zone)


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a set's windows left behind, by window key, and where its two people stand then."""

    windows: Mapping[str, Extraction]
    relationships: Mapping[str, Relationship] = field(default_factory=dict)


def extracted(found: WindowSet) -> Extracted:
    """Read the answers of all windows in their order.

    There is no model to repair an answer that cannot be read, so its window leaves nothing behind.
    """
    kept: dict[str, Extraction] = {}
    states: dict[str, Relationship] = {}
    for window in found.windows:
        one = _read(found, window, states)
        if one.worth_keeping:
            kept[found.key(window)] = one
            states.update(one.relationships)
    return Extracted(kept, states)


def _read(
    found: WindowSet, window: Window, relationships: Mapping[str, Relationship]
) -> Extraction:
    context = _context(found, window, relationships)
    answer = _with_expansion(found.answers[window.n], found.expansions.get(window.n))
    try:
        return in_words_that_were_said(read(answer, context), context)
    except ModelMalformed:
        return Extraction(worth_keeping=False)


def locale(found: WindowSet) -> Locale:
    """The language of the talk."""
    return locale_of(found.windows[0].messages[0].text, "ko")


def turns(window: Window) -> tuple[Turn, ...]:
    """The window as turns: each message of the user's with what answered it."""
    made: list[Turn] = []
    for said in map(message, window.messages):
        if said.role == USER:
            made.append(Turn(said, None))
        elif made and made[-1].reply is None:
            made[-1] = Turn(made[-1].user, said)
    return tuple(made)


def message(said: Said) -> Message:
    """A message as the product holds it; its clock is that of the policy's zone."""
    by_user = said.speaker == USER
    return Message(
        id=uuid5(NAMESPACE_URL, said.id),
        role=USER if by_user else "assistant",
        speaker="" if by_user else said.speaker,
        text=said.text,
        created_at=said.at.replace(tzinfo=_ZONE),
    )


def _context(
    found: WindowSet, window: Window, relationships: Mapping[str, Relationship]
) -> WindowContext:
    return WindowContext(
        cast=(found.character,),
        messages=tuple(map(message, window.messages)),
        time_zone=COMPANION.time_zone,
        locale=locale(found),
        relationships=dict(relationships),
    )


def _with_expansion(answer: bytes, expansion: Expansion | None) -> str:
    """The answer as a model gives it that was also asked for what is for the search alone."""
    whole = json.loads(bytes(answer))
    whole["related_terms"] = list(expansion.terms) if expansion else []
    whole["asked_as"] = list(expansion.asked_as) if expansion else []
    return json.dumps(whole, ensure_ascii=False)
