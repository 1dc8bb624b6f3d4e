"""The extraction call: what the model is told, what it is given, and the form of its answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from types import MappingProxyType
from uuid import UUID
from zoneinfo import ZoneInfo

from gieok.calls import StructuredPrompt
from gieok.extraction.facts import CATEGORIES, REALITIES, SUBJECTS
from gieok.extraction.quotes import speaker
from gieok.prompt.packs import en, ja, ko
from gieok.prompt.packs.by_locale import CHAT_TEXT
from gieok.prompt.packs.pack import ExtractionText
from gieok.relationship.rules import FIELDS, SPEECH_LEVELS
from gieok.types import USER, Locale, Message, Relationship

PROMPT_VERSION = "extraction-2"
"""Stored with each memory; raised whenever a word of the instructions or the schema changes."""

REPAIR_CHARS = 20_000
"""What of a failed answer the repair call shows."""

_NO_ZONES: Mapping[UUID, str] = MappingProxyType({})
_TEXT: Mapping[Locale, ExtractionText] = {
    "ko": ko.EXTRACTION,
    "en": en.EXTRACTION,
    "ja": ja.EXTRACTION,
}


def request(
    cast: Sequence[str],
    relationships: Mapping[str, Relationship],
    messages: Sequence[Message],
    time_zone: str,
    locale: Locale,
    zones: Mapping[UUID, str] = _NO_ZONES,
) -> StructuredPrompt:
    """The extraction call for one window, messages oldest first; system messages are left out.

    `relationships` by character name; one that is missing is shown as null. Each message's time is
    shown in its own of the `zones`, by message id, else in `time_zone`; all are IANA names.
    """
    payload = {
        "time_zone": time_zone,
        "language": locale,
        "characters": list(cast),
        "relationship_state": {n: _state_shown(relationships.get(n)) for n in cast},
        "messages": [
            _shown(m, ZoneInfo(zones.get(m.id, time_zone)), locale)
            for m in messages
            if m.role != "system"
        ],
    }
    return StructuredPrompt("EXTRACTION", _TEXT[locale].instructions, _json(payload), schema(cast))


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


def _shown(message: Message, zone: ZoneInfo, locale: Locale) -> dict[str, str]:
    at = message.created_at.astimezone(zone)
    return {
        "id": str(message.id),
        "speaker": speaker(message),
        "text": message.text,
        "at": at.isoformat(timespec="minutes"),
        "weekday": weekday(at, locale),
    }


def weekday(at: datetime, locale: Locale) -> str:
    """The day of the week, which models count badly, in the user's language."""
    return CHAT_TEXT[locale].weekdays[at.weekday()]


def schema(cast: Sequence[str]) -> dict[str, object]:
    """JSON Schema of the answer, for a cast: every field required, no other allowed."""
    names = list(dict.fromkeys(cast))
    return _object(
        worth_keeping={"type": "boolean"},
        summary={"type": "string"},
        importance={"type": "integer", "minimum": 1, "maximum": 10},
        key_details=_list(_detail(names)),
        search_terms=_list({"type": "string"}),
        facts=_list(_fact()),
        relationship_states=_list(_state(names)),
    )


def _detail(names: list[str]) -> dict[str, object]:
    return _object(
        kind=_one_of(["quote", "action"]),
        who=_one_of([USER, *names]),
        character=_or_null(_one_of(names)),
        text={"type": "string"},
        context={"type": "string"},
    )


def _fact() -> dict[str, object]:
    return _object(
        category=_one_of(CATEGORIES),
        subject=_object(kind=_one_of(SUBJECTS), name={"type": "string"}),
        reality=_one_of(REALITIES),
        text={"type": "string"},
        quote={"type": "string"},
        message_id={"type": "string"},
        confidence={"type": "number", "minimum": 0, "maximum": 1},
    )


def _state(names: list[str]) -> dict[str, object]:
    return _object(
        character=_one_of(names),
        user_called={"type": "string"},
        character_called={"type": "string"},
        # Null rather than "": Gemini refuses an empty text in an enum.
        speech_level=_or_null(_one_of([level for level in SPEECH_LEVELS if level])),
        standing={"type": "string"},
        promises=_list({"type": "string"}),
        boundaries=_list({"type": "string"}),
        affection={"type": "integer", "minimum": -100, "maximum": 100},
        changes=_list(
            _object(
                field=_one_of(FIELDS), speaker=_one_of([USER, *names]), quote={"type": "string"}
            )
        ),
    )


def _object(**properties: object) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: object) -> dict[str, object]:
    return {"type": "array", "items": items}


def _one_of(values: Sequence[str]) -> dict[str, object]:
    return {"type": "string", "enum": list(values)}


def _or_null(kind: object) -> dict[str, object]:
    return {"anyOf": [kind, {"type": "null"}]}
