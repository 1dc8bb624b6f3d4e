"""Make the vectors that could not be made when their memories were written."""

from collections.abc import Mapping, Sequence

from gieok import telemetry
from gieok.calls import ModelUse
from gieok.engine import Engine
from gieok.indexing.embedding import Made, Patience, embed_documents
from gieok.privacy.cells import summary_cell
from gieok.privacy.cipher import UserCipher
from gieok.privacy.open_or_drop import open_or_drop
from gieok.store import keys, operations, vectors
from gieok.store.database import Query
from gieok.store.vectors import SealedSummary
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
    found, texts = open_summaries(cipher, got[missing])
    assignment, uses = got[assignments].of("EMBEDDING"), list[ModelUse]()
    patience = Patience(policy.embedding_s, whole_s=policy.backfill_s)
    made = await embed_documents(engine, assignment, texts, patience, uses) if texts else {}
    added = add_vectors(user, found, made, engine.vector_width)
    model = assignment.choices[0].model if assignment.choices else ""
    mine = made.get(model, Made())
    refused = refuse_vectors(user, found, mine, model)
    delay = vectors.delay_backfill(scope, now, policy, failed=not mine.count)
    usage = operations.record_usage(user, uses)
    written = (await engine.database.run(user, added, refused, delay, usage))[added]
    telemetry.event("vectors_backfilled", missing=len(got[missing]), written=written)
    more = len(got[missing]) == policy.backfill_batch or mine.count < len(texts)
    return more and mine.count > 0


def add_vectors(
    user: UserId, found: Sequence[SealedSummary], made: Mapping[str, Made], width: int
) -> Query[int]:
    """Write what was made of the memories' texts; how many memories were written."""
    by_model = {model: m.vectors for model, m in made.items()}
    return vectors.add_vectors(user, found, by_model, width)


def refuse_vectors(
    user: UserId, found: Sequence[SealedSummary], made: Made, model: str
) -> Query[None]:
    """Mark what the model refused, so that nobody waits for it."""
    return vectors.refuse_vectors(user, [found[i] for i in sorted(made.refused)], model)


def open_summaries(
    cipher: UserCipher, sealed: Sequence[SealedSummary]
) -> tuple[list[SealedSummary], list[str]]:
    """The summaries that can be read, with their texts; the others are dropped and counted."""
    opened = [
        (m, open_or_drop("memory", cipher.open, summary_cell(m.id), m.summary, memory_id=m.id))
        for m in sealed
    ]
    readable = [(memory, text) for memory, text in opened if text is not None]
    return [memory for memory, _ in readable], [text for _, text in readable]
