"""Vectors of documents, by every model that is to have them."""

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from gieok import telemetry
from gieok.calls import HARMLESS, Assignment, ModelChoice, ModelUse, Vector
from gieok.engine import Engine
from gieok.errors import ModelBlocked, ModelError, ModelMalformed, ModelRejected
from gieok.policy import GenerationPolicy

Document = Sequence[str]
"""The texts, one or more, whose mean vector a memory has; the first is its summary."""

_LEAST_TRY = 0.2
"""Share of a try's seconds that the last one must still have: most answers come in less."""
_LEAST_NORM = 1e-6
"""Length of a sum of unit vectors that still has a direction."""

_REFUSALS = (ModelBlocked, ModelRejected, ModelMalformed)
"""Errors that a single text can bring about; any other one says that the model is away."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to try, in seconds: one try, the waits between tries, and all together.

    The last of these also bounds how long a refused batch is halved to find the texts in it that
    can be embedded.
    """

    try_s: float
    waits_s: tuple[float, ...] = ()
    whole_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Made:
    """What a model made of texts or documents, by place: their vectors, and which it refuses.

    A place that is in neither was left out: the model was away, or patience ended.
    """

    vectors: dict[int, Vector] = field(default_factory=dict)
    refused: set[int] = field(default_factory=set)

    @property
    def count(self) -> int:
        """How many texts are done with."""
        return len(self.vectors) + len(self.refused)


def of_policy(policy: GenerationPolicy) -> Patience:
    """How long the vector of a new memory is tried for."""
    return Patience(policy.embedding_s, policy.embedding_retries_s, policy.embedding_patience_s)


async def embed_document(
    engine: Engine,
    assignment: Assignment,
    document: Document,
    patience: Patience,
    uses: list[ModelUse],
) -> dict[str, Vector]:
    """A document's vector by model: by the task's model, and by the one that is to take over.

    Each try is one call to each model. A model that fails in spite of all patience is counted and
    left out.
    """

    async def ask(choice: ModelChoice) -> tuple[str, Vector] | None:
        try:
            vectors = await _Asking(engine, choice, patience, uses).vectors(document)
        except ModelError:
            return None
        return choice.model, mean(vectors)

    return dict(m for m in await asyncio.gather(*map(ask, _choices(assignment))) if m)


async def embed_documents(
    engine: Engine,
    assignment: Assignment,
    documents: Sequence[Document],
    patience: Patience,
    uses: list[ModelUse],
) -> dict[str, Made]:
    """What each of the same models makes of many documents.

    All their texts go into one call. When they are refused though the model embeds something else,
    the batch is halved until the refused texts are found and counted, and all others have their
    vectors. A document is refused when its summary is; another text of it is then done without.
    """
    texts = [text for document in documents for text in document]
    batches = [
        _Batch(_Asking(engine, choice, patience, uses), texts) for choice in _choices(assignment)
    ]
    await asyncio.gather(*(batch.embed(range(len(texts))) for batch in batches))
    return {batch.asking.choice.model: _folded(batch.made, documents) for batch in batches}


def _folded(made: Made, documents: Sequence[Document]) -> Made:
    """What was made of texts as what was made of the documents they belong to."""
    folded, first = Made(), 0
    for place, document in enumerate(documents):
        texts = range(first, first + len(document))
        first = texts.stop
        if texts[0] in made.refused:
            folded.refused.add(place)
        elif all(text in made.vectors or text in made.refused for text in texts):
            folded.vectors[place] = mean([made.vectors[t] for t in texts if t in made.vectors])
    return folded


def mean(vectors: Sequence[Vector]) -> Vector:
    """The mean of unit vectors, scaled to length 1; the first where they cancel each other out."""
    summed = [math.fsum(components) for components in zip(*vectors, strict=True)]
    norm = math.hypot(*summed)
    return tuple(x / norm for x in summed) if norm > _LEAST_NORM else vectors[0]


def _choices(assignment: Assignment) -> list[ModelChoice]:
    return [*assignment.choices[:1], *([assignment.next] if assignment.next else [])]


@dataclass(frozen=True, slots=True)
class _Asking:
    """A model and the patience it is asked with."""

    engine: Engine
    choice: ModelChoice
    patience: Patience
    uses: list[ModelUse]

    async def vectors(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """The vectors, in as many tries as patience has. Raises the `ModelError` of the last
        one."""
        until, seconds = time.monotonic() + self.patience.whole_s, self.patience.try_s
        for wait in self.patience.waits_s:
            try:
                return await self._once(texts, seconds)
            except ModelError as error:
                left = until - time.monotonic() - wait
                if left < _LEAST_TRY * self.patience.try_s or not error.retryable:
                    raise
            await asyncio.sleep(wait)
            seconds = min(self.patience.try_s, left)
        return await self._once(texts, seconds)

    async def _once(self, texts: Sequence[str], seconds: float) -> tuple[Vector, ...]:
        """The vectors, in one try. Raises `ModelError`, which is counted."""
        model = Assignment("EMBEDDING", (self.choice,))
        try:
            made = await self.engine.models.embed(model, texts, "document", seconds, self.uses)
        except ModelError as error:
            telemetry.setback("document_embedding_failed", code=error.code)
            raise
        return made.vectors


class _Batch:
    """Some texts for one model, and what became of each while they were halved."""

    def __init__(self, asking: _Asking, texts: Sequence[str]) -> None:
        self.asking, self.made = asking, Made()
        self._texts = texts
        self._until = time.monotonic() + asking.patience.whole_s
        self._works: bool | None = None

    async def embed(self, places: range, *, second: bool = False) -> bool:
        """Embed a part of the texts; False when it is of no use to go on.

        `second` says that these texts were refused once already.
        """
        try:
            vectors = await self.asking.vectors([self._texts[p] for p in places])
        except _REFUSALS as error:
            return await self._go_on(places, error, second)
        except ModelError:
            return False
        self._works = True
        self.made.vectors.update(zip(places, vectors, strict=True))
        return True

    async def _go_on(self, places: range, error: ModelError, second: bool) -> bool:
        """Look for the text that is to blame, unless the model refuses everything."""
        if not await self._model_works():
            return False
        if len(places) > 1:
            half = len(places) // 2
            return await self._in_time(places[:half]) and await self._in_time(places[half:])
        if error.retryable and not second:
            return await self.embed(places, second=True)
        telemetry.setback("document_refused", code=error.code)
        self.made.refused.add(places[0])
        return True

    async def _in_time(self, places: range) -> bool:
        return time.monotonic() < self._until and await self.embed(places)

    async def _model_works(self) -> bool:
        """Whether the model embeds anything at all; it is asked once."""
        if self._works is None:
            try:
                await self.asking.vectors([HARMLESS])
                self._works = True
            except ModelError:
                self._works = False
        return self._works
