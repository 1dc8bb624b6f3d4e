"""A user's own memories."""

from functions.chat import paging
from functions.chat.endpoint import Call, Operation
from functions.chat.wire.memories import (
    HistoryResponse,
    MemoriesResponse,
    MemoryChange,
    MemoryResponse,
    amendment,
    of_history,
    of_memory,
)
from gieok.errors import BadRequest
from gieok.memories import delete, history, read
from gieok.memories.amend import amend_memory as amend
from gieok.memories.search import search


async def list_memories(call: Call[None]) -> MemoriesResponse:
    """What a character remembers, newest first; with `q` the best matches, muted ones too."""
    words = call.request.query_params.get("q")
    if words is not None:
        return await _matches(call, words)
    page = await read.list_memories(
        call.engine,
        call.user_id,
        call.query_id("characterId", "char"),
        call.query_id("sessionId", "talk"),
        call.query_id("cursor", "mem"),
        call.limit,
    )
    return MemoriesResponse(
        memories=[of_memory(m) for m in page.items], next_cursor=paging.next_cursor("mem", page)
    )


async def _matches(call: Call[None], words: str) -> MemoriesResponse:
    """The best matches. They have no second page: whoever wants more asks for a larger `limit`."""
    if "cursor" in call.request.query_params:
        raise BadRequest("cursor: not together with q")
    found = await search(
        call.engine,
        call.user_id,
        words,
        call.query_id("characterId", "char"),
        call.query_id("sessionId", "talk"),
        call.limit,
    )
    return MemoriesResponse(
        memories=[of_memory(m) for m in found.memories], next_cursor=None, degraded=found.degraded
    )


async def read_memory(call: Call[None]) -> MemoryResponse:
    """One memory."""
    return of_memory(await read.read_memory(call.engine, call.user_id, call.path_id("mem")))


async def change_memory(call: Call[MemoryChange]) -> MemoryResponse:
    """Correct, rate, pin or mute one memory; only what is given changes."""
    change = amendment(call.body)
    return of_memory(await amend(call.engine, call.user_id, call.path_id("mem"), change))


async def read_history(call: Call[None]) -> HistoryResponse:
    """Where a memory came from, and what it said before each edit, newest first."""
    told = await history.read_history(
        call.engine, call.user_id, call.path_id("mem"), paging.behind_version(call), call.limit
    )
    return of_history(told)


async def delete_memory(call: Call[None]) -> None:
    """Forget one memory: text, history, vectors and digests, and what was derived of it."""
    await delete.delete_memory(call.engine, call.user_id, call.path_id("mem"))


ONE = "/v1/memories/{id}"
OPERATIONS = (
    Operation(
        "GET",
        "/v1/memories",
        "List memories; with q, the best matches",
        list_memories,
        gives=MemoriesResponse,
        query=("characterId", "sessionId", "q", *paging.QUERY),
    ),
    Operation("GET", ONE, "One memory", read_memory, gives=MemoryResponse),
    Operation("PATCH", ONE, "Change a memory", change_memory, MemoryChange, MemoryResponse),
    Operation("DELETE", ONE, "Delete a memory", delete_memory, status=204),
    Operation(
        "GET",
        f"{ONE}/history",
        "A memory's history",
        read_history,
        gives=HistoryResponse,
        query=paging.QUERY,
    ),
)
