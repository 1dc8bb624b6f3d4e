"""The JSON of a relationship: its state, its versions, and what a user corrects."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from functions.chat.wire.conversations import Wire
from gieok.errors import BadRequest
from gieok.language import text
from gieok.prompt.fence import one_line
from gieok.relationship.corrections import History, Version
from gieok.relationship.rules import AFFECTION, ITEM_CHARS, ITEMS, NAME_CHARS, STANDING_CHARS
from gieok.types import Relationship, RelationshipState, SpeechLevel, StateField, VersionSource

FieldName = Literal[
    "userCalled",
    "characterCalled",
    "speechLevel",
    "standing",
    "promises",
    "boundaries",
    "affection",
]
_NAMES: dict[StateField, FieldName] = {
    "user_called": "userCalled",
    "character_called": "characterCalled",
    "speech_level": "speechLevel",
    "standing": "standing",
    "promises": "promises",
    "boundaries": "boundaries",
    "affection": "affection",
}
Name = Annotated[str, Meta(max_length=NAME_CHARS)]
Items = Annotated[list[Annotated[str, Meta(max_length=ITEM_CHARS)]], Meta(max_length=ITEMS)]


class StateResponse(Wire, frozen=True):
    """Where a user and a character stand. `speechLevel` is polite, casual, a mix, or unknown."""

    user_called: str
    character_called: str
    speech_level: SpeechLevel
    standing: str
    promises: list[str]
    boundaries: list[str]
    affection: int


class StateQuoteResponse(Wire, frozen=True):
    """The words behind a change of one field. `speaker` is "user" or a character's name."""

    field: FieldName
    speaker: str
    text: str


class RelationshipVersionResponse(Wire, frozen=True):
    """One version: what made it, and the words behind what it changed."""

    version: int
    source: VersionSource
    created_at: datetime
    state: StateResponse
    quotes: list[StateQuoteResponse]


class RelationshipResponse(Wire, frozen=True):
    """A relationship as it stands, and its versions, newest first.

    `held` are the fields that the user corrected: they stay until the user's words say otherwise.
    Before anything was said, `version` is 0 and the state empty.
    """

    state: StateResponse
    version: int
    source: VersionSource | None
    held: list[FieldName]
    quotes: list[StateQuoteResponse]
    updated_at: datetime | None
    versions: list[RelationshipVersionResponse]
    next_cursor: str | None


class RelationshipRequest(Wire, frozen=True, forbid_unknown_fields=True):
    """What to correct, or the version to restore; what is left out stays as it is."""

    user_called: Name | UnsetType = UNSET
    character_called: Name | UnsetType = UNSET
    speech_level: SpeechLevel | UnsetType = UNSET
    standing: Annotated[str, Meta(max_length=STANDING_CHARS)] | UnsetType = UNSET
    promises: Items | UnsetType = UNSET
    boundaries: Items | UnsetType = UNSET
    affection: Annotated[int, Meta(ge=-AFFECTION, le=AFFECTION)] | UnsetType = UNSET
    restore_version: Annotated[int, Meta(ge=1, le=2**31 - 2)] | UnsetType = UNSET


def corrected_fields(body: RelationshipRequest) -> dict[StateField, Any]:
    """The fields that a request gives, as they are stored.

    An empty text clears a field. Raises `BadRequest` naming the field that breaks a rule.
    """
    given = {f: getattr(body, f) for f in _NAMES}
    return {f: _stored(f, v) for f, v in given.items() if v is not UNSET}


def _stored(field: StateField, value: Any) -> Any:
    if isinstance(value, list):
        lines = [_line(field, item) for item in value]
        if "" in lines or len(set(lines)) < len(lines):
            raise BadRequest(f"{_NAMES[field]}: no item is blank or there twice")
        return tuple(lines)
    return _line(field, value) if isinstance(value, str) else value


def _line(field: StateField, value: str) -> str:
    """A text on one line, as a model is shown it."""
    return one_line(text.clean(value, STANDING_CHARS, _NAMES[field])) if value else ""


def of_history(history: History) -> RelationshipResponse:
    """The JSON of a relationship and of a page of its versions."""
    current = history.current
    relationship = current.relationship if current else Relationship()
    return RelationshipResponse(
        state=_state(relationship.state),
        version=current.number if current else 0,
        source=current.source if current else None,
        held=[_NAMES[f] for f in relationship.held],
        quotes=_quotes(relationship),
        updated_at=current.created_at if current else None,
        versions=_versions(history.versions),
        next_cursor=None if history.cursor is None else str(history.cursor),
    )


def _versions(versions: Iterable[Version]) -> list[RelationshipVersionResponse]:
    return [
        RelationshipVersionResponse(
            version=v.number,
            source=v.source,
            created_at=v.created_at,
            state=_state(v.relationship.state),
            quotes=_quotes(v.relationship),
        )
        for v in versions
    ]


def _state(state: RelationshipState) -> StateResponse:
    return StateResponse(
        user_called=state.user_called,
        character_called=state.character_called,
        speech_level=state.speech_level,
        standing=state.standing,
        promises=list(state.promises),
        boundaries=list(state.boundaries),
        affection=state.affection,
    )


def _quotes(relationship: Relationship) -> list[StateQuoteResponse]:
    return [
        StateQuoteResponse(field=_NAMES[q.field], speaker=q.speaker, text=q.text)
        for q in relationship.quotes
    ]
