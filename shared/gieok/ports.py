"""What the engine needs from outside, each with two implementations that really run."""

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
from gieok.types import Scope, UserId


class Provider(Protocol):
    """What every provider of models has besides its calls."""

    def preload(self) -> None:
        """Load now what the first call would otherwise have to; connects nowhere."""
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
        """One JSON answer by the prompt's schema; `timeout_s` bounds the whole call.

        Raises a `ModelError`: blocked, truncated, empty and non-text answers included. Whether the
        text fits the schema is the caller's to check.
        """
        ...


class Embedder(Provider, Protocol):
    """A provider of sentence vectors."""

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """One unit vector per text, all of one width, finite.

        One try. Raises a `ModelError`; `ModelMalformed` for a wrong count or width, NaN or zero.
        """
        ...


class Lock(Protocol):
    """A courtesy lock: it saves work, it never guards truth."""

    def hold(self, scope: Scope) -> AbstractAsyncContextManager[bool]:
        """Enter with True when held (renewed until exit), False when another holds it.

        Raises `LockUnavailable` on entry when the lock's server cannot say. Never raises on exit.
        """
        ...


class RateLimiter(Protocol):
    """A sliding window of requests per user."""

    async def check(self, user_id: UserId) -> None:
        """Count one request. Raises `RateLimited`, or `LockUnavailable` when it cannot count."""
        ...


class Queue(Protocol):
    """Hints for the memory worker."""

    async def send(self, scope: Scope, delay_s: int = 0) -> None:
        """Queue "this scope may be due". `delay_s` is 0 to 900. Raises `QueueUnavailable`."""
        ...


class KeyService(Protocol):
    """Wraps data keys: KMS, or a key file on a laptop."""

    async def generate(self, user_id: UserId) -> tuple[bytes, bytes]:
        """A new 32-byte data key bound to the user: (plain, wrapped).

        Raises `KeyServiceUnavailable`.
        """
        ...

    async def unwrap(self, user_id: UserId, wrapped: bytes) -> bytes:
        """The plain data key.

        Raises `DecryptionFailed` when it was wrapped for another user or damaged, and
        `KeyServiceUnavailable`.
        """
        ...


class Clock(Protocol):
    """Now, in UTC."""

    def now(self) -> datetime:
        """The current time, timezone-aware UTC."""
        ...
