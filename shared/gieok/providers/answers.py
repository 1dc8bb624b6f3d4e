"""What the providers share: a call's parameters, the pace and the end of an answer."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from gieok.calls import Finish, FinishReason, ModelChoice, StructuredReply, Usage
from gieok.errors import (
    ModelBlocked,
    ModelMalformed,
    ModelTimeout,
    ModelTruncated,
    ModelUnavailable,
)

_MOST_TOKENS = 2**31 - 1
"""Tokens of one call, at most: what a count of the database holds."""

Pieces = AsyncGenerator[str | Finish, None]
"""Text as it comes, no piece empty, then exactly one `Finish`."""


class Parameters(msgspec.Struct, frozen=True):
    """The parameters of a `ModelChoice` that providers read; None leaves one to the model."""

    temperature: float | None = None
    max_output_tokens: int | None = None
    thinking_budget: int | None = None
    thinking_level: Literal["minimal", "low", "medium", "high"] | None = None
    extra_body: dict[str, object] = msgspec.field(default_factory=dict)

    @property
    def token_limit(self) -> int | None:
        """Tokens for thoughts and text together.

        Both protocols count thoughts against the output limit, so a budget for thinking is added on
        top. Otherwise a thoughtful answer would be cut short, or empty.
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
    stream ends without a `Finish`.
    """
    async with aclosing(pieces):
        while True:
            piece = await _next(pieces, model, timeout_s)
            yield piece
            if isinstance(piece, Finish):
                return


async def _next(pieces: Pieces, model: str, timeout_s: float) -> str | Finish:
    try:
        async with asyncio.timeout(timeout_s):
            return await anext(pieces)
    except TimeoutError:
        raise ModelTimeout(model, f"nothing for {timeout_s:g} s") from None
    except StopAsyncIteration:
        raise ModelUnavailable(model, "the stream was cut") from None


@dataclass(slots=True)
class Ending:
    """How an answer ends, gathered from its chunks.

    `asked` is the model that was asked, `model` the one that says it answered. `reasons` maps the
    protocol's words for how an answer ends to ours, `otherwise` is what any other word means; None:
    that the answer is none.
    """

    asked: str
    reasons: Mapping[str, FinishReason]
    otherwise: FinishReason | None = None
    model: str = ""
    reason: str = ""
    usage: Usage = field(default_factory=Usage)

    def finish(self) -> Finish:
        """How the answer ended. Raises `ModelUnavailable` when no reason came, `ModelMalformed` for
        an unknown one."""
        if not self.reason:
            raise ModelUnavailable(self.asked, "the answer was cut")
        reason = self.reasons.get(self.reason, self.otherwise)
        if reason is None:
            raise ModelMalformed(self.asked, f"finished with {self.reason}")
        return Finish(reason, self.usage, self.model or self.asked)


def counted(
    prompt: int | None, completion: int | None, thoughts: int | None, total: int | None
) -> Usage:
    """Token counts as they can be true: one below zero, or too large to be stored, is not known."""
    counts = (prompt, completion, thoughts, total)
    return Usage(*(n if n is not None and 0 <= n <= _MOST_TOKENS else None for n in counts))


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
