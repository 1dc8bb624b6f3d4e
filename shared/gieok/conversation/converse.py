"""One turn of a conversation: claim it, recall, answer, keep the answer, queue what is due.

Two round trips to the database come before the model (claim with context; message with recall)
and one after it. A user's very first turn makes one more, to keep a new data key.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import timedelta

import msgspec

from gieok import telemetry
from gieok.calls import Finish, ModelUse, Prompt, Usage
from gieok.conversation.claim import Claimed, Earlier
from gieok.conversation.events import Delta, Done, Event, Failed, Meta
from gieok.conversation.lease import give_back
from gieok.conversation.meta import meta_of
from gieok.conversation.replay import replay
from gieok.engine import Engine
from gieok.errors import GieokError, Interrupted, ModelError
from gieok.generation.hints import AT_ONCE, hint, once_settled
from gieok.ids import new_id, show
from gieok.policy import GenerationPolicy
from gieok.privacy.cells import (
    message_cell,
    open_earlier_talk,
    open_relationships,
    open_turns,
)
from gieok.privacy.cipher import UserCipher
from gieok.privacy.ciphers import cipher_of
from gieok.prompt.assemble import Assembled, assemble
from gieok.prompt.speaker_lines import OwnLabel, spoken_parts
from gieok.recall.prepare import Asked
from gieok.recall.recall import recall
from gieok.relationship.versions import standing
from gieok.store import turns
from gieok.store.database import Query
from gieok.store.operations import record_usage
from gieok.types import Character, EarlierTurn, Recollection, RelationshipState, Turn


async def converse(
    engine: Engine, request_id: str, claiming: asyncio.Future[Claimed | Earlier]
) -> AsyncGenerator[Event, None]:
    """The events of one turn: one `Meta`, deltas, one `Done`, or one `Failed` for a `GieokError`.

    Runs on after `Done` to queue generation; drain it to the end.
    """
    opened = False
    try:
        turn = await claiming
        events = replay(engine, turn) if isinstance(turn, Earlier) else _answer(engine, turn)
        async with aclosing(events):
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
        request_id=request_id, code=error.code, message=error.told, retryable=error.retryable
    )


@dataclass(slots=True)
class _Work:
    """A claimed turn as it grows."""

    claimed: Claimed
    cipher: UserCipher
    history: tuple[Turn, ...]
    earlier: tuple[EarlierTurn, ...]
    relationships: dict[str, RelationshipState]
    uses: list[ModelUse]
    recollection: Recollection = field(default_factory=lambda: Recollection("failed", ""))
    said: list[str] = field(default_factory=list)
    finish: Finish | None = None
    fallback_used: bool = False
    started: float = field(default_factory=time.monotonic)


async def _answer(engine: Engine, claimed: Claimed) -> AsyncGenerator[Event, None]:
    """Answer a turn that is ours. However it fails, its session is free afterwards."""
    kept, uses = False, list[ModelUse]()
    try:
        work = await _open(engine, claimed, uses)
        work.recollection = await _keep_and_recall(engine, work)
        assembled = _assemble(engine, work)
        meta = meta_of(engine, claimed, len(work.history), work.recollection, assembled)
        yield meta
        async with aclosing(_speak(engine, work, assembled.prompt)) as spoken:
            async for text in spoken:
                work.said.append(text)
                yield Delta(text)
        done = await _finish(engine, work, meta)
        kept = True
    finally:
        if not kept:
            await asyncio.shield(give_back(engine, claimed.lease, uses))
    yield done
    wait = _hint_after(engine.policy.generation, claimed)
    if wait is not None:
        await hint(engine.queue, claimed.scope, wait)


async def _open(engine: Engine, claimed: Claimed, uses: list[ModelUse]) -> _Work:
    """Decrypt what the claim read. A relationship that lost a window is made anew first."""
    context, user_id = claimed.context, claimed.ask.user_id
    cipher = await cipher_of(engine.database, engine.keyring, user_id, context.key)
    relationships = await standing(engine, cipher, claimed.scope, context.relationships)
    names = {c.id: c.name for c in context.cast}
    return _Work(
        claimed,
        cipher,
        open_turns(cipher, context.history, names),
        open_earlier_talk(cipher, context.earlier),
        open_relationships(cipher, relationships, names),
        uses,
    )


async def _keep_and_recall(engine: Engine, work: _Work) -> Recollection:
    """Store the user's message and recall, in one round trip; the message is kept in any case."""
    ask, kept = work.claimed.ask, _message_of(work)
    asked = Asked(
        scope=work.claimed.scope,
        cipher=work.cipher,
        assignments=work.claimed.context.assignments,
        message=ask.message,
        locale=work.claimed.locale,
        said_before=[t.user.text for t in work.history],
    )
    found = await recall(engine, asked, work.uses, kept)
    if found.status == "failed":
        await engine.database.run(ask.user_id, *kept)
    return found


def _message_of(work: _Work) -> list[Query[None]]:
    """What keeps the user's message, unless it was said before."""
    ask, cipher, message_id = work.claimed.ask, work.cipher, new_id()
    if ask.again:
        return []
    body = cipher.seal(message_cell(message_id), ask.message)
    digest = cipher.request_digest(ask.client_message_id, ask.message)
    return [turns.store_message(ask.user_id, work.claimed.lease.turn_id, message_id, body, digest)]


async def _speak(engine: Engine, work: _Work, prompt: Prompt) -> AsyncGenerator[str, None]:
    """The answer: the task's models in order, then the character's own canned line."""
    limits, assignment = engine.policy.chat, work.claimed.context.assignments.of("CHAT")
    cast = work.claimed.context.cast
    label = OwnLabel(cast[0].name if len(cast) == 1 else "")
    try:
        pieces = engine.models.stream(
            assignment, prompt, limits.first_token_s, limits.answer_s, work.uses
        )
        async with aclosing(pieces):
            async for piece in pieces:
                if isinstance(piece, Finish):
                    work.finish = piece
                elif text := label.feed(piece):
                    yield text
    except ModelError as error:
        telemetry.failure("canned_line", error, code=error.code)
    if text := label.rest():
        yield text
    blocked = work.finish is not None and work.finish.reason == "blocked"
    if work.said:
        return
    work.fallback_used = True
    if not blocked:
        work.finish = Finish("fallback", Usage(), "")
    yield cast[0].fallback_line


def _assemble(engine: Engine, work: _Work) -> Assembled:
    ask = work.claimed.ask
    return assemble(
        characters=work.claimed.context.cast,
        relationships=work.relationships,
        memories=work.recollection.memories,
        turns=work.history,
        earlier=work.earlier,
        message=ask.message,
        now=engine.clock.now(),
        time_zone=work.claimed.time_zone,
        locale=work.claimed.locale,
        budget=engine.policy.prompt,
    )


async def _finish(engine: Engine, work: _Work, meta: Meta) -> Done:
    """Persist the answer, its usage and the counters in one transaction: `Done` means durable.

    Raises `Interrupted` when the turn was taken back or over meanwhile.
    """
    lease, user_id = work.claimed.lease, work.claimed.ask.user_id
    finish = work.finish or Finish("interrupted", Usage(), "")
    reply = _reply(work, finish)
    done = Done(
        request_id=meta.request_id,
        message_id=show("msg", reply.id),
        fallback_used=work.fallback_used,
        finish_reason=finish.reason,
        model=finish.model or None,
        actual_prompt_tokens=finish.usage.prompt,
        actual_completion_tokens=finish.usage.completion,
        actual_total_tokens=finish.usage.total,
        memory_hit_count=meta.memory_hit_count,
        generation_queued=_hint_after(engine.policy.generation, work.claimed) is not None,
    )
    outcome = {"meta": msgspec.to_builtins(meta), "done": msgspec.to_builtins(done)}
    active_for = engine.policy.retention.session_active
    stored = turns.finish_turn(user_id, lease.turn_id, lease.runner, outcome, reply, active_for)
    got = await engine.database.run(user_id, stored, record_usage(user_id, work.uses))
    work.uses.clear()
    if not got[stored]:
        raise Interrupted
    return done


def _reply(work: _Work, finish: Finish) -> turns.Reply:
    """The answer as it is stored."""
    reply_id, text = new_id(), "".join(work.said)
    return turns.Reply(
        id=reply_id,
        character_id=_first_to_speak(text, work.claimed.context.cast).id,
        body=work.cipher.seal(message_cell(reply_id), text),
        model=finish.model or None,
        finish_reason=finish.reason,
        fallback_used=work.fallback_used,
        usage=finish.usage,
        latency_ms=round((time.monotonic() - work.started) * 1000),
    )


def _first_to_speak(text: str, cast: Sequence[Character]) -> Character:
    """Whose lines an answer begins with."""
    names = [c.name for c in cast]
    (name, _), *_ = spoken_parts(text, names, names[0])
    return cast[names.index(name)]


def _hint_after(policy: GenerationPolicy, claimed: Claimed) -> timedelta | None:
    """When the worker is to look; None for not now.

    The turn that makes a window whole waits until it is final; one more turn makes it final. After
    that a worker is at it, and is told again only for another window's worth. Where the policy has
    the early trigger, the worker looks at a window that may be pulled forward, and decides.
    """
    early = (
        policy.early_trigger and policy.early_trigger_turns <= claimed.pending < policy.threshold
    )
    if claimed.reopened or claimed.pending == policy.threshold or early:
        return once_settled(policy)
    beyond = claimed.pending - policy.threshold - 1
    return AT_ONCE if beyond >= 0 and beyond % policy.threshold == 0 else None
