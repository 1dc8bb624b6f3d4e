"""The chat function's ASGI app: `uvicorn functions.chat.asgi:app`, on a laptop and in Lambda."""

from gieok.bootstrap import cold_start

# isort: split
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from functions.chat import console, openapi, problems
from functions.chat.auth import Issuer
from functions.chat.endpoint import Operation, Services
from functions.chat.routes import (
    characters,
    chat,
    memories,
    messages,
    recall,
    relationships,
    sessions,
)
from functions.chat.sse import Turns
from gieok import settings
from gieok.bootstrap.engine import build_engine
from gieok.errors import GieokError
from gieok.ids import new_id, show

OPERATIONS: tuple[Operation, ...] = (
    *chat.OPERATIONS,
    *sessions.OPERATIONS,
    *messages.OPERATIONS,
    *memories.OPERATIONS,
    *recall.OPERATIONS,
    *characters.OPERATIONS,
    *relationships.OPERATIONS,
)


class Edge:
    """The outermost edge: every request has an id, and nothing escapes as a traceback.

    A server's own error log would print an exception's text, which may hold a user's words.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI interface."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = show("req", new_id())
        scope.setdefault("state", {})["request_id"] = request_id
        started = False

        async def with_id(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            await self._app(scope, receive, with_id)
        except Exception as error:  # noqa: BLE001 - outermost edge
            response = problems.of_bug(Request(scope), error)
            if not started:
                await response(scope, receive, with_id)


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Build the engine when the app starts and not at import; let turns end before the app does."""
    chosen = settings.read("chat")
    issuer = Issuer.at(chosen.oidc_issuer, chosen.oidc_audience, chosen.oidc_jwks_url)
    services = Services(build_engine(chosen), issuer, Turns())
    app.state.services = services
    services.engine.models.preload()
    cold_start.loaded()
    yield
    await services.turns.finish()
    await services.engine.models.close()
    await services.engine.database.close()


async def healthz(request: Request) -> Response:
    """Say that the process is alive. It touches nothing else: Lambda's web adapter would wait for
    ever on a check that fails."""
    return PlainTextResponse("ok")


def create_app() -> Starlette:
    """The app with all its routes."""

    @cache
    def contract() -> bytes:  # made when it is first asked for, so that no turn waits 4 ms for it
        return msgspec.json.encode(openapi.document(OPERATIONS))

    async def openapi_json(request: Request) -> Response:
        return Response(contract(), media_type="application/json")

    return Starlette(
        lifespan=_lifespan,
        middleware=[Middleware(Edge)],
        routes=[
            *(operation.route() for operation in OPERATIONS),
            Route("/healthz", healthz),
            Route("/openapi.json", openapi_json),
            *console.routes(),
        ],
        exception_handlers={
            GieokError: problems.of_error,
            HTTPException: problems.of_http,
        },
    )


app = create_app()
cold_start.loaded()
