"""Language models and embedders that say what a test tells them to."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from itertools import pairwise

from gieok.calls import (
    Embeddings,
    Finish,
    ModelChoice,
    Prompt,
    Purpose,
    StructuredPrompt,
    StructuredReply,
    Usage,
)

USAGE = Usage(prompt=11, completion=7, thoughts=0, total=18)


class Provider:
    """Nothing to load and nothing to close."""

    def preload(self) -> None:
        """See `ports.Provider`."""

    async def aclose(self) -> None:
        """See `ports.Provider`."""


class Speaker(Provider):
    """Says `pieces` one by one; an exception among them is raised. Keeps its prompts."""

    def __init__(self, *pieces: str | Finish | Exception) -> None:
        self.pieces = pieces or ("그랬구나. ", "잘 들었어!", Finish("stop", USAGE, "speaker-1"))
        self.extract: Callable[[StructuredPrompt], str] = lambda prompt: "{}"
        self.on_stream: Callable[[], object] = lambda: None
        self.during_extraction: Callable[[StructuredPrompt], Awaitable[None]] = _at_once
        self.prompts: list[Prompt] = []
        self.extractions: list[StructuredPrompt] = []

    async def stream(
        self, prompt: Prompt, choice: ModelChoice, timeout_s: float
    ) -> AsyncGenerator[str | Finish, None]:
        """See `ports.LanguageModel`."""
        self.prompts.append(prompt)
        self.on_stream()
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def structured(
        self, prompt: StructuredPrompt, choice: ModelChoice, timeout_s: float
    ) -> StructuredReply:
        """See `ports.LanguageModel`."""
        self.extractions.append(prompt)
        await self.during_extraction(prompt)
        return StructuredReply(self.extract(prompt), USAGE, choice.model)


async def _at_once(prompt: StructuredPrompt) -> None:
    """Nothing happens meanwhile."""


class Hashes(Provider):
    """Vectors from letters: texts that share letter pairs are near. Fails while `error` is set."""

    WIDTH = 64

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.calls = 0

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """See `ports.Embedder`."""
        self.calls += 1
        if self.error:
            raise self.error
        return Embeddings(tuple(_vector(t) for t in texts), Usage(), choice.model)


def _vector(text: str) -> tuple[float, ...]:
    values = [1e-6] * Hashes.WIDTH
    for pair in pairwise(text):
        values[hashlib.sha256("".join(pair).encode()).digest()[0] % Hashes.WIDTH] += 1.0
    length = sum(v * v for v in values) ** 0.5
    return tuple(v / length for v in values)


class Slow(Provider):
    """An embedder that answers when it is let."""

    def __init__(self, embedder: Hashes) -> None:
        self._embedder = embedder
        self.asked, self.answer = asyncio.Event(), asyncio.Event()

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """See `ports.Embedder`."""
        self.asked.set()
        await self.answer.wait()
        return await self._embedder.embed(texts, purpose, choice, timeout_s)
