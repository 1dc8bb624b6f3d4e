"""Change a memory as its user wants it, in one step; its old words are kept as history alone.

With another text go the old one's vectors and digests, its details, and what its window left
besides: facts and relationship versions. Which of them the new text still bears out, no rule could
tell: a "not" that came in takes back as much as a word that went.

The new text is embedded before the transaction. An edit that comes in between has moved the
memory's version: then this one starts over from what stands. A backfill of vectors that read the
old text meets the new version and writes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from unicodedata import normalize
from uuid import UUID

from gieok import telemetry
from gieok.calls import ModelUse, Vector
from gieok.engine import Engine
from gieok.errors import BadRequest, Conflict, NotFound
from gieok.extraction.answer import SUMMARY_CHARS
from gieok.generation.hints import hint
from gieok.indexing import keywords
from gieok.indexing.content import Content, indexed
from gieok.indexing.embedding import Patience, embed_document
from gieok.language.text import clean
from gieok.privacy.cells import earlier_summary_cell, open_memory, seal_details, seal_summary
from gieok.privacy.cipher import UserCipher
from gieok.privacy.ciphers import cipher_of
from gieok.privacy.open_or_drop import open_or_drop
from gieok.store import keys, memory_versions, operations, relationships
from gieok.store.database import Query
from gieok.store.memory_versions import SealedAmendment, StoredMemory
from gieok.store.operations import Assignments
from gieok.types import KeyDetail, Memory, Scope, UserId

TRIES = 4
"""Of one change, while others change the same memory."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """What to change of a memory; None leaves it as it is.

    `details` are those to keep of the ones it has. Another summary keeps those alone that are
    given.
    """

    summary: str | None = None
    importance: int | None = None
    pinned: bool | None = None
    muted: bool | None = None
    details: tuple[KeyDetail, ...] | None = None

    def applied_to(self, memory: Memory) -> Memory:
        """The memory as it is to be. Raises `BadRequest` for a detail that it does not have."""
        given = {n: getattr(self, n) for n in ("importance", "pinned", "muted")}
        changed: dict[str, Any] = {n: value for n, value in given.items() if value is not None}
        # A model's text need not be composed, as a user's is.
        if self.summary not in (None, normalize("NFC", memory.summary)):
            changed |= {"summary": self.summary, "details": ()}
        if self.details is not None:
            changed["details"] = self._kept(memory)
        return replace(memory, **changed)

    def _kept(self, memory: Memory) -> tuple[KeyDetail, ...]:
        kept = set(self.details or ())
        if not kept <= set(memory.details):
            raise BadRequest("details: one that the memory does not have")
        return tuple(d for d in memory.details if d in kept)


async def amend_memory(
    engine: Engine, user_id: UserId, memory_id: UUID, amendment: Amendment
) -> Memory:
    """The changed memory. What it already is, is not done again.

    Another text or importance makes a version. Without a vector in time the new text is found by
    its words alone until the worker has made one.
    Raises `NotFound`, `InvalidText`, `BadRequest`, `RateLimited`, and `Conflict` when others kept
    changing it.
    """
    if amendment.summary is not None:
        await engine.within_limits(user_id, "search")
        amendment = replace(amendment, summary=clean(amendment.summary, SUMMARY_CHARS, "summary"))
    work = _Work(engine, user_id, amendment)
    for _ in range(TRIES):
        now = await _read(work, memory_id)
        wanted = amendment.applied_to(now.memory)
        held = amendment.importance is None or now.stored.weighed
        if (wanted == now.memory and held) or await _write(work, now, wanted):
            return wanted
    raise Conflict("the memory is being changed")


@dataclass(slots=True)
class _Work:
    """A change under way. `vectors` are those of summaries that were embedded for it, by model."""

    engine: Engine
    user_id: UserId
    amendment: Amendment
    vectors: dict[str, Mapping[str, Vector]] = field(default_factory=dict)
    uses: list[ModelUse] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Present:
    """A memory as it stands."""

    stored: StoredMemory
    memory: Memory
    cipher: UserCipher
    assignments: Assignments


async def _read(work: _Work, memory_id: UUID) -> _Present:
    user_id = work.user_id
    one, key = memory_versions.read_memory(user_id, memory_id), keys.read_user_key(user_id)
    assignments = operations.read_assignments()
    got = await work.engine.database.run(user_id, one, key, assignments)
    stored = got[one]
    if stored is None:
        raise NotFound("memory")
    cipher = await cipher_of(work.engine.database, work.engine.keyring, user_id, got[key])
    memory = open_or_drop("memory", open_memory, cipher, stored.sealed, memory_id=memory_id)
    if memory is None:
        raise NotFound("memory")
    return _Present(stored, memory, cipher, got[assignments])


async def _write(work: _Work, now: _Present, wanted: Memory) -> bool:
    """Write all of it, or nothing when another version stands by now."""
    sealed = _sealed(work.amendment, now, wanted)
    amended = memory_versions.amend_memory(work.user_id, sealed)
    batch: list[Query[object]] = [amended]
    scope, complete = Scope(work.user_id, now.stored.sealed.character_ids), True
    if sealed.summary is not None:
        vectors = await _embedded(work, now.assignments, wanted.summary)
        follows = _retold(work, now.cipher, wanted, sealed.summary, vectors)
        batch = [relationships.lock_fences(scope), amended, *follows]
        complete = _meets_questions(vectors, now.assignments)
    batch.append(operations.record_usage(work.user_id, work.uses))
    written = (await work.engine.database.run(work.user_id, *batch))[amended]
    work.uses.clear()
    if written and not complete:
        await hint(work.engine.queue, scope)
    return written


def _meets_questions(vectors: Mapping[str, Vector], assignments: Assignments) -> bool:
    """Whether questions can meet the new text; if not, the worker is to make its vector."""
    asked = assignments.of("EMBEDDING").choices[:1]
    return any(choice.model in vectors for choice in asked)


def _sealed(given: Amendment, now: _Present, wanted: Memory) -> SealedAmendment:
    memory, version, cipher = now.memory, now.stored.version, now.cipher
    retold, trimmed = wanted.summary != memory.summary, wanted.details != memory.details
    edited = retold or trimmed or wanted.importance != memory.importance
    earlier = earlier_summary_cell(memory.id, version)
    return SealedAmendment(
        memory_id=memory.id,
        version=version,
        summary=seal_summary(cipher, memory.id, wanted.summary) if retold else None,
        details=seal_details(cipher, memory.id, wanted.details) if trimmed else None,
        importance=wanted.importance,
        pinned=given.pinned,
        muted=given.muted,
        reworded=retold or trimmed,
        weighed=given.importance is not None,
        earlier=cipher.seal_deflated(earlier, memory.summary) if edited else None,
        earlier_importance=memory.importance,
    )


def _retold(
    work: _Work, cipher: UserCipher, wanted: Memory, summary: bytes, vectors: Mapping[str, Vector]
) -> list[Query[object]]:
    """What follows from another text, where `summary` is what the memory says by now.

    It is indexed by its own content words. An extraction chooses search terms, but here there is
    none, and the old ones may be just what the user took back.
    """
    content = Content(wanted.summary, search_terms=keywords.terms_of(wanted.summary))
    terms = indexed(content, work.engine.policy.index)
    digests = keywords.index_terms(terms, cipher.index_key)
    if not digests:
        telemetry.setback("memory_without_search_terms", memory_id=str(wanted.id))
    user_id, width = work.user_id, work.engine.vector_width
    return [
        relationships.invalidate_derived(user_id, [wanted.id], saying=summary),
        memory_versions.reindex_memory(user_id, wanted.id, summary, digests, vectors, width),
    ]


async def _embedded(work: _Work, assignments: Assignments, summary: str) -> Mapping[str, Vector]:
    """The text's vectors by model, in one short try each; a failed model is left out."""
    if summary not in work.vectors:
        patience = Patience(work.engine.policy.generation.edit_embedding_s)
        work.vectors[summary] = await embed_document(
            work.engine, assignments.of("EMBEDDING"), (summary,), patience, work.uses
        )
    return work.vectors[summary]
