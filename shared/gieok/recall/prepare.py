"""Make a message ready to be searched for: its words, its vector, and a rewrite where it asks for
one."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gieok import telemetry
from gieok.calls import Embeddings, ModelUse
from gieok.engine import Engine
from gieok.errors import ModelError
from gieok.indexing.embedding import mean
from gieok.policy import RecallPolicy
from gieok.privacy.cipher import UserCipher
from gieok.recall.past_questions import asks_about_the_past
from gieok.recall.question import retrieval_query
from gieok.recall.rewriting import Rewriting, rewrite
from gieok.store.operations import Assignments
from gieok.types import Locale, Scope

OFF = Rewriting("off")


@dataclass(frozen=True, slots=True)
class Asked:
    """A message, what its user said before it (oldest first), and whose memories it may stir."""

    scope: Scope
    cipher: UserCipher
    assignments: Assignments
    message: str
    locale: Locale
    said_before: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is searched for: words to look up, and a vector to compare, None when there is none."""

    words: str
    embedded: Embeddings | None
    rewriting: Rewriting = OFF


def is_rewritten(asked: Asked, policy: RecallPolicy) -> bool:
    """Whether a rewriting is to be tried for a message."""
    return policy.rewrite == "when_asked" and asks_about_the_past(asked.message)


async def prepare(engine: Engine, asked: Asked, uses: list[ModelUse]) -> Prepared:
    """The message as it is searched for.

    A rewriting runs beside the embedding of the question, and its statements are embedded after it;
    whatever fails of it, the question's own words and vector are there.
    """
    policy = engine.policy.recall
    words = retrieval_query(asked.message, asked.said_before, policy)
    own = embed_question(engine, asked.assignments, [words], uses)
    if not is_rewritten(asked, policy):
        rewriting = OFF if policy.rewrite == "never" else Rewriting("not_asked")
        return Prepared(words, await own, rewriting)
    restating = rewrite(engine, asked.assignments.of("QUERY"), words, asked.locale, uses)
    async with asyncio.TaskGroup() as both:  # what fails unforeseen leaves nothing running
        embedding, rewritten = both.create_task(own), both.create_task(restating)
    embedded, rewriting = embedding.result(), rewritten.result()
    statements = rewriting.rewrite.statements
    if embedded and statements:
        stated = await embed_question(engine, asked.assignments, statements, uses)
        embedded = _of_one_meaning(embedded, stated)
    return Prepared(words, embedded, rewriting)


async def embed_question(
    engine: Engine, assignments: Assignments, texts: Sequence[str], uses: list[ModelUse]
) -> Embeddings | None:
    """The vectors of a question's texts, in one short try; None (counted) when there are none in
    time."""
    assignment, limit = assignments.of("EMBEDDING"), engine.policy.recall.query_embedding_s
    try:
        return await engine.models.embed(assignment, texts, "query", limit, uses)
    except ModelError as error:
        telemetry.setback("query_embedding_failed", code=error.code)
        return None


def _of_one_meaning(own: Embeddings, stated: Embeddings | None) -> Embeddings:
    """The question's vector with those of its statements in it."""
    vectors = (*own.vectors, *(stated.vectors if stated else ()))
    return replace(own, vectors=(mean(vectors),))
