"""Find what a character remembers for a question: vector and keyword legs, decay, fusion, slots.

Every rung of the ladder of fallbacks has the same scope: the query that finds candidates.
"""

from collections.abc import Sequence

from gieok import keywords, ranking, telemetry
from gieok.cells import open_memory
from gieok.crypto import UserCipher
from gieok.engine import Engine
from gieok.errors import DecryptionFailed, ModelError
from gieok.store.database import Query
from gieok.store.memories import Candidate, recall_candidates
from gieok.types import (
    Assignment,
    Embeddings,
    Explanation,
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


def candidates_for(
    engine: Engine,
    scope: Scope,
    cipher: UserCipher,
    question: str,
    embedded: Embeddings | None,
) -> Query[list[Candidate]]:
    """The one query of a recall, to run alone or in a batch with others."""
    digests = keywords.query_digests(
        question, cipher.index_key, limit=engine.policy.recall.query_terms
    )
    return recall_candidates(
        scope,
        embedded.vectors[0] if embedded else None,
        embedded.model if embedded else "",
        engine.vector_width,
        digests,
        engine.policy.recall,
    )


def conclude(
    engine: Engine,
    cipher: UserCipher,
    candidates: Sequence[Candidate],
    embedded: Embeddings | None,
) -> Recollection:
    """Rank the candidates and decrypt the chosen; an unreadable one is dropped and counted."""
    by_id = {c.memory.id: c for c in candidates}
    recalled = []
    chosen = ranking.select(candidates, engine.policy.recall, has_vector=embedded is not None)
    for memory_id, why in chosen:
        opened = _open(cipher, by_id[memory_id], why)
        if opened:
            recalled.append(opened)
    dropped = len(chosen) - len(recalled)
    if embedded is None:
        return Recollection("degraded", "no_query_vector", tuple(recalled), dropped)
    if dropped:
        return Recollection("degraded", "undecryptable", tuple(recalled), dropped)
    return Recollection("ok", "always", tuple(recalled))


def _open(cipher: UserCipher, candidate: Candidate, why: Explanation) -> Recalled | None:
    try:
        return Recalled(open_memory(cipher, candidate.memory), why)
    except DecryptionFailed:
        telemetry.setback("undecryptable_memory", memory_id=str(candidate.memory.id))
        return None
