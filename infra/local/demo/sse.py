"""Server-sent events, as far as a client of one finite stream needs them (WHATWG HTML, 9.2)."""

from collections.abc import AsyncIterable, AsyncIterator
from typing import NamedTuple


class Event(NamedTuple):
    """One event. `data` is its data lines, joined by line feeds."""

    name: str
    data: str


async def events(lines: AsyncIterable[str]) -> AsyncIterator[Event]:
    """The events of a stream of lines without their line ends.

    Comments and unknown fields are passed over. An event without its blank line, because the stream
    was cut, is dropped, as the standard asks.
    """
    name, data = "message", list[str]()
    async for line in lines:
        if not line:
            if data:
                yield Event(name, "\n".join(data))
            name, data = "message", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
