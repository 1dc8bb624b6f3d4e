"""What the engine needs from outside: a protocol each, which `adapters`, `providers`, `privacy` and
`bootstrap` implement and tests can replace."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from gieok.calls import (
    Embeddings,
    Finish,
    ModelChoice,
    Prompt,
    Purpose,
    StructuredPrompt,
    StructuredReply,
)
from gieok.types import RequestKind, Scope, UserId


class Provider(Protocol):
    """What every provider of models has besides its calls."""

    def preload(self) -> None:
        """Load now what the first call would otherwise have to load. It connects nowhere."""
        ...

    async def aclose(self) -> None:
        """Close its connections; a later call opens new ones."""
        ...


class LanguageModel(Provider, Protocol):
    """A provider of language: Gemini, an OpenAI-compatible server, or the offline rules."""

    def stream(
        self, prompt: Prompt, choice: ModelChoice, timeout_s: float
    ) -> AsyncGenerator[str | Finish, None]:
        """Yield text as it comes, never empty, then exactly one `Finish` last.

        `timeout_s` bounds each wait for the next piece. A safety refusal is a `Finish` with reason
        "blocked", not an error. Raises a `ModelError` (also after some text was yielded).
        """
        ...

    async def structured(
        self, prompt: StructuredPrompt, choice: ModelChoice, timeout_s: float
    ) -> StructuredReply:
        """Ask for one JSON answer by the prompt's schema; `timeout_s` bounds the whole call.

        Raises a `ModelError`, also for an answer that is blocked, truncated, empty or no text. It
        is the caller who checks whether the text fits the schema.
        """
        ...


class Embedder(Provider, Protocol):
    """A provider of sentence vectors."""

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """Embed the texts in one try: one finite unit vector per text, all of one width.

        Raises a `ModelError`, which is `ModelMalformed` for a wrong count or width, NaN or zero.
        """
        ...


class Lock(Protocol):
    """A courtesy lock: it saves double work. The fence in the database guards the truth."""

    def hold(self, scope: Scope) -> AbstractAsyncContextManager[bool]:
        """Take the lock: entering gives True when we have it, False when somebody else has it.

        While we have it, it is renewed, until exit. Raises `LockUnavailable` on entry when the
        lock's server cannot say who has it, and nothing on exit.
        """
        ...


class RateLimiter(Protocol):
    """A sliding window of requests per user."""

    async def check(self, user_id: UserId, kind: RequestKind) -> None:
        """Count one request of a kind. Raises `RateLimited`, or `LockUnavailable` when it cannot
        count."""
        ...


class Queue(Protocol):
    """Hints for the memory worker."""

    async def send(self, scope: Scope, delay_s: int = 0) -> None:
        """Queue the hint that this scope may be due, for `delay_s` from now: 0 to 900 seconds.

        Raises `QueueUnavailable`.
        """
        ...


class KeyService(Protocol):
    """Wraps data keys: KMS, or a key file on a laptop."""

    async def generate(self, user_id: UserId) -> tuple[bytes, bytes]:
        """Make a new 32-byte data key that is bound to the user: (plain, wrapped).

        Raises `KeyServiceUnavailable`.
        """
        ...

    async def unwrap(self, user_id: UserId, wrapped: bytes) -> bytes:
        """The plain data key.

        Raises `DecryptionFailed` when it was wrapped for another user or is damaged, and
        `KeyServiceUnavailable`.
        """
        ...


class Clock(Protocol):
    """A source of the current time."""

    def now(self) -> datetime:
        """The current time, as a timezone-aware datetime in UTC."""
        ...
