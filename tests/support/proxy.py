"""A TCP proxy in front of PostgreSQL's socket: counts queries, freezes and cuts connections."""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

SSL_REQUEST, GSS_REQUEST, CANCEL_REQUEST = 80877103, 80877104, 80877102


class Proxy:
    """Speaks to `socket` for whoever connects to `port`."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._links: set[asyncio.StreamWriter] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.port = 0
        self.refuse = False
        self.refused_data = asyncio.Event()
        """Set when data came while nothing was let through."""
        self._cut_after = 0
        self.queries: list[str] = []
        """Text of every simple query that passed; one round trip each."""

    def freeze(self) -> None:
        """Let nothing through any more, in either direction, without closing anything."""
        self._flowing.clear()

    def thaw(self) -> None:
        """Let everything through again."""
        self._flowing.set()

    def cut_after_query(self, number: int) -> None:
        """Cut every connection once that many queries were seen, after the server got the last."""
        self._cut_after = number

    def cut(self) -> None:
        """End every connection."""
        for writer in self._links:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client."""
        if self.refuse:
            writer.transport.abort()
            return
        up_reader, up_writer = await asyncio.open_unix_connection(self._socket)
        self._links |= {writer, up_writer}
        try:
            await asyncio.gather(
                self._pump(reader, up_writer, _Counter(self.queries)),
                self._pump(up_reader, writer, None),
            )
        finally:
            for link in (writer, up_writer):
                self._links.discard(link)
                link.close()

    async def _pump(
        self,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        counter: "_Counter | None",
    ) -> None:
        with suppress(ConnectionError, OSError):
            while data := await source.read(65536):
                if not self._flowing.is_set():
                    self.refused_data.set()
                    await self._flowing.wait()
                if counter:
                    counter.feed(data)
                elif self._cut_after and len(self.queries) >= self._cut_after:
                    self._cut_after = 0  # the server has done the work; its answer is lost
                    self.cut()
                    return
                sink.write(data)
                await sink.drain()
        sink.close()


class _Counter:
    """Follows a client's side of the protocol and notes its simple queries."""

    def __init__(self, queries: list[str]) -> None:
        self._queries = queries
        self._buffer = b""
        self._started = False

    def feed(self, data: bytes) -> None:
        self._buffer += data
        while self._step():
            pass

    def _step(self) -> bool:
        header = 5 if self._started else 4
        if len(self._buffer) < header:
            return False
        (length,) = struct.unpack_from("!I", self._buffer, header - 4)
        size = length + header - 4
        if len(self._buffer) < size:
            return False
        message, self._buffer = self._buffer[:size], self._buffer[size:]
        if not self._started:
            (code,) = struct.unpack_from("!I", message, 4)
            self._started = code not in (SSL_REQUEST, GSS_REQUEST, CANCEL_REQUEST)
        elif message[:1] == b"Q":
            self._queries.append(message[5:-1].decode(errors="replace"))
        elif message[:1] in b"PBE":
            self._queries.append("extended protocol")
        return True


@asynccontextmanager
async def proxy_to(socket: Path) -> AsyncIterator[Proxy]:
    """A running proxy on a free loopback port."""
    proxy = Proxy(socket)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        proxy.thaw()
        proxy.cut()
        server.close()
        await server.wait_closed()
