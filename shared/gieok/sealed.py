"""Rows as they rest in the database: ciphertext, ids and times."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok.types import Role


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
class PendingTurn:
    """A turn after the cursor. `sealed` is None when its message never came to be stored."""

    session_id: UUID
    position: int
    running: bool
    followed: bool
    closing: bool
    last_active_at: datetime
    created_at: datetime
    sealed: SealedTurn | None


@dataclass(frozen=True, slots=True)
class SealedMemory:
    """A memory at rest; `involved` names its characters."""

    id: UUID
    character_ids: tuple[UUID, ...]
    summary: bytes
    details: bytes
    importance: int
    involved: tuple[str, ...]
    happened_at: datetime
    created_at: datetime
    pinned: bool
    muted: bool


@dataclass(frozen=True, slots=True)
class SealedRelationship:
    """A version of a relationship state at rest."""

    id: UUID
    character_id: UUID
    version: int
    body: bytes
