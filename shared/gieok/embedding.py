"""Vectors of documents, by every model that is to have them."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from gieok import telemetry
from gieok.engine import Engine
from gieok.errors import ModelError
from gieok.policy import GenerationPolicy
from gieok.types import Assignment, Embeddings, ModelUse, Vector


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to try: seconds of one try, the waits between tries, and of all together."""

    try_s: float
    waits_s: tuple[float, ...] = ()
    whole_s: float = 0.0


def of_policy(policy: GenerationPolicy) -> Patience:
    """What a window's own vector is worth."""
    return Patience(policy.embedding_s, policy.embedding_retries_s, policy.embedding_patience_s)


async def embed_documents(
    engine: Engine,
    assignment: Assignment,
    texts: Sequence[str],
    patience: Patience,
    uses: list[ModelUse],
) -> dict[str, tuple[Vector, ...]]:
    """One vector per text, in order, by model: the task's, and the one that is to take over.

    One call each and try. A model that fails in spite of all patience (counted) is left out.
    """
    models = [Assignment("EMBEDDING", assignment.choices[:1])]
    if assignment.next:
        models.append(Assignment("EMBEDDING", (assignment.next,)))
    made = await asyncio.gather(*(_patiently(engine, m, texts, patience, uses) for m in models))
    return {m.model: m.vectors for m in made if m}


async def _patiently(
    engine: Engine,
    assignment: Assignment,
    texts: Sequence[str],
    patience: Patience,
    uses: list[ModelUse],
) -> Embeddings | None:
    until = time.monotonic() + patience.whole_s
    for wait in (*patience.waits_s, None):
        try:
            return await engine.models.embed(assignment, texts, "document", patience.try_s, uses)
        except ModelError as error:
            telemetry.setback("document_embedding_failed", code=error.code)
            late = wait is not None and time.monotonic() + wait + patience.try_s > until
            if wait is None or late or not error.retryable:
                break
            await asyncio.sleep(wait)
    return None
