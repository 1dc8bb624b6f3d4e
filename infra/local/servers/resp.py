"""A client for the Redis serialization protocol (RESP 2) that keeps answers as they were sent.

The `valkey` package hides what a REST proxy must pass on: it strips the prefixes of errors, turns
OK into True, and makes a status and a string look the same.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Self

Command = Sequence[bytes]


class Status(str):
    """A simple string, such as OK."""

    __slots__ = ()


class Failure(str):
    """An error answer, prefix included, such as ``ERR syntax error``."""

    __slots__ = ()


class Connection:
    """One connection to a server's Unix socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Connect to a server's socket. Raises `OSError`."""
        return cls(*await asyncio.open_unix_connection(path))

    async def run(self, commands: Sequence[Command]) -> list[object]:
        """Send all commands at once, then read one answer for each.

        Answers are `Status`, `Failure`, bytes, int, None or lists of these. Raises `OSError` or
        `EOFError` when the server goes away, after which the connection is of no use.
        """
        self._writer.write(b"".join(map(_encode, commands)))
        await self._writer.drain()
        return [await self._read() for _ in commands]

    def close(self) -> None:
        """Hang up."""
        self._writer.close()

    async def _read(self) -> object:
        line = await self._reader.readuntil(b"\r\n")
        kind, rest = line[:1], line[1:-2]
        match kind:
            case b"+":
                return Status(rest.decode())
            case b"-":
                return Failure(rest.decode(errors="replace"))
            case b":":
                return int(rest)
            case b"$":
                return await self._read_bytes(int(rest))
            case b"*":
                return None if rest == b"-1" else [await self._read() for _ in range(int(rest))]
        raise EOFError("not RESP 2")

    async def _read_bytes(self, size: int) -> bytes | None:
        if size < 0:
            return None
        return (await self._reader.readexactly(size + 2))[:-2]


def _encode(command: Command) -> bytes:
    parts = b"".join(b"$%d\r\n%b\r\n" % (len(part), part) for part in command)
    return b"*%d\r\n%b" % (len(command), parts)
