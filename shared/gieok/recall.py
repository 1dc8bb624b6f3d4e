"""Find what a character remembers for a question.

Every rung of the ladder of fallbacks has the same scope: the query that finds candidates.
"""

from collections.abc import Sequence

from gieok import keywords, telemetry
from gieok.cells import open_memory
from gieok.crypto import UserCipher
from gieok.engine import Engine
from gieok.errors import DecryptionFailed, ModelError
from gieok.store.database import Query
from gieok.store.memories import Found, recall_memories
from gieok.types import (
    Assignment,
    Embeddings,
    ModelUse,
    Recalled,
    Recollection,
    Scope,
)


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
    cipher: UserCipher, found: Sequence[Found], embedded: Embeddings | None
) -> Recollection:
    """Decrypt what was found; an unreadable memory is dropped and counted."""
    recalled = [opened for opened in (_open(cipher, one) for one in found) if opened]
    dropped = len(found) - len(recalled)
    if embedded is None:
        return Recollection("degraded", "no_query_vector", tuple(recalled), dropped)
    if dropped:
        return Recollection("degraded", "undecryptable", tuple(recalled), dropped)
    return Recollection("ok", "always", tuple(recalled))


def _open(cipher: UserCipher, found: Found) -> Recalled | None:
    try:
        return Recalled(open_memory(cipher, found.memory), found.why)
    except DecryptionFailed:
        telemetry.setback("undecryptable_memory", memory_id=str(found.memory.id))
        return None
