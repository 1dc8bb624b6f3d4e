"""Turns: stream one, and look one up later."""

import asyncio

import msgspec
from starlette.responses import StreamingResponse

from functions.chat import sse
from functions.chat.endpoint import Call, Operation, scope_ids
from functions.chat.wire.conversations import ChatRequest, TurnResponse
from gieok.conversation.claim import ask_for, claim
from gieok.conversation.events import NAMES
from gieok.conversation.replay import outcome
from gieok.ids import parse
from gieok.language.text import clean


async def stream_turn(call: Call[ChatRequest]) -> StreamingResponse:
    """Say something; the answer streams."""
    body, engine = call.body, call.engine
    ask = ask_for(
        engine.policy.chat,
        request_id=call.request_id,
        user_id=call.user_id,
        message=body.message,
        character_ids=scope_ids(body.character_id, body.character_ids),
        session_id=parse("talk", body.session_id) if body.session_id else None,
        client_message_id=body.client_message_id,
        time_zone=body.time_zone,
        locale=body.language,
    )
    claiming = asyncio.create_task(claim(engine, ask))
    return await sse.stream(call.services.turns, engine, call.request_id, claiming)


async def read_turn(call: Call[None]) -> TurnResponse:
    """The stored outcome of a turn whose stream was cut."""
    client_message_id = clean(call.request.path_params["id"], 128, "clientMessageId")
    state, events = await outcome(call.engine, call.user_id, client_message_id)
    told = [msgspec.Raw(msgspec.json.encode({"event": NAMES[type(e)], "data": e})) for e in events]
    return TurnResponse(state=state, events=told)


OPERATIONS = (
    Operation("POST", "/v1/chat", "Stream one turn", stream_turn, ChatRequest, sse.EVENT_STREAM),
    Operation("GET", "/v1/chat/{id}", "A turn's stored outcome", read_turn, gives=TurnResponse),
)
