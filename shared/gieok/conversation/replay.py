"""Tell a turn again: the same events, without asking a model a second time."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

import msgspec

from gieok.conversation.claim import Earlier, refuse_another
from gieok.conversation.events import Delta, Done, Event, Failed, Meta
from gieok.conversation.lease import failure_of
from gieok.engine import Engine
from gieok.errors import Interrupted, NotFound
from gieok.ids import show
from gieok.privacy.cells import message_cell
from gieok.privacy.ciphers import cipher_of
from gieok.store import keys, turns
from gieok.types import UserId

POLL_S = 0.25
"""Between looks at a turn that another request is running."""


async def replay(engine: Engine, earlier: Earlier) -> AsyncGenerator[Event, None]:
    """The events of a turn that came before; waits for the request that still runs it.

    Raises `Interrupted` when that request died: then the same message may be sent again.
    `MessageIdReused` when it turns out to answer another message.
    """
    ask, turn = earlier.ask, earlier.turn
    while turn.answering:
        await asyncio.sleep(POLL_S)
        look = turns.read_turn(ask.user_id, ask.client_message_id, again=ask.again)
        found = (await engine.database.run(ask.user_id, look))[look]
        if found is None:
            raise Interrupted
        turn = found
    await refuse_another(engine, ask, turn, earlier.key)
    if turn.dead:
        raise Interrupted
    for event in await _events(engine, ask.user_id, turn, earlier.key):
        yield event


async def outcome(
    engine: Engine, user_id: UserId, client_message_id: str
) -> tuple[turns.TurnState, Sequence[Event]]:
    """How a turn stands, with its events once it has ended. Raises `NotFound`.

    The id may be that of the request to answer it again.
    """
    look, key = turns.read_turn(user_id, client_message_id), keys.read_user_key(user_id)
    got = await engine.database.run(user_id, look, key)
    turn = got[look]
    if turn is None:
        raise NotFound("message")
    if turn.answering:
        return "running", ()
    if turn.dead:
        turn = _ended(turn)
    return turn.state, await _events(engine, user_id, turn, got[key])


def _ended(turn: turns.StoredTurn) -> turns.StoredTurn:
    """A dead turn as it will be found: an answer from before stands."""
    if turn.reply_id is not None:
        return replace(turn, state="done")
    return replace(turn, state="failed", outcome=failure_of(Interrupted()))


async def _events(
    engine: Engine, user_id: UserId, turn: turns.StoredTurn, key: keys.StoredKey | None
) -> list[Event]:
    stored = turn.outcome or {}
    unknown = {"requestId": show("req", turn.id), "sessionId": show("talk", turn.session_id)}
    meta = msgspec.convert(stored.get("meta", unknown), Meta)
    if turn.reply_id is None or turn.reply_body is None:
        error = {"requestId": meta.request_id, **stored["error"]}
        return [meta, msgspec.convert(error, Failed)]
    cipher = await cipher_of(engine.database, engine.keyring, user_id, key)
    text = cipher.open(message_cell(turn.reply_id), turn.reply_body)
    return [meta, Delta(text), msgspec.convert(stored["done"], Done)]
