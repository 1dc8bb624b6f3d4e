"""Rows as they rest in the database: ciphertext, ids and times."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok.types import FactCategory, FactSubject, Reality, Role


@dataclass(frozen=True, slots=True)
class SealedMessage:
    """A raw message at rest. `character_id` is None for the user's own."""

    id: UUID
    role: Role
    character_id: UUID | None
    body: bytes
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SealedTurn:
    """A user's message and its answer at rest."""

    user: SealedMessage
    reply: SealedMessage | None


@dataclass(frozen=True, slots=True)
class SealedEarlierTurn:
    """A turn of another session at rest. `names` are those of its cast, by id, in its order."""

    sealed: SealedTurn
    names: Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class PendingTurn:
    """A turn that no window took yet. `sealed` is None while its message is not stored.

    `ended_at` is when it was answered, or created. `due_at` is when it goes into a window whatever
    the count: its session ended or fell silent after it, or it is old; times of the conversation
    alone decide. `closing` says of a session that has ended. `ends_before` is the position at which
    a window with this turn has to end, if there is one (`memory.window_end`). `time_zone` is the
    zone of the user's clock, where it is known.
    """

    session_id: UUID
    position: int
    running: bool
    followed: bool
    closing: bool
    last_active_at: datetime
    created_at: datetime
    ended_at: datetime
    due_at: datetime
    sealed: SealedTurn | None
    ends_before: int | None = None
    time_zone: str | None = None


@dataclass(frozen=True, slots=True)
class SealedMemory:
    """A memory at rest; `involved` names its characters."""

    id: UUID
    character_ids: tuple[UUID, ...]
    summary: bytes
    details: bytes
    importance: int
    involved: tuple[str, ...]
    began_at: datetime
    happened_at: datetime
    created_at: datetime
    pinned: bool
    muted: bool


@dataclass(frozen=True, slots=True)
class SealedRelationship:
    """A version of a relationship state at rest.

    `body` is empty where it is still to be made of those before it (`relationship_versions`).
    """

    id: UUID
    character_id: UUID
    version: int
    body: bytes


@dataclass(frozen=True, slots=True)
class NewRelationship:
    """A version of a relationship state that the store has not numbered yet."""

    id: UUID
    character_id: UUID
    body: bytes


@dataclass(frozen=True, slots=True)
class SealedFact:
    """A fact at rest, as one character knows it. `content` holds its name, text and quote."""

    id: UUID
    character_id: UUID
    message_id: UUID
    category: FactCategory
    subject: FactSubject
    reality: Reality
    confidence: float
    content: bytes
    fingerprint: bytes
