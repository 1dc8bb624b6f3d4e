"""Conversations: open, list, read, end and rewind them."""

from functions.chat import paging
from functions.chat.endpoint import Call, Operation, cast_of
from functions.chat.wire.conversations import (
    MessagesResponse,
    RewindRequest,
    SessionRequest,
    SessionResponse,
    SessionsResponse,
    of_message,
    of_session,
)
from gieok.conversation import sessions
from gieok.ids import parse
from gieok.revision import rewind
from gieok.types import Scope


async def create_session(call: Call[SessionRequest]) -> SessionResponse:
    """Open a conversation; what the character remembers stays."""
    cast = cast_of(call.body.character_id, call.body.character_ids)
    return of_session(await sessions.open_session(call.engine, Scope(call.user_id, cast)))


async def list_sessions(call: Call[None]) -> SessionsResponse:
    """The user's conversations, newest first."""
    page = await sessions.list_sessions(
        call.engine,
        call.user_id,
        call.query_id("characterId", "char"),
        call.query_id("cursor", "talk"),
        call.limit,
    )
    return SessionsResponse(
        sessions=[of_session(s) for s in page.items], next_cursor=paging.next_cursor("talk", page)
    )


async def read_session(call: Call[None]) -> SessionResponse:
    """One conversation."""
    session_id = call.path_id("talk")
    return of_session(await sessions.read_session(call.engine, call.user_id, session_id))


async def list_messages(call: Call[None]) -> MessagesResponse:
    """The raw messages that are still kept, newest first."""
    page = await sessions.read_messages(
        call.engine,
        call.user_id,
        call.path_id("talk"),
        call.query_id("cursor", "msg"),
        call.limit,
    )
    return MessagesResponse(
        messages=[of_message(m) for m in page.items], next_cursor=paging.next_cursor("msg", page)
    )


async def end_session(call: Call[None]) -> SessionResponse:
    """Close a conversation; what it still holds becomes a memory."""
    session_id = call.path_id("talk")
    return of_session(await sessions.end_session(call.engine, call.user_id, session_id))


async def rewind_session(call: Call[RewindRequest]) -> SessionResponse:
    """Take a conversation back to a message: what came after it, its memories included, never
    happened; pinned memories stay. 409 `turn_in_progress` while it answers a message.
    """
    session_id, to = call.path_id("talk"), parse("msg", call.body.to_message_id)
    return of_session(await rewind.rewind(call.engine, call.user_id, session_id, to))


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
        query=("characterId", *paging.QUERY),
    ),
    Operation("GET", "/v1/sessions/{id}", "One session", read_session, gives=SessionResponse),
    Operation(
        "GET",
        "/v1/sessions/{id}/messages",
        "A session's messages",
        list_messages,
        gives=MessagesResponse,
        query=paging.QUERY,
    ),
    Operation("POST", "/v1/sessions/{id}/end", "End a session", end_session, gives=SessionResponse),
    Operation(
        "POST",
        "/v1/sessions/{id}/rewind",
        "Rewind a session",
        rewind_session,
        RewindRequest,
        SessionResponse,
    ),
)
