"""One turn of a conversation: claim it, remember, answer, keep the answer, queue what is due.

Two round trips to the database come before the model (claim with context; message with recall)
and one after it. A user's very first turn makes one more, to keep a new data key.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass, field
from datetime import timedelta

import msgspec

from gieok import recall, telemetry
from gieok.cells import message_cell, open_relationships, open_turns
from gieok.claim import Claimed, Earlier, cipher_of
from gieok.crypto import UserCipher
from gieok.engine import Engine
from gieok.errors import DatabaseUnavailable, GieokError, ModelError, QueueUnavailable
from gieok.events import Delta, Done, Event, Failed, Meta
from gieok.ids import new_id, show
from gieok.prompt import Assembled, assemble
from gieok.query import retrieval_query
from gieok.replay import replay
from gieok.store import sessions, turns
from gieok.store.operations import record_usage
from gieok.types import (
    Finish,
    ModelUse,
    Prompt,
    Recollection,
    RelationshipState,
    Turn,
    Usage,
)


async def converse(
    engine: Engine, request_id: str, claiming: Awaitable[Claimed | Earlier]
) -> AsyncIterator[Event]:
    """The events of one turn, whatever happens: one `Meta`, deltas, one `Done` or `Failed`.

    Runs on after `Done` to queue generation; drain it to the end.
    """
    opened = False
    try:
        turn = await claiming
        events = replay(engine, turn) if isinstance(turn, Earlier) else _answer(engine, turn)
        async for event in events:
            opened = True
            yield event
    except GieokError as error:
        telemetry.failure("turn_failed", error, request_id=request_id, code=error.code)
        if not opened:
            yield Meta(request_id=request_id)
        yield failed(request_id, error)


def failed(request_id: str, error: GieokError) -> Failed:
    """The closing event for an error."""
    return Failed(
        request_id=request_id, code=error.code, message=str(error), retryable=error.retryable
    )


@dataclass(slots=True)
class _Work:
    """A claimed turn as it grows."""

    claimed: Claimed
    cipher: UserCipher
    history: tuple[Turn, ...]
    relationships: dict[str, RelationshipState]
    recollection: Recollection = field(default_factory=lambda: Recollection("failed", ""))
    uses: list[ModelUse] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    finish: Finish | None = None
    fallback_used: bool = False
    started: float = field(default_factory=time.monotonic)


async def _answer(engine: Engine, claimed: Claimed) -> AsyncIterator[Event]:
    try:
        work = await _open(engine, claimed)
        work.recollection = await _keep_and_recall(engine, work)
    except GieokError:
        await _release(engine, claimed)
        raise
    assembled = _assemble(engine, work)
    meta = _meta(engine, work, assembled)
    yield meta
    async for text in _speak(engine, work, assembled.prompt):
        work.said.append(text)
        yield Delta(text)
    pending, done = await _finish(engine, work, meta)
    yield done
    if done.generation_queued:
        await _queue(engine, claimed, pending)


async def _open(engine: Engine, claimed: Claimed) -> _Work:
    """Decrypt what the claim read."""
    cipher = await cipher_of(engine, claimed.ask.user_id, claimed.key)
    names = {c.id: c.name for c in claimed.cast}
    return _Work(
        claimed,
        cipher,
        open_turns(cipher, claimed.history, names),
        open_relationships(cipher, claimed.relationships, names),
    )


async def _keep_and_recall(engine: Engine, work: _Work) -> Recollection:
    """Store the user's message and recall, in one round trip; the message is kept in any case."""
    claimed, ask, policy = work.claimed, work.claimed.ask, engine.policy.recall
    message_id = new_id()
    body = work.cipher.seal(message_cell(message_id), ask.message)
    message = turns.store_message(ask.user_id, claimed.turn_id, message_id, body)
    try:
        async with asyncio.timeout(policy.deadline_s):
            said_before = [t.user.text for t in work.history]
            question = retrieval_query(ask.message, said_before, policy)
            assignment = claimed.assignments.of("EMBEDDING")
            embedded = await recall.embed_question(engine, assignment, question, work.uses)
            candidates = recall.candidates_for(
                engine, claimed.scope, work.cipher, question, embedded
            )
            got = await engine.database.run(ask.user_id, message, candidates)
        return recall.conclude(engine, work.cipher, got[candidates], embedded)
    except TimeoutError:
        reason = "deadline"
    except DatabaseUnavailable:
        reason = "database"
    telemetry.setback("recall_failed", reason=reason)
    await engine.database.run(ask.user_id, message)
    return Recollection("failed", reason)


async def _release(engine: Engine, claimed: Claimed) -> None:
    """Give back a turn whose message was not kept, so that the same message can be sent again."""
    user_id = claimed.ask.user_id
    try:
        released = [turns.release_turn(user_id, claimed.turn_id)]
        if claimed.new_session:
            released.append(sessions.discard_empty_session(user_id, claimed.session_id))
        await engine.database.run(user_id, *released)
    except DatabaseUnavailable as error:
        telemetry.failure("turn_release_failed", error, turn_id=str(claimed.turn_id))


def _meta(engine: Engine, work: _Work, assembled: Assembled) -> Meta:
    """What the answer starts from; only memories that found room in the prompt are named."""
    found, given = work.recollection, assembled.memories
    cut = {slot.name: slot.cut for slot in assembled.slots if slot.cut}
    if cut:
        telemetry.event("prompt_cut", request_id=work.claimed.ask.request_id, **cut)
    return Meta(
        request_id=work.claimed.ask.request_id,
        session_id=show("talk", work.claimed.session_id),
        new_session=work.claimed.new_session,
        history_window_turns=engine.policy.chat.history_turns,
        history_turns=len(work.history),
        recall=found.status,
        recall_reason=found.reason,
        memory_search_top_k=engine.policy.recall.limit,
        memory_hit_count=len(given),
        memories=tuple(show("mem", r.memory.id) for r in given),
    )


async def _speak(engine: Engine, work: _Work, prompt: Prompt) -> AsyncIterator[str]:
    """The answer: the task's models in order, then the character's own canned line."""
    limits, assignment = engine.policy.chat, work.claimed.assignments.of("CHAT")
    try:
        pieces = engine.models.stream(
            assignment, prompt, limits.first_token_s, limits.answer_s, work.uses
        )
        async for piece in pieces:
            if isinstance(piece, Finish):
                work.finish = piece
            else:
                yield piece
    except ModelError as error:
        telemetry.failure("canned_line", error, code=error.code)
    blocked = work.finish is not None and work.finish.reason == "blocked"
    if work.said:
        return
    work.fallback_used = True
    if not blocked:
        work.finish = Finish("fallback", Usage(), "")
    yield work.claimed.cast[0].fallback_line


def _assemble(engine: Engine, work: _Work) -> Assembled:
    ask = work.claimed.ask
    return assemble(
        characters=work.claimed.cast,
        relationships=work.relationships,
        memories=work.recollection.memories,
        turns=work.history,
        message=ask.message,
        now=engine.clock.now(),
        time_zone=ask.time_zone,
        locale=work.claimed.locale,
        budget=engine.policy.prompt,
    )


async def _finish(engine: Engine, work: _Work, meta: Meta) -> tuple[int, Done]:
    """Persist the answer, its usage and the counters in one transaction: `Done` means durable."""
    claimed, user_id = work.claimed, work.claimed.ask.user_id
    pending = claimed.pending + 1
    reply_id = new_id()
    finish = work.finish or Finish("interrupted", Usage(), "")
    done = Done(
        request_id=meta.request_id,
        message_id=show("msg", reply_id),
        fallback_used=work.fallback_used,
        finish_reason=finish.reason,
        model=finish.model or None,
        actual_prompt_tokens=finish.usage.prompt,
        actual_completion_tokens=finish.usage.completion,
        actual_total_tokens=finish.usage.total,
        memory_hit_count=meta.memory_hit_count,
        generation_queued=pending >= engine.policy.generation.threshold,
    )
    reply = turns.Reply(
        id=reply_id,
        character_id=claimed.cast[0].id,
        body=work.cipher.seal(message_cell(reply_id), "".join(work.said)),
        model=finish.model or None,
        finish_reason=finish.reason,
        fallback_used=work.fallback_used,
        usage=finish.usage,
        latency_ms=round((time.monotonic() - work.started) * 1000),
    )
    outcome = {"meta": msgspec.to_builtins(meta), "done": msgspec.to_builtins(done)}
    active_for = engine.policy.retention.session_active
    stored = turns.finish_turn(user_id, claimed.turn_id, "done", outcome, reply, active_for)
    got = await engine.database.run(user_id, stored, record_usage(user_id, work.uses))
    if not got[stored]:
        raise DatabaseUnavailable("the turn's lease was lost")
    return pending, done


async def _queue(engine: Engine, claimed: Claimed, pending: int) -> None:
    """A hint for the worker. The turn that makes the threshold waits until it is final."""
    policy = engine.policy.generation
    wait = (
        policy.settle_after + timedelta(seconds=5) if pending == policy.threshold else timedelta()
    )
    try:
        await engine.queue.send(claimed.scope, round(wait.total_seconds()))
    except QueueUnavailable as error:
        telemetry.failure("hint_not_sent", error)
