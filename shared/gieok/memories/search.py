"""Find a user's own memories by their words: both legs of recall, no decay, muted ones too.

For looking after memories and not for a prompt: what a character must not bring up has to be
found by whoever may want it back.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from gieok.calls import ModelUse
from gieok.engine import Engine
from gieok.indexing import keywords
from gieok.language.text import clean
from gieok.memories.read import readable
from gieok.privacy.ciphers import cipher_of
from gieok.recall.fusion import reciprocal_rank_fusion
from gieok.recall.prepare import embed_question
from gieok.store import keys, operations
from gieok.store.search import Hit, search_memories, search_misses_vectors
from gieok.types import Memory, UserId


@dataclass(frozen=True, slots=True)
class Found:
    """Memories, best first.

    `degraded`: the words were looked up, their meaning could not be compared with all there is.
    """

    memories: tuple[Memory, ...]
    degraded: bool


async def search(
    engine: Engine,
    user_id: UserId,
    words: str,
    character_id: UUID | None,
    session_id: UUID | None,
    limit: int,
) -> Found:
    """The best `limit` memories for the words, of one character or session when it is given.

    Meaning has no threshold: with few memories all are found, the best first. An unreadable one is
    left out and counted. Raises `InvalidText` for words that are blank or too long, `RateLimited`.
    """
    policy = engine.policy.recall
    words = clean(words, policy.query_chars, "q")
    await engine.within_limits(user_id, "search")
    key, assignments = keys.read_user_key(user_id), operations.read_assignments()
    got = await engine.database.run(user_id, key, assignments)
    if got[key] is None:
        return Found((), degraded=False)
    cipher, uses = (
        await cipher_of(engine.database, engine.keyring, user_id, got[key]),
        list[ModelUse](),
    )
    embedded = await embed_question(engine, got[assignments], [words], uses)
    model = embedded.model if embedded else ""
    missing = search_misses_vectors(user_id, character_id, session_id, model)
    query = search_memories(
        user_id,
        character_id,
        session_id,
        embedded.vectors[0] if embedded else None,
        model,
        engine.vector_width,
        keywords.query_digests(words, cipher.index_key, policy.query_terms),
        limit,
    )
    usage = operations.record_usage(user_id, uses)
    got = await engine.database.run(user_id, query, missing, usage)
    best = _ranked(got[query], policy.rrf_k)[:limit]
    degraded = embedded is None or got[missing]
    return Found(readable(cipher, (hit.memory for hit in best)), degraded)


def _ranked(hits: Sequence[Hit], k: int) -> list[Hit]:
    """Reciprocal rank fusion of the two legs; among equals the newest first."""
    by_id = {hit.memory.id: hit for hit in hits}
    legs = _leg(hits, lambda h: h.similarity), _leg(hits, lambda h: h.keyword_score)
    scores = reciprocal_rank_fusion(legs, k)
    return [by_id[one] for one in sorted(scores, key=lambda i: (scores[i], i), reverse=True)]


def _leg(hits: Sequence[Hit], score: Callable[[Hit], float | None]) -> list[UUID]:
    scored = [(s, h.memory.id) for h in hits if (s := score(h)) is not None]
    return [one for _, one in sorted(scored, reverse=True)]
