"""The extraction call: what the model is told, what it is given, and the form of its answer."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from gieok.calls import StructuredPrompt
from gieok.extraction.form import schema
from gieok.extraction.quotes import speaker
from gieok.extraction.window_context import WindowContext
from gieok.prompt.packs import en, ja, ko
from gieok.prompt.packs.by_locale import CHAT_TEXT
from gieok.prompt.packs.pack import ExtractionText
from gieok.types import Locale, Message, Relationship

PROMPT_VERSION = "extraction-3"
"""Stored with each memory; raised whenever a word of the instructions or the schema changes."""

REPAIR_CHARS = 20_000
"""What of a failed answer the repair call shows."""

_TEXT: Mapping[Locale, ExtractionText] = {
    "ko": ko.EXTRACTION,
    "en": en.EXTRACTION,
    "ja": ja.EXTRACTION,
}


def request(window: WindowContext) -> StructuredPrompt:
    """The extraction call for one window; messages of the system are left out.

    A character without a relationship is shown with null. Each message's time is shown in its own
    zone.
    """
    payload = {
        "time_zone": window.time_zone,
        "language": window.locale,
        "characters": list(window.cast),
        "relationship_state": {n: _state_shown(window.relationships.get(n)) for n in window.cast},
        "messages": [_shown(m, window) for m in window.transcript.messages],
    }
    instructions = _TEXT[window.locale].instructions
    return StructuredPrompt("EXTRACTION", instructions, _json(payload), schema(window.cast))


def repair_request(
    original: StructuredPrompt, previous_answer: str, problem: str
) -> StructuredPrompt:
    """The one repair call: the original with the failed answer and what is wrong with it.

    `problem` names fields or characters, e.g. the reason of a `ModelMalformed`.
    """
    payload = json.loads(original.payload)
    text = _TEXT[_locale(payload["language"])]
    payload["repair"] = {"previous_answer": previous_answer[:REPAIR_CHARS], "problem": problem}
    return replace(
        original, instructions=f"{original.instructions}\n{text.repair}", payload=_json(payload)
    )


def _locale(language: str) -> Locale:
    return next(locale for locale in _TEXT if locale == language)


def _json(payload: Mapping[str, object]) -> str:
    # A lone surrogate cannot be sent as UTF-8: it becomes "?".
    return json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace").decode()


def _state_shown(relationship: Relationship | None) -> dict[str, object] | None:
    """The state, with the fields that the user corrected."""
    if relationship is None:
        return None
    return {**asdict(relationship.state), "held_by_user": list(relationship.held)}


def _shown(message: Message, window: WindowContext) -> dict[str, str]:
    zone = ZoneInfo(window.zones.get(message.id, window.time_zone))
    at = message.created_at.astimezone(zone)
    return {
        "id": str(message.id),
        "speaker": speaker(message),
        "text": message.text,
        "at": at.isoformat(timespec="minutes"),
        "weekday": weekday(at, window.locale),
    }


def weekday(at: datetime, locale: Locale) -> str:
    """The day of the week, which models count badly, in the user's language."""
    return CHAT_TEXT[locale].weekdays[at.weekday()]
