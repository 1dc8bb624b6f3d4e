"""Find what a character remembers for a message: a turn's recall, and that of a preview.

Every rung of the ladder of fallbacks has the same scope: the query that finds candidates.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from gieok import telemetry
from gieok.calls import Assignment, Embeddings, ModelUse
from gieok.engine import Engine
from gieok.errors import DatabaseUnavailable, ModelError
from gieok.indexing import keywords
from gieok.privacy.cells import open_memory
from gieok.privacy.cipher import UserCipher
from gieok.privacy.open_or_drop import open_or_drop
from gieok.recall.diversity import each_once
from gieok.recall.question import retrieval_query
from gieok.store.database import Query
from gieok.store.memories import Found, recall_memories
from gieok.store.vectors import has_missing_vectors
from gieok.types import Recalled, Recollection, Scope


@dataclass(frozen=True, slots=True)
class Asked:
    """A message, what its user said before it (oldest first), and whose memories it may stir."""

    scope: Scope
    cipher: UserCipher
    embedding: Assignment
    message: str
    said_before: Sequence[str] = ()


async def recall(
    engine: Engine, asked: Asked, uses: list[ModelUse], alongside: Sequence[Query[None]] = ()
) -> Recollection:
    """What the message brings to mind, within the policy's deadline; never an error.

    One round trip, with `alongside` before it in its transaction. After "failed" those may or may
    not have run; run them again.
    """
    try:
        async with asyncio.timeout(engine.policy.recall.deadline_s):
            found = await _recall(engine, asked, uses, alongside)
    except TimeoutError:
        return _failed("deadline")
    except DatabaseUnavailable:
        return _failed("database")
    except Exception as error:  # noqa: BLE001 - the ladder's last rung: a turn outlives its recall
        telemetry.failure("recall_crashed", error)
        return _failed("unexpected")
    if found.status == "degraded":
        telemetry.setback("recall_degraded", reason=found.reason)
    return found


def _failed(reason: str) -> Recollection:
    telemetry.setback("recall_failed", reason=reason)
    return Recollection("failed", reason)


async def _recall(
    engine: Engine, asked: Asked, uses: list[ModelUse], alongside: Sequence[Query[None]]
) -> Recollection:
    scope, cipher = asked.scope, asked.cipher
    question = retrieval_query(asked.message, asked.said_before, engine.policy.recall)
    embedded = await embed_question(engine, asked.embedding, question, uses)
    candidates = query_for(engine, scope, cipher, question, embedded)
    missing = has_missing_vectors(scope, embedded.model if embedded else "")
    got = await engine.database.run(scope.user_id, *alongside, candidates, missing)
    limit = engine.policy.recall.limit
    return conclude(cipher, got[candidates], embedded, limit, missing=got[missing])


async def embed_question(
    engine: Engine, assignment: Assignment, question: str, uses: list[ModelUse]
) -> Embeddings | None:
    """The question's vector, in one short try; None (counted) when there is none in time."""
    limit = engine.policy.recall.query_embedding_s
    try:
        return await engine.models.embed(assignment, [question], "query", limit, uses)
    except ModelError as error:
        telemetry.setback("query_embedding_failed", code=error.code)
        return None


def query_for(
    engine: Engine,
    scope: Scope,
    cipher: UserCipher,
    question: str,
    embedded: Embeddings | None,
) -> Query[list[Found]]:
    """The one query of a recall, to run alone or in a batch with others."""
    digests = keywords.query_digests(
        question, cipher.index_key, limit=engine.policy.recall.query_terms
    )
    return recall_memories(
        scope,
        embedded.vectors[0] if embedded else None,
        embedded.model if embedded else "",
        engine.vector_width,
        digests,
        engine.policy.recall,
    )


def conclude(
    cipher: UserCipher,
    found: Sequence[Found],
    embedded: Embeddings | None,
    limit: int,
    *,
    missing: bool = False,
) -> Recollection:
    """Decrypt what was found, take at most `limit` that differ, and say what they were found by.

    An unreadable memory is dropped and counted. "vectors_missing" (`missing`): the question has a
    vector, but a live memory has none of its model, so that its meaning was not compared: the
    assignment was changed by hand, or its embedding has failed so far. That cannot be seen in what
    was found: words may outrank every vector, and where nothing was found there may be nothing.
    """
    opened = (open_or_drop("memory", _open, cipher, f, memory_id=f.memory.id) for f in found)
    readable = [one for one in opened if one]
    dropped, recalled = len(found) - len(readable), each_once(readable, limit)
    if embedded is None:
        return Recollection("degraded", "no_query_vector", recalled, dropped)
    if missing:
        return Recollection("degraded", "vectors_missing", recalled, dropped)
    if dropped:
        return Recollection("degraded", "undecryptable", recalled, dropped)
    return Recollection("ok", "always", recalled)


def _open(cipher: UserCipher, found: Found) -> Recalled:
    return Recalled(open_memory(cipher, found.memory), found.why)
