"""Frames of a turn, whatever becomes of it."""

import asyncio
from collections.abc import AsyncIterator

from functions.chat.sse import OPEN, Turns, body
from gieok.conversation.events import Delta, Event, Meta


async def heard(events: AsyncIterator[Event]) -> str:
    frames = Turns().start("req_1", events)
    return b"".join([chunk async for chunk in body(frames, 5)]).decode()


async def crash(*before: Event) -> AsyncIterator[Event]:
    for event in before:
        yield event
    raise RuntimeError("a word of a user")


async def test_a_crash_ends_the_stream_by_an_error_and_tells_nothing_of_it() -> None:
    told = await heard(crash(Meta(request_id="req_1"), Delta("안녕")))
    names = [line for line in told.splitlines() if line.startswith("event: ")]
    assert names == ["event: meta", "event: delta", "event: error"]
    assert "a word of a user" not in told


async def test_a_crash_before_anything_was_told_still_begins_with_meta() -> None:
    told = await heard(crash())
    names = [line for line in told.splitlines() if line.startswith("event: ")]
    assert names == ["event: meta", "event: error"]


async def test_silence_is_filled_with_heartbeats() -> None:
    async def slow() -> AsyncIterator[Event]:
        await asyncio.sleep(0.25)
        yield Delta("끝")

    frames = Turns().start("req_1", slow())
    chunks = [chunk async for chunk in body(frames, 0.05)]
    assert chunks[0] == OPEN
    assert len([c for c in chunks if c.startswith(b": alive")]) >= 2
