"""Raw messages: change one, and have one answered again."""

import asyncio

from starlette.responses import StreamingResponse

from functions.chat import sse
from functions.chat.endpoint import Call, Operation
from functions.chat.wire.conversations import (
    EditRequest,
    MessageResponse,
    RerollRequest,
    of_message,
)
from gieok.revision import edit
from gieok.revision.reroll import again_for, claim_again


async def edit_message(call: Call[EditRequest]) -> MessageResponse:
    """Change what was said by either side; what was remembered of it is remembered anew, and pinned
    memories stay. 409 `turn_in_progress` while its session answers a message.
    """
    message_id = call.path_id("msg")
    edited = await edit.edit_message(call.engine, call.user_id, message_id, call.body.text)
    return of_message(edited)


async def reroll_message(call: Call[RerollRequest]) -> StreamingResponse:
    """Have a turn answered again, by the id of its message or of its answer, which stays until the
    new one is whole; it streams like a turn. 409 `turn_in_progress`, `session_closed`,
    `message_id_reused`.
    """
    again = again_for(
        request_id=call.request_id,
        user_id=call.user_id,
        message_id=call.path_id("msg"),
        client_message_id=call.body.client_message_id,
        time_zone=call.body.time_zone,
        locale=call.body.language,
    )
    claiming = asyncio.create_task(claim_again(call.engine, again))
    return await sse.stream(call.services.turns, call.engine, call.request_id, claiming)


OPERATIONS = (
    Operation(
        "PATCH",
        "/v1/messages/{id}",
        "Edit a message",
        edit_message,
        EditRequest,
        MessageResponse,
    ),
    Operation(
        "POST",
        "/v1/messages/{id}/reroll",
        "Stream another answer",
        reroll_message,
        RerollRequest,
        sse.EVENT_STREAM,
    ),
)
