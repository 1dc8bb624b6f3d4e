"""The nouns of the engine: frozen values without behaviour or I/O.

Times are timezone-aware UTC. Token counts are what a provider reported, or None.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Generic, Literal, NewType, TypeVar
from uuid import UUID

UserId = NewType("UserId", str)
"""The `sub` of a verified token, 1 to 255 bytes of UTF-8."""

Role = Literal["user", "assistant", "system"]
USER: Final = "user"
"""How the user is named as a speaker or actor; anybody else goes by a name."""
Locale = Literal["ko", "en", "ja"]
RecallStatus = Literal["ok", "degraded", "failed"]
RewriteStatus = Literal["off", "not_asked", "used", "late", "failed"]
Slot = Literal["fused", "importance", "newest"]
FactCategory = Literal[
    "profile", "preference", "decision", "action_item", "event", "relation", "context"
]
FactSubject = Literal["user", "character", "other"]
Reality = Literal["real", "story"]
SpeechLevel = Literal["존댓말", "반말", "섞어 씀", ""]
StateField = Literal[
    "user_called",
    "character_called",
    "speech_level",
    "standing",
    "promises",
    "boundaries",
    "affection",
]
"""The fields of a `RelationshipState`, in its order."""

VersionSource = Literal["window", "user", "restored", "recomputed"]
"""What made a version of a relationship: a window of conversation, a correction, a restore,
or the loss of an earlier one."""

T = TypeVar("T")


RequestKind = Literal["turn", "search", "call"]
"""What is limited apart: turns, what embeds a text outside of turns, and all other calls."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memories they are: one user and the cast of one conversation, sorted, never empty.

    A *pair* is a scope of one character. A cast of several has a cursor of its own, so that what
    was said to one alone never becomes a memory of another.
    """

    user_id: UserId
    character_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Character:
    """A character of the service: service content, not a user's."""

    id: UUID
    name: str
    persona: str
    greeting: str
    speech_rules: str
    fallback_line: str
    locale: Locale


@dataclass(frozen=True, slots=True)
class Message:
    """One raw message, decrypted. `speaker` is the character's name, or "" for the user."""

    id: UUID
    role: Role
    speaker: str
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """A user's message and what was answered, if anything was."""

    user: Message
    reply: Message | None


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """A turn of another conversation that no memory covers yet.

    `involved` names the characters who were there.
    """

    turn: Turn
    involved: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeyDetail:
    """Something said (quote) or done (action) worth keeping word for word.

    `who` is the speaker or actor: "user" or a character's name. `character` is the name of the
    character it was said or done to, or None when it was nobody in particular.
    """

    kind: Literal["quote", "action"]
    who: str
    text: str
    context: str = ""
    character: str | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """A window of conversation as the character remembers it, decrypted.

    `involved` names the characters who were there. `importance` is 1 to 10. The window's first
    message is of `began_at`, its last one of `happened_at`.
    """

    id: UUID
    summary: str
    details: tuple[KeyDetail, ...]
    importance: int
    involved: tuple[str, ...]
    began_at: datetime
    happened_at: datetime
    created_at: datetime
    pinned: bool = False
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a memory was recalled.

    Ranks count from 0. They and `similarity` (cosine) are None where that leg did not find it.
    `context` is the part of the score that the memory's neighbours gave, after their own decay.
    """

    slot: Slot
    score: float
    decay: float
    context: float = 0.0
    similarity: float | None = None
    vector_rank: int | None = None
    keyword_rank: int | None = None

    @property
    def of_both_legs(self) -> bool:
        """Whether the question found it by meaning and by words."""
        return self.vector_rank is not None and self.keyword_rank is not None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that goes into the prompt, with its reason."""

    memory: Memory
    why: Explanation


@dataclass(frozen=True, slots=True)
class Recollection:
    """The outcome of one recall: best first, at most the policy's limit.

    `reason` says what the status rests on: "always" when recall simply ran, else the step of the
    ladder of fallbacks ("no_query_vector", "vectors_missing", "undecryptable", "deadline",
    "database", "unexpected"). `dropped` counts memories that could not be decrypted. `rewrite` says
    whether the question was restated: "off" by policy, "not_asked" since it does not ask about the
    past, "used", or in vain.
    """

    status: RecallStatus
    reason: str
    memories: tuple[Recalled, ...] = ()
    dropped: int = 0
    rewrite: RewriteStatus = "off"


@dataclass(frozen=True, slots=True)
class RelationshipState:
    """Where a user and a character stand, bounded by `relationship.rules.bounded`.

    A new state replaces the one before as a whole.
    """

    user_called: str = ""
    character_called: str = ""
    speech_level: SpeechLevel = ""
    standing: str = ""
    promises: tuple[str, ...] = ()
    boundaries: tuple[str, ...] = ()
    affection: int = 0


@dataclass(frozen=True, slots=True)
class StateQuote:
    """The words behind a change of one field. `speaker` is "user" or a character's name."""

    field: StateField
    speaker: str
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Relationship:
    """One version of where a user and a character stand, and what it changed of the one before.

    `held` are the fields that the user set, each with the time at which it was set: they outrank
    the model until the user's later words contradict them. `quotes` are the words behind what a
    window changed. `before` is the state from which a window's version was made, None for others;
    `given` are the fields that a user's version set, none for others. A recomputed version, which
    is made of those that still stand, has neither.
    """

    state: RelationshipState = RelationshipState()
    quotes: tuple[StateQuote, ...] = ()
    held: Mapping[StateField, datetime] = field(default_factory=dict)
    before: RelationshipState | None = None
    given: tuple[StateField, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a message of a window says of somebody.

    `name` is the name of whom it is about, "" for the user. `reality` is "story" for what they play
    or tell each other. `quote` holds the words that the fact rests on, which were said in the
    message `message_id`. `confidence` is the model's, 0 to 1.
    """

    category: FactCategory
    subject: FactSubject
    name: str
    reality: Reality
    text: str
    quote: str
    message_id: UUID
    confidence: float


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation. Its token sums add up what providers reported, and are None until one did."""

    id: UUID
    character_ids: tuple[UUID, ...]
    status: Literal["active", "archived", "expired"]
    message_count: int
    prompt_tokens: int | None
    completion_tokens: int | None
    total_tokens: int | None
    created_at: datetime
    last_active_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Items in order; the next page starts behind the id `next`, which is None on the last page."""

    items: tuple[T, ...]
    next: UUID | None
