"""Serve HTTP on sockets that are bound beforehand, so that a port once found free stays ours."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from infra.local.errors import CannotRun
from infra.local.processes.family import PAUSE_S

_TCP = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
"""The kind of a TCP socket, protocol included: asyncio sends small pieces without delay only when
it knows that a socket is TCP."""

STREAMS_END_S = 5
"""Seconds that open streams have to finish when the server is asked to stop."""


def bind(port: int = 0) -> socket.socket:
    """Bind a loopback socket to `port`, or to any free one; it does not listen yet.

    Raises `OSError`, for one when another process listens there.
    """
    bound = socket.socket(*_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
    except OSError:
        bound.close()
        raise
    return bound


def inherited(descriptor: str) -> socket.socket:
    """The socket that the parent process bound, by the number of its descriptor."""
    return socket.socket(*_TCP, fileno=int(descriptor))


def url_of(bound: socket.socket) -> str:
    """The URL at which a client reaches a socket."""
    host, port = bound.getsockname()
    return f"http://{host}:{port}"


def answers(url: str) -> bool:
    """Whether somebody accepts connections by now at a URL that `url_of` gave."""
    port = int(url.rpartition(":")[2])
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def serve(app: ASGIApp, bound: socket.socket) -> None:
    """Serve until a signal asks to stop."""
    _server(app).run(sockets=[bound])


@contextmanager
def serving(app: ASGIApp, bound: socket.socket) -> Iterator[None]:
    """Serve from a thread of this process. Raises `CannotRun` when the server does not start."""
    server = _server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise CannotRun("a local HTTP server did not start")
            time.sleep(PAUSE_S)
        yield
    finally:
        server.should_exit = True
        thread.join()


def _server(app: ASGIApp) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            access_log=False,
            log_config=None,
            log_level="warning",
            timeout_graceful_shutdown=STREAMS_END_S,
            ws="none",
        )
    )
