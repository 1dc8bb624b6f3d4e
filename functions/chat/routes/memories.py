"""A user's own memories."""

from functions.chat.endpoint import Call, Operation
from functions.chat.wire import MemoriesResponse, MemoryResponse, of_memory
from gieok import memories


async def list_memories(call: Call[None]) -> MemoriesResponse:
    """What a character remembers, newest first."""
    found = await memories.list_memories(
        call.engine,
        call.user_id,
        call.query_id("characterId", "char"),
        call.query_id("sessionId", "talk"),
        call.query_id("cursor", "mem"),
        call.limit,
    )
    page = [of_memory(m) for m in found]
    return MemoriesResponse(
        memories=page, next_cursor=page[-1].id if len(page) == call.limit else None
    )


async def read_memory(call: Call[None]) -> MemoryResponse:
    """One memory."""
    return of_memory(await memories.read_memory(call.engine, call.user_id, call.path_id("mem")))


async def delete_memory(call: Call[None]) -> None:
    """Forget one memory: text, vector and digests."""
    await memories.delete_memory(call.engine, call.user_id, call.path_id("mem"))


OPERATIONS = (
    Operation(
        "GET",
        "/v1/memories",
        "List memories",
        list_memories,
        gives=MemoriesResponse,
        query=("characterId", "sessionId", "cursor", "limit"),
    ),
    Operation("GET", "/v1/memories/{id}", "One memory", read_memory, gives=MemoryResponse),
    Operation("DELETE", "/v1/memories/{id}", "Delete a memory", delete_memory, status=204),
)
