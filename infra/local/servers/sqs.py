"""The APIs of SQS and KMS, served by moto for the real SDK.

As a process of its own: ``python -m infra.local.servers.sqs <descriptor of a bound socket>``.
"""

import socket
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from werkzeug.serving import BaseWSGIServer, make_server

from infra.local.servers.aws import Aws
from infra.local.servers.http_server import inherited, url_of


class _Quiet(MotoRequestHandler):
    """Writes no line per request: the worker polls all day."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""


class _NoWebPages:
    """The app, but not for pages: any of them may send requests to a port of this machine.

    SDKs send no `Origin`, and a page whose name was rebound to 127.0.0.1 sends another `Host`.
    """

    def __init__(self, app: WSGIApplication, port: int) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The WSGI interface."""
        if "HTTP_ORIGIN" in environ or environ.get("HTTP_HOST") not in self._hosts:
            start_response("403 Forbidden", [("Content-Type", "text/plain")])
            return [b"for programs of this machine only"]
        return self._app(environ, start_response)


@contextmanager
def serving(bound: socket.socket) -> Iterator[Aws]:
    """Serve from a thread of this process."""
    server = _server(bound)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Aws(url_of(bound))
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        bound.close()


def _server(bound: socket.socket) -> BaseWSGIServer:
    bound.listen(128)
    host, port = bound.getsockname()
    app = _NoWebPages(DomainDispatcherApplication(create_backend_app), port)
    return make_server(host, port, app, threaded=True, request_handler=_Quiet, fd=bound.fileno())


def main(arguments: Iterable[str]) -> None:
    """Serve on the socket that the supervisor bound, until a signal ends it."""
    (descriptor,) = arguments
    _server(inherited(descriptor)).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
