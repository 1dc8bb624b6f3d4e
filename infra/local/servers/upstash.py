"""Upstash's REST protocol in front of a Valkey server, with faults on demand.

By https://upstash.com/docs/redis/features/restapi a command is a JSON array posted to ``/``.
Several go to ``/pipeline`` or, as one transaction, to ``/multi-exec``. As a process of its own:
``python -m infra.local.servers.upstash <descriptor of a bound socket> <Valkey's socket>``, with the
token in the environment.
"""

import asyncio
import hmac
import json
import os
import sys
from base64 import b64encode
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from infra.local.servers.http_server import inherited, serve
from infra.local.servers.resp import Command, Connection, Failure, Status

TOKEN_VARIABLE = "UPSTASH_REDIS_REST_TOKEN"  # noqa: S105 - the name of one, not a password
"""The environment variable that holds the token; Upstash's SDKs read it under this name."""

Answer = dict[str, object]


@dataclass(slots=True)
class Faults:
    """What goes wrong from now on; tests set and reset it at will.

    With `down` the connection is cut without an answer. `slow_s` are seconds to wait before a
    command is run, `late_s` after it, so that its effect comes before its answer. `error`, when it
    is not empty, is answered and nothing is run.
    """

    down: bool = False
    slow_s: float = 0
    late_s: float = 0
    error: str = ""


class NotACommand(Exception):
    """The body is not what the route takes."""


class Upstash:
    """The server's ASGI application."""

    def __init__(self, valkey: Path, token: str) -> None:
        self.faults = Faults()
        self._valkey = valkey
        self._authorization = f"Bearer {token}".encode()
        self._connection: Connection | None = None
        self._turn = asyncio.Lock()
        paths = ("/", "/pipeline", "/multi-exec")
        self._asgi = Starlette(
            routes=[Route(path, self._respond, methods=["POST"]) for path in paths],
            lifespan=self._until_closed,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI interface."""
        await self._asgi(scope, receive, send)

    @asynccontextmanager
    async def _until_closed(self, app: Starlette) -> AsyncIterator[None]:
        yield
        self._hang_up()

    async def _respond(self, request: Request) -> Response:
        given = request.headers.get("authorization", "").encode()
        if not hmac.compare_digest(given, self._authorization):
            return JSONResponse({"error": "WRONGPASS invalid or missing auth token"}, 401)
        if self.faults.down:
            return _CutOff()
        body = await request.body()
        await asyncio.sleep(self.faults.slow_s)
        encoded = request.headers.get("upstash-encoding") == "base64"
        try:
            answer = await self._answer(request.url.path, body, encoded)
        except NotACommand as error:
            answer = {"error": f"ERR {error}"}
        except (OSError, EOFError):
            return JSONResponse({"error": "ERR the database is away"}, 500)
        await asyncio.sleep(self.faults.late_s)
        return JSONResponse(answer, 400 if isinstance(answer, dict) and "error" in answer else 200)

    async def _answer(self, path: str, body: bytes, encoded: bool) -> Answer | list[Answer]:
        if self.faults.error:
            return {"error": self.faults.error}
        match path:
            case "/":
                return _shown((await self._run([_command(_parsed(body))]))[0], encoded)
            case "/pipeline":
                return [_shown(r, encoded) for r in await self._run(_commands(body))]
            case _:
                *_, outcome = await self._run([[b"MULTI"], *_commands(body), [b"EXEC"]])
                if isinstance(outcome, list):
                    return [_shown(r, encoded) for r in outcome]
                return _shown(outcome, encoded)

    async def _run(self, commands: list[Command]) -> list[object]:
        """Run commands for one caller at a time: a transaction must not mix with other commands."""
        async with self._turn:
            if self._connection is None:
                self._connection = await Connection.open(self._valkey)
            try:
                return await self._connection.run(commands)
            except BaseException:
                # An answer may still come that nobody waits for, and would be taken for the next.
                self._hang_up()
                raise

    def _hang_up(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None


class _CutOff(Response):
    """A response that promises a body and sends none, at which the server hangs up."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-length", b"1")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})


def _parsed(body: bytes) -> object:
    try:
        return json.loads(body)
    except ValueError as error:
        raise NotACommand("failed to parse the command") from error


def _commands(body: bytes) -> list[Command]:
    parsed = _parsed(body)
    if not isinstance(parsed, list):
        raise NotACommand("expected an array of commands")
    return [_command(item) for item in parsed]


def _command(parsed: object) -> Command:
    if not isinstance(parsed, list) or not parsed:
        raise NotACommand("empty command")
    return [_word(item) for item in parsed]


def _word(item: object) -> bytes:
    if isinstance(item, bool) or not isinstance(item, str | int | float):
        raise NotACommand("a command is made of strings and numbers")
    with suppress(UnicodeEncodeError):
        return str(item).encode()
    raise NotACommand("a command is made of Unicode text")


def _shown(reply: object, encoded: bool) -> Answer:
    if isinstance(reply, Failure):
        return {"error": str(reply)}
    return {"result": _result(reply, encoded)}


def _result(reply: object, encoded: bool) -> object:
    """The result as JSON values. When `encoded`, every text but the status OK is in base64."""
    if isinstance(reply, list):
        return [_result(item, encoded) for item in reply]
    if reply is None or isinstance(reply, int) or reply == Status("OK"):
        return reply
    raw = reply if isinstance(reply, bytes) else str(reply).encode()
    return b64encode(raw).decode() if encoded else raw.decode(errors="replace")


def main(arguments: Iterable[str]) -> None:
    """Serve on the socket that the supervisor bound, until a signal ends it."""
    descriptor, valkey = arguments
    serve(Upstash(Path(valkey), os.environ[TOKEN_VARIABLE]), inherited(descriptor))


if __name__ == "__main__":
    main(sys.argv[1:])
