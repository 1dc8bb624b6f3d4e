"""Conversations."""

from functions.chat.endpoint import Call, Operation, scope_ids
from functions.chat.wire import (
    MessagesResponse,
    SessionRequest,
    SessionResponse,
    SessionsResponse,
    of_message,
    of_session,
)
from gieok import sessions
from gieok.errors import BadRequest
from gieok.types import Scope


async def create_session(call: Call[SessionRequest]) -> SessionResponse:
    """Open a conversation; what the character remembers stays."""
    cast = scope_ids(call.body.character_id, call.body.character_ids)
    if not cast or len(set(cast)) != len(cast):
        raise BadRequest("characterId or characterIds is needed, each once")
    return of_session(await sessions.open_session(call.engine, Scope(call.user_id, cast)))


async def list_sessions(call: Call[None]) -> SessionsResponse:
    """The user's conversations, newest first."""
    found = await sessions.list_sessions(
        call.engine,
        call.user_id,
        call.query_id("characterId", "char"),
        call.query_id("cursor", "talk"),
        call.limit,
    )
    page = [of_session(s) for s in found]
    return SessionsResponse(
        sessions=page, next_cursor=page[-1].id if len(page) == call.limit else None
    )


async def read_session(call: Call[None]) -> SessionResponse:
    """One conversation."""
    session_id = call.path_id("talk")
    return of_session(await sessions.read_session(call.engine, call.user_id, session_id))


async def list_messages(call: Call[None]) -> MessagesResponse:
    """The raw messages that are still kept, newest first."""
    found = await sessions.read_messages(
        call.engine,
        call.user_id,
        call.path_id("talk"),
        call.query_id("cursor", "msg"),
        call.limit,
    )
    page = [of_message(m) for m in found]
    return MessagesResponse(
        messages=page, next_cursor=page[-1].id if len(page) == call.limit else None
    )


async def end_session(call: Call[None]) -> SessionResponse:
    """Close a conversation; what it still holds becomes a memory."""
    session_id = call.path_id("talk")
    return of_session(await sessions.end_session(call.engine, call.user_id, session_id))


PAGE = ("cursor", "limit")
OPERATIONS = (
    Operation(
        "POST",
        "/v1/sessions",
        "Open a session",
        create_session,
        SessionRequest,
        SessionResponse,
        status=201,
    ),
    Operation(
        "GET",
        "/v1/sessions",
        "List sessions",
        list_sessions,
        gives=SessionsResponse,
        query=("characterId", *PAGE),
    ),
    Operation("GET", "/v1/sessions/{id}", "One session", read_session, gives=SessionResponse),
    Operation(
        "GET",
        "/v1/sessions/{id}/messages",
        "A session's messages",
        list_messages,
        gives=MessagesResponse,
        query=PAGE,
    ),
    Operation("POST", "/v1/sessions/{id}/end", "End a session", end_session, gives=SessionResponse),
)
