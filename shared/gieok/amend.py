"""Change a memory as its user wants it: text, vectors and digests in one step, old words kept.

The new text is embedded before the transaction. An edit that comes in between has moved the
memory's version: then this one starts over from what stands. A refill of vectors that read the old
text meets the new version and writes nothing.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from uuid import UUID

from gieok import keywords, telemetry
from gieok.cells import earlier_summary_cell, open_memory, summary_cell
from gieok.claim import cipher_of
from gieok.crypto import UserCipher
from gieok.embedding import Patience, embed_documents
from gieok.engine import Engine
from gieok.errors import Conflict, DecryptionFailed, NotFound
from gieok.extraction import SUMMARY_CHARS
from gieok.hint import hint
from gieok.store import keys, memory_versions, operations
from gieok.store.database import Query
from gieok.store.memory_versions import SealedAmendment, StoredMemory
from gieok.store.operations import Assignments
from gieok.text import clean
from gieok.types import Memory, ModelUse, Scope, UserId, Vector

TRIES = 4
"""Of one change, while others change the same memory."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """What to change of a memory; None leaves it as it is."""

    summary: str | None = None
    importance: int | None = None
    pinned: bool | None = None
    muted: bool | None = None

    def applied_to(self, memory: Memory) -> Memory:
        """The memory as it is to be."""
        return replace(memory, **{k: v for k, v in asdict(self).items() if v is not None})


async def amend_memory(
    engine: Engine, user_id: UserId, memory_id: UUID, amendment: Amendment
) -> Memory:
    """The changed memory. What it already is, is not done again.

    Another text or importance makes a version. Without a vector in time the new text is found by
    its words alone until the worker has made one.
    Raises `NotFound`, `InvalidText`, and `Conflict` when others kept changing it.
    """
    if amendment.summary is not None:
        amendment = replace(amendment, summary=clean(amendment.summary, SUMMARY_CHARS, "summary"))
    work = _Work(engine, user_id, amendment)
    for _ in range(TRIES):
        now = await _read(work, memory_id)
        wanted = amendment.applied_to(now.memory)
        if wanted == now.memory or await _write(work, now, wanted):
            return wanted
    raise Conflict("the memory is being changed")


@dataclass(slots=True)
class _Work:
    """A change under way. `vectors` are the new text's by model, None before it was embedded."""

    engine: Engine
    user_id: UserId
    amendment: Amendment
    vectors: Mapping[str, Vector] | None = None
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
    cipher = await cipher_of(work.engine, user_id, got[key])
    try:
        return _Present(stored, open_memory(cipher, stored.sealed), cipher, got[assignments])
    except DecryptionFailed:
        telemetry.setback("undecryptable_memory", memory_id=str(memory_id))
        raise NotFound("memory") from None


async def _write(work: _Work, now: _Present, wanted: Memory) -> bool:
    """Write all of it, or nothing when another version stands by now."""
    reworded = wanted.summary != now.memory.summary
    if reworded and work.vectors is None:
        work.vectors = await _embed(work, now.assignments, wanted.summary)
    sealed = _sealed(work.amendment, now, wanted)
    amended = memory_versions.amend_memory(work.user_id, sealed)
    batch: list[Query[object]] = [amended]
    if sealed.summary is not None:
        batch.append(_reindexed(work, now.cipher, wanted, sealed.summary))
    batch.append(operations.record_usage(work.user_id, work.uses))
    written = (await work.engine.database.run(work.user_id, *batch))[amended]
    work.uses.clear()
    if written and reworded and not _embedded(work, now.assignments):
        await hint(work.engine, Scope(work.user_id, now.stored.sealed.character_ids))
    return written


def _embedded(work: _Work, assignments: Assignments) -> bool:
    """Whether questions can meet the new text; if not, the worker is to make its vector."""
    asked = assignments.of("EMBEDDING").choices[:1]
    return any(choice.model in (work.vectors or {}) for choice in asked)


def _sealed(given: Amendment, now: _Present, wanted: Memory) -> SealedAmendment:
    memory, version, cipher = now.memory, now.stored.version, now.cipher
    reworded = wanted.summary != memory.summary
    edited = reworded or wanted.importance != memory.importance
    earlier = earlier_summary_cell(memory.id, version)
    return SealedAmendment(
        memory_id=memory.id,
        version=version,
        summary=cipher.seal(summary_cell(memory.id), wanted.summary) if reworded else None,
        importance=wanted.importance,
        pinned=given.pinned,
        muted=given.muted,
        earlier=cipher.seal(earlier, memory.summary) if edited else None,
        earlier_importance=memory.importance,
    )


def _reindexed(work: _Work, cipher: UserCipher, wanted: Memory, summary: bytes) -> Query[None]:
    digests = keywords.index_terms(keywords.terms_of(wanted.summary), cipher.index_key)
    if not digests:
        telemetry.setback("memory_without_search_terms", memory_id=str(wanted.id))
    return memory_versions.reindex_memory(
        work.user_id, wanted.id, summary, digests, work.vectors or {}, work.engine.vector_width
    )


async def _embed(work: _Work, assignments: Assignments, summary: str) -> Mapping[str, Vector]:
    """The text's vectors by model, in one short try each; a failed model is left out."""
    patience = Patience(work.engine.policy.generation.edit_embedding_s)
    made = await embed_documents(
        work.engine, assignments.of("EMBEDDING"), [summary], patience, work.uses
    )
    return {model: vectors[0] for model, vectors in made.items()}
