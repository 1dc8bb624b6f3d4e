"""Ask a task's models in order, and keep what every call cost."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager

from gieok import telemetry
from gieok.calls import (
    Assignment,
    Embeddings,
    Finish,
    ModelChoice,
    ModelUse,
    Prompt,
    Purpose,
    StructuredPrompt,
    StructuredReply,
    Task,
    Usage,
)
from gieok.errors import (
    ModelError,
    ModelMalformed,
    ModelTimeout,
    ModelTruncated,
    ModelUnavailable,
)
from gieok.language.korean import composed
from gieok.ports import Embedder, LanguageModel, Provider
from gieok.providers.spoken import Spoken

_GIVEN_UP = "cancelled"
"""The outcome of a call whose caller stopped waiting: it may cost all the same."""


class Models:
    """The configured providers by name. Every call of a model appends one entry to `uses`."""

    def __init__(
        self,
        languages: Mapping[str, LanguageModel],
        embedders: Mapping[str, Embedder],
        widest: int = 768,
    ) -> None:
        """Take the providers. `widest` is the number of dimensions of the database's vectors: those
        of a model may have no more."""
        self._languages = languages
        self._embedders = embedders
        self._widest = widest

    def preload(self) -> None:
        """Load SDKs and local models now, not in somebody's first turn."""
        for provider in self._providers():
            provider.preload()

    async def close(self) -> None:
        """Close the providers' connections."""
        for provider in self._providers():
            await provider.aclose()

    def _providers(self) -> set[Provider]:
        return {*self._languages.values(), *self._embedders.values()}

    @property
    def offline(self) -> bool:
        """Whether the offline rules are the only thing that speaks here."""
        return set(self._languages) == {"offline"}

    async def stream(
        self,
        assignment: Assignment,
        prompt: Prompt,
        piece_s: float,
        whole_s: float,
        uses: list[ModelUse],
    ) -> AsyncGenerator[str | Finish, None]:
        """Yield text as it comes, then one `Finish`; of a model's text what is `Spoken`.

        `piece_s` bounds each wait for a piece, `whole_s` all models together, in seconds. When a
        model fails or ends without a word, the next one takes over, as long as nothing was said. An
        answer that is cut later ends with the reason "interrupted". A blocked answer counts as an
        answer. Raises the last `ModelError` when no model said anything.
        """
        failed: ModelError = ModelUnavailable("none", "no model is assigned")
        deadline = time.monotonic() + whole_s  # of all models together: a turn has one lease
        for choice in assignment.choices:
            spoken, said, meter = Spoken(), False, _Meter(assignment.task, choice)
            try:
                with _failure_kept(meter, uses):
                    pieces = self._language(choice).stream(prompt, choice, piece_s)
                    async with aclosing(_until(deadline, pieces)) as timed:
                        async for piece in timed:
                            if isinstance(piece, Finish):
                                finish, meter.usage = piece, piece.usage
                                break
                            if text := spoken.feed(piece):
                                said = True
                                yield text
                        else:
                            raise ModelUnavailable(choice.model, "the stream had no end")
                    if text := spoken.rest():
                        said = True
                        yield text
                    _require_an_answer(finish, said, choice)
            except ModelError as error:
                failed = error
                telemetry.setback("model_failed", task=assignment.task, code=failed.code)
            else:
                uses.append(meter.read(finish.reason))
                yield finish
                return
            if said:
                yield Finish("interrupted", Usage(), choice.model)
                return
        raise failed

    async def structured(
        self,
        assignment: Assignment,
        prompt: StructuredPrompt,
        timeout_s: float,
        uses: list[ModelUse],
    ) -> StructuredReply:
        """Ask for one JSON answer, for `timeout_s` seconds of each model in turn.

        Raises the last `ModelError` when every model failed.
        """
        failed: ModelError = ModelUnavailable("none", "no model is assigned")
        for choice in assignment.choices:
            meter = _Meter(assignment.task, choice)
            try:
                with _failure_kept(meter, uses):
                    async with asyncio.timeout(timeout_s):
                        reply = await self._language(choice).structured(prompt, choice, timeout_s)
            except ModelError as error:
                failed = error
                telemetry.setback("model_failed", task=assignment.task, code=failed.code)
            else:
                meter.usage = reply.usage
                uses.append(meter.read("ok"))
                return reply
        raise failed

    async def embed(
        self,
        assignment: Assignment,
        texts: Sequence[str],
        purpose: Purpose,
        timeout_s: float,
        uses: list[ModelUse],
    ) -> Embeddings:
        """Embed texts in one try with the task's first model alone, since vectors of two models
        cannot be compared.

        Texts are embedded as they are meant to be read: syllables that were typed in pieces are
        composed before. Raises `ModelError`.
        """
        if not assignment.choices:
            raise ModelUnavailable("none", "no model is assigned")
        choice = assignment.choices[0]
        meter, read = _Meter("EMBEDDING", choice), [composed(text) for text in texts]
        with _failure_kept(meter, uses):
            async with asyncio.timeout(timeout_s):
                embeddings = await self._embedder(choice).embed(read, purpose, choice, timeout_s)
            if any(len(vector) > self._widest for vector in embeddings.vectors):
                raise ModelMalformed(choice.model, "its vectors are wider than the database's")
        meter.usage = embeddings.usage
        uses.append(meter.read("ok"))
        return embeddings

    def _language(self, choice: ModelChoice) -> LanguageModel:
        if choice.provider not in self._languages:
            raise ModelUnavailable(choice.model, f"provider {choice.provider} is not configured")
        return self._languages[choice.provider]

    def _embedder(self, choice: ModelChoice) -> Embedder:
        if choice.provider not in self._embedders:
            raise ModelUnavailable(choice.model, f"provider {choice.provider} is not configured")
        return self._embedders[choice.provider]


async def _until(
    deadline: float, pieces: AsyncGenerator[str | Finish, None]
) -> AsyncGenerator[str | Finish, None]:
    """The pieces that come before `deadline`, a time of the monotonic clock.

    Raises TimeoutError when it has passed. Only the waits are timed: a timeout held across a
    `yield` would cancel whoever listens.
    """
    async with aclosing(pieces):
        while True:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                piece = await anext(pieces, None)
            if piece is None:
                return
            yield piece


def _require_an_answer(finish: Finish, said: bool, choice: ModelChoice) -> None:
    """Raise a `ModelError` for an end without a word, unless the model refused: it was paid for."""
    if said or finish.reason == "blocked":
        return
    if finish.reason == "length":
        raise ModelTruncated(choice.model, "the output limit came before any text")
    raise ModelMalformed(choice.model, "an empty answer")


class _Meter:
    """Times one call; `usage` is what it is known to have cost."""

    def __init__(self, task: Task, choice: ModelChoice) -> None:
        self.choice = choice
        self.usage = Usage()
        self._task = task
        self._start = time.monotonic()

    def read(self, outcome: str) -> ModelUse:
        took = round((time.monotonic() - self._start) * 1000)
        choice = self.choice
        return ModelUse(self._task, choice.provider, choice.model, self.usage, took, outcome)


@contextmanager
def _failure_kept(meter: _Meter, uses: list[ModelUse]) -> Iterator[None]:
    """Keep what a call cost that failed, raised as a `ModelError`, or that its caller gave up."""
    try:
        yield
    except (asyncio.CancelledError, GeneratorExit):
        uses.append(meter.read(_GIVEN_UP))
        raise
    except (ModelError, TimeoutError) as error:
        failed = error if isinstance(error, ModelError) else ModelTimeout(meter.choice.model)
        uses.append(meter.read(failed.code))
        raise failed from error
