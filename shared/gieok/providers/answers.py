"""What all providers share: a call's parameters, the pace and the end of an answer."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Literal

import msgspec

from gieok.errors import (
    ModelBlocked,
    ModelError,
    ModelMalformed,
    ModelRateLimited,
    ModelTimeout,
    ModelTruncated,
    ModelUnavailable,
)
from gieok.types import Finish, ModelChoice, StructuredReply

Pieces = AsyncGenerator[str | Finish, None]
"""Text as it comes, never empty, then exactly one `Finish`."""


class Parameters(msgspec.Struct, frozen=True):
    """The parameters of a `ModelChoice` that providers read; None leaves it to the model."""

    temperature: float | None = None
    max_output_tokens: int | None = None
    thinking_budget: int | None = None
    thinking_level: Literal["minimal", "low", "medium", "high"] | None = None
    extra_body: dict[str, object] = msgspec.field(default_factory=dict)

    @property
    def token_limit(self) -> int | None:
        """Room for thoughts and text together.

        Both protocols count thoughts against the output limit, so a budget for thinking is added on
        top; else a thoughtful answer is cut short, or empty.
        """
        if self.max_output_tokens is None:
            return None
        return self.max_output_tokens + max(self.thinking_budget or 0, 0)


def parameters(choice: ModelChoice) -> Parameters:
    """A choice's parameters, typed. Raises `ModelUnavailable` naming the one that is wrong."""
    try:
        return msgspec.convert(dict(choice.parameters), Parameters)
    except msgspec.ValidationError as error:
        raise ModelUnavailable(choice.model, f"parameters: {error}") from error


async def paced(pieces: Pieces, model: str, timeout_s: float) -> Pieces:
    """The pieces of a stream, if they keep the contract of `LanguageModel.stream`.

    Raises `ModelTimeout` when a piece takes longer than `timeout_s`, `ModelUnavailable` when the
    stream ends without a `Finish`, `ModelTruncated` or `ModelMalformed` when it says nothing.
    """
    said = False
    async with aclosing(pieces):
        while True:
            piece = await _next(pieces, model, timeout_s)
            if isinstance(piece, Finish):
                if not said:
                    _require_words(piece, model)
                yield piece
                return
            said = True
            yield piece


async def _next(pieces: Pieces, model: str, timeout_s: float) -> str | Finish:
    try:
        async with asyncio.timeout(timeout_s):
            return await anext(pieces)
    except TimeoutError:
        raise ModelTimeout(model, f"nothing for {timeout_s:g} s") from None
    except StopAsyncIteration:
        raise ModelUnavailable(model, "the stream was cut") from None


def _require_words(finish: Finish, model: str) -> None:
    if finish.reason == "length":
        raise ModelTruncated(model, "the output limit came before any text")
    if finish.reason != "blocked":
        raise ModelMalformed(model, "an empty answer")


def structured_reply(text: str, finish: Finish, model: str) -> StructuredReply:
    """A whole answer as the reply to a `StructuredPrompt`.

    Raises `ModelBlocked`, `ModelTruncated`, or `ModelMalformed` when it is empty.
    """
    if finish.reason == "blocked":
        raise ModelBlocked(model)
    if finish.reason == "length":
        raise ModelTruncated(model)
    if not text.strip():
        raise ModelMalformed(model, "an empty answer")
    return StructuredReply(text, finish.usage, finish.model)


def http_failure(status: int | None, model: str) -> ModelError:
    """The error for an HTTP status, or for an error reported inside a stream."""
    if status == 429:
        return ModelRateLimited(model)
    return ModelUnavailable(model, f"HTTP {status}" if status else "an error without a status")
