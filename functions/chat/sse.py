"""Turns as server-sent events: each runs to its end by itself, whether anybody listens or not."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
from starlette.responses import StreamingResponse

from gieok import telemetry
from gieok.conversation.claim import Claimed, Earlier
from gieok.conversation.converse import converse
from gieok.conversation.events import NAMES, Event, Failed, Meta
from gieok.engine import Engine

EVENT_STREAM = "text/event-stream"
"""The media type of a turn's events."""
OPEN = b": open\n\n"
HEARTBEAT = b": alive\n\n"

PATIENCE_S = 1.5
"""Seconds for which a turn's claim may hold back the stream, so that a refusal is a plain HTTP
error. A database that has to wake first takes longer: then the stream opens, and a refusal becomes
an event."""

Frames = asyncio.Queue[bytes | None]


class Turns:
    """Running turns. A client that goes away ends its response, not the turn."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, request_id: str, events: AsyncIterator[Event]) -> Frames:
        """Run a turn to its end in the background. The queue holds its frames, then None."""
        frames: Frames = asyncio.Queue()
        task = asyncio.create_task(_drain(request_id, events, frames))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return frames

    async def finish(self) -> None:
        """Wait for the turns that still run."""
        await asyncio.gather(*self._tasks)


async def stream(
    turns: Turns,
    engine: Engine,
    request_id: str,
    claiming: asyncio.Task[Claimed | Earlier],
) -> StreamingResponse:
    """Answer with the stream of a turn. Raises what its claim raises within `PATIENCE_S`."""
    # `wait` does not cancel the claim: a client that leaves now has sent its message all the same.
    done, _ = await asyncio.wait({claiming}, timeout=PATIENCE_S)
    if done and claiming.exception():
        claiming.result()
    frames = turns.start(request_id, converse(engine, request_id, claiming))
    return StreamingResponse(
        body(frames, engine.policy.chat.heartbeat_s),
        media_type=EVENT_STREAM,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _drain(request_id: str, events: AsyncIterator[Event], frames: Frames) -> None:
    number = 0
    try:
        async for event in events:
            number += 1
            frames.put_nowait(_frame(f"{request_id}.{number}", event))
    except Exception as error:  # noqa: BLE001 - outermost edge: a started stream must end well
        telemetry.failure("turn_crashed", error, request_id=request_id)
        if not number:
            number += 1
            frames.put_nowait(_frame(f"{request_id}.{number}", Meta(request_id=request_id)))
        crashed = Failed(request_id=request_id, code="internal_error", message="", retryable=True)
        frames.put_nowait(_frame(f"{request_id}.{number + 1}", crashed))
    finally:
        frames.put_nowait(None)


async def body(frames: Frames, heartbeat_s: float) -> AsyncIterator[bytes]:
    """A response's body: the opening comment, frames as they come, heartbeats in between."""
    yield OPEN
    while True:
        try:
            async with asyncio.timeout(heartbeat_s):
                frame = await frames.get()
        except TimeoutError:
            yield HEARTBEAT
            continue
        if frame is None:
            return
        yield frame


def _frame(event_id: str, event: Event) -> bytes:
    """The bytes of an event. JSON has no raw line breaks, so one data line holds any of them."""
    data = msgspec.json.encode(event)
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (
        event_id.encode(),
        NAMES[type(event)].encode(),
        data,
    )
