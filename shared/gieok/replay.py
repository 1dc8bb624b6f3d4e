"""Tell a turn again: the same events, without asking a model a second time."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import msgspec

from gieok.cells import message_cell
from gieok.claim import DIED, Earlier, cipher_of
from gieok.engine import Engine
from gieok.errors import DatabaseUnavailable, NotFound
from gieok.events import Delta, Done, Event, Failed, Meta
from gieok.ids import show
from gieok.store import keys, turns
from gieok.types import UserId

POLL_S = 0.25
"""Between looks at a turn that another request is running."""


async def replay(engine: Engine, earlier: Earlier) -> AsyncIterator[Event]:
    """The events of a turn that came before; waits for the request that still runs it.

    Raises `DatabaseUnavailable` when that request died: then the same message may be sent again.
    """
    user_id, client_message_id = earlier.ask.user_id, earlier.ask.client_message_id
    turn: turns.StoredTurn | None = earlier.turn
    while turn and turn.state == "running" and not turn.dead:
        await asyncio.sleep(POLL_S)
        look = turns.read_turn(user_id, client_message_id)
        turn = (await engine.database.run(user_id, look))[look]
    if turn is None or turn.state == "running":
        raise DatabaseUnavailable("the request that ran this message died")
    for event in await _events(engine, user_id, turn, earlier.key):
        yield event


async def outcome(
    engine: Engine, user_id: UserId, client_message_id: str
) -> tuple[turns.TurnState, Sequence[Event]]:
    """How a turn stands, with its events once it has ended. Raises `NotFound`."""
    look, key = turns.read_turn(user_id, client_message_id), keys.read_user_key(user_id)
    got = await engine.database.run(user_id, look, key)
    turn = got[look]
    if turn is None:
        raise NotFound("message")
    if turn.state == "running":
        if not turn.dead:
            return "running", ()
        turn = replace(turn, state="failed", outcome=DIED)
    return turn.state, await _events(engine, user_id, turn, got[key])


async def _events(
    engine: Engine, user_id: UserId, turn: turns.StoredTurn, key: keys.StoredKey | None
) -> list[Event]:
    stored = turn.outcome or {}
    unknown = {"requestId": show("req", turn.id), "sessionId": show("talk", turn.session_id)}
    meta = msgspec.convert(stored.get("meta", unknown), Meta)
    if turn.reply_id is None or turn.reply_body is None:
        error = {"requestId": meta.request_id, **stored["error"]}
        return [meta, msgspec.convert(error, Failed)]
    cipher = await cipher_of(engine, user_id, key)
    text = cipher.open(message_cell(turn.reply_id), turn.reply_body)
    return [meta, Delta(text), msgspec.convert(stored["done"], Done)]
