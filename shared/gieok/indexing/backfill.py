"""Make the vectors that could not be made when their memories were written."""

from collections.abc import Mapping, Sequence

from gieok import telemetry
from gieok.calls import ModelUse
from gieok.engine import Engine
from gieok.indexing.content import embedded
from gieok.indexing.embedding import Document, Made, Patience, embed_documents
from gieok.policy import IndexPolicy
from gieok.privacy.cells import open_asked_as, summary_cell
from gieok.privacy.cipher import UserCipher
from gieok.privacy.open_or_drop import open_or_drop
from gieok.store import keys, operations, relationships, vectors
from gieok.store.database import Query
from gieok.store.vectors import SealedDocument
from gieok.types import Scope, UserId


async def backfill(engine: Engine, scope: Scope) -> bool:
    """Embed one batch of the cast's memories that have no vector; whether there may be more.

    Each batch is tried once; what fails comes back after a wait that grows. A text that the model
    refuses holds up no other one: its memory is found by its words, until an edit or another model
    gives it a new try. Raises `DatabaseUnavailable`, `KeyServiceUnavailable`, and
    `DecryptionFailed` for a key that is not the user's.
    """
    policy, user, now = engine.policy.generation, scope.user_id, engine.clock.now()
    missing = vectors.read_due_backfill(scope, now, policy.backfill_batch)
    key, assignments = keys.read_user_key(user), operations.read_assignments()
    got = await engine.database.run(user, missing, key, assignments)
    stored = got[key]
    if not got[missing] or stored is None or stored.wrapped is None:
        return False
    cipher = await engine.keyring.open(user, stored.wrapped)
    found, documents = open_documents(cipher, got[missing], engine.policy.index)
    assignment, uses = got[assignments].of("EMBEDDING"), list[ModelUse]()
    patience = Patience(policy.embedding_s, whole_s=policy.backfill_s)
    made = await embed_documents(engine, assignment, documents, patience, uses) if found else {}
    added = add_vectors(user, found, made, engine.vector_width)
    model = assignment.choices[0].model if assignment.choices else ""
    mine = made.get(model, Made())
    refused = refuse_vectors(user, found, mine, model)
    delay = vectors.delay_backfill(scope, now, policy, failed=not mine.count)
    fences, usage = relationships.lock_fences(scope), operations.record_usage(user, uses)
    written = (await engine.database.run(user, fences, added, refused, delay, usage))[added]
    telemetry.event("vectors_backfilled", missing=len(got[missing]), written=written)
    more = len(got[missing]) == policy.backfill_batch or mine.count < len(found)
    return more and mine.count > 0


def add_vectors(
    user: UserId, found: Sequence[SealedDocument], made: Mapping[str, Made], width: int
) -> Query[int]:
    """Write what was made of the memories; how many memories were written."""
    by_model = {model: m.vectors for model, m in made.items()}
    return vectors.add_vectors(user, found, by_model, width)


def refuse_vectors(
    user: UserId, found: Sequence[SealedDocument], made: Made, model: str
) -> Query[None]:
    """Mark what the model refused, so that nobody waits for it."""
    return vectors.refuse_vectors(user, [found[i] for i in sorted(made.refused)], model)


def open_documents(
    cipher: UserCipher, sealed: Sequence[SealedDocument], policy: IndexPolicy
) -> tuple[list[SealedDocument], list[Document]]:
    """The memories that can be read, with what to embed; the others are dropped and counted."""
    opened = [(m, open_or_drop("memory", _open, cipher, m, policy, memory_id=m.id)) for m in sealed]
    readable = [(memory, document) for memory, document in opened if document is not None]
    return [memory for memory, _ in readable], [document for _, document in readable]


def _open(cipher: UserCipher, sealed: SealedDocument, policy: IndexPolicy) -> Document:
    summary = cipher.open(summary_cell(sealed.id), sealed.summary)
    return embedded(summary, open_asked_as(cipher, sealed.id, sealed.asked_as), policy)
