"""The JSON of conversations: turns, messages, sessions, and the characters that take part."""

from datetime import datetime
from typing import Annotated, cast

import msgspec
from msgspec import Meta

from gieok.conversation.claim import LARGEST_CAST
from gieok.conversation.sessions import ReadMessage
from gieok.ids import show
from gieok.types import Character, Locale, Session

# Python's "$" alone would let a line feed follow.
_END = r"$(?!\n)"

CharacterId = Annotated[str, Meta(pattern=f"^char_[0-9a-f]{{32}}{_END}")]
SessionId = Annotated[str, Meta(pattern=f"^talk_[0-9a-f]{{32}}{_END}")]
MessageId = Annotated[str, Meta(pattern=f"^msg_[0-9a-f]{{32}}{_END}")]

ClientMessageId = Annotated[str, Meta(pattern=f"^[A-Za-z0-9._~:-]{{1,128}}{_END}")]
"""A client's own id of a message. It stands in URLs, so its characters are safe there; and it is
stored as it is, so it has no room for anybody's words."""

LanguageTag = Annotated[
    str, Meta(pattern=f"^(ko|en|ja)(-[A-Za-z0-9]{{1,8}})*{_END}", max_length=35)
]
"""A language as browsers name it (RFC 5646): ko, or ko-KR."""


class Wire(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Base of all: camelCase on the wire."""


class Spoken(Wire, frozen=True, forbid_unknown_fields=True):
    """Base of what is said: where, and in which language; without a time zone where the user was
    last known to be."""

    time_zone: Annotated[str, Meta(max_length=64)] | None = None
    locale: LanguageTag | None = None

    @property
    def language(self) -> Locale | None:
        """The locale without its region; None when none is given and the message must tell."""
        return cast("Locale", self.locale[:2]) if self.locale else None


class ChatRequest(Spoken, frozen=True, kw_only=True):
    """One message of a user to a character, in a session or in a new one."""

    message: str
    character_id: CharacterId | None = None
    character_ids: Annotated[list[CharacterId], Meta(max_length=LARGEST_CAST)] | None = None
    session_id: SessionId | None = None
    client_message_id: ClientMessageId | None = None


class SessionRequest(Wire, frozen=True, forbid_unknown_fields=True):
    """Who takes part in a new session."""

    character_id: CharacterId | None = None
    character_ids: Annotated[list[CharacterId], Meta(max_length=LARGEST_CAST)] | None = None


class RewindRequest(Wire, frozen=True, forbid_unknown_fields=True):
    """The message that a conversation is taken back to; it stays itself."""

    to_message_id: MessageId


class EditRequest(Wire, frozen=True, forbid_unknown_fields=True):
    """A message's new text."""

    text: str


class RerollRequest(Spoken, frozen=True):
    """How to answer again; the same `clientMessageId` is answered once."""

    client_message_id: ClientMessageId | None = None


class TurnResponse(Wire, frozen=True):
    """How a turn stands; its events once it has ended."""

    state: str
    events: list[msgspec.Raw]


class CharacterResponse(Wire, frozen=True):
    """A character as a client shows it."""

    id: str
    name: str
    greeting: str
    locale: str


class CharactersResponse(Wire, frozen=True):
    """All characters."""

    characters: list[CharacterResponse]


class SessionResponse(Wire, frozen=True):
    """A conversation. Token sums are of what providers reported, or null."""

    id: str
    character_ids: list[str]
    status: str
    message_count: int
    actual_prompt_tokens: int | None
    actual_completion_tokens: int | None
    actual_total_tokens: int | None
    created_at: datetime
    last_active_at: datetime
    expires_at: datetime


class SessionsResponse(Wire, frozen=True):
    """A page of conversations, newest first."""

    sessions: list[SessionResponse]
    next_cursor: str | None


class PartResponse(Wire, frozen=True):
    """What one character says in an answer of several."""

    speaker: str
    text: str


class MessageResponse(Wire, frozen=True):
    """A raw message that is still kept. `speaker` is who speaks first in it. An answer in a group
    has `parts`, which tell who says what of its text; any other message has none."""

    id: str
    role: str
    speaker: str
    text: str
    parts: list[PartResponse]
    turn_number: int
    client_message_id: str
    model: str | None
    finish_reason: str | None
    fallback_used: bool
    actual_prompt_tokens: int | None
    actual_completion_tokens: int | None
    actual_total_tokens: int | None
    created_at: datetime
    edited_at: datetime | None


class MessagesResponse(Wire, frozen=True):
    """A page of raw messages, newest first."""

    messages: list[MessageResponse]
    next_cursor: str | None


class ModelsResponse(Wire, frozen=True):
    """What speaks here. `offline`: replies come from rules and not from a language model."""

    offline: bool


def of_character(character: Character) -> CharacterResponse:
    """The JSON of a character, without its persona."""
    return CharacterResponse(
        id=show("char", character.id),
        name=character.name,
        greeting=character.greeting,
        locale=character.locale,
    )


def of_session(session: Session) -> SessionResponse:
    """The JSON of a conversation."""
    return SessionResponse(
        id=show("talk", session.id),
        character_ids=[show("char", c) for c in session.character_ids],
        status=session.status,
        message_count=session.message_count,
        actual_prompt_tokens=session.prompt_tokens,
        actual_completion_tokens=session.completion_tokens,
        actual_total_tokens=session.total_tokens,
        created_at=session.created_at,
        last_active_at=session.last_active_at,
        expires_at=session.expires_at,
    )


def of_message(read: ReadMessage) -> MessageResponse:
    """The JSON of a raw message, decrypted."""
    stored = read.stored
    return MessageResponse(
        id=show("msg", stored.sealed.id),
        role=stored.sealed.role,
        speaker=stored.speaker,
        text=read.text,
        parts=[PartResponse(speaker=speaker, text=text) for speaker, text in read.parts],
        turn_number=stored.turn_number,
        client_message_id=stored.client_message_id,
        model=stored.model,
        finish_reason=stored.finish_reason,
        fallback_used=stored.fallback_used,
        actual_prompt_tokens=stored.prompt_tokens,
        actual_completion_tokens=stored.completion_tokens,
        actual_total_tokens=stored.total_tokens,
        created_at=stored.sealed.created_at,
        edited_at=stored.edited_at,
    )
