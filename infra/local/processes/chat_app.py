"""The chat function's app with the laptop's token issuer beside it.

As a process of its own: ``python -m infra.local.processes.chat_app <descriptor of a bound
socket> <key>``, in the chat function's environment.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from functions.chat.asgi import app as chat
from infra.local.servers.dev_tokens import DevIssuer, read_key
from infra.local.servers.http_server import inherited, serve


def with_dev_tokens(chat_app: ASGIApp, issuer: DevIssuer) -> ASGIApp:
    """An app that answers below ``/dev/`` itself and leaves everything else to `chat_app`."""
    dev = issuer.app()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        ours = scope["type"] == "http" and scope["path"].startswith("/dev/")
        await (dev if ours else chat_app)(scope, receive, send)

    return app


def main(arguments: Iterable[str]) -> None:
    """Serve on the socket that the supervisor bound, until a signal ends it."""
    descriptor, key = arguments
    issuer = DevIssuer(
        os.environ["GIEOK_OIDC_ISSUER"], os.environ["GIEOK_OIDC_AUDIENCE"], read_key(Path(key))
    )
    serve(with_dev_tokens(chat, issuer), inherited(descriptor))


if __name__ == "__main__":
    main(sys.argv[1:])
