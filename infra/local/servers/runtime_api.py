"""Lambda's Runtime API on loopback, from which the real runtime client runs a handler.

There is one invocation at a time, as in an execution environment of Lambda.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from infra.local.servers.aws import REGION
from infra.local.servers.http_server import bind, serving, url_of
from infra.local.servers.invocation import ACCOUNT

VERSION = "2018-06-01"


@dataclass(frozen=True, slots=True)
class Failure(Exception):
    """The function failed; `report` is what the runtime client sent instead of a result."""

    report: Mapping[str, Any]


@dataclass(slots=True)
class RuntimeApi:
    """Hands invocations to a runtime client and takes its results.

    `address` is the value that the client's AWS_LAMBDA_RUNTIME_API needs. The API is served from a
    thread of its own; `invoke` may be called from any other.
    """

    address: str
    function_name: str = "function"
    timeout_s: int = 60
    _waiting: "asyncio.Queue[tuple[str, object] | None]" = field(default_factory=asyncio.Queue)
    _results: "dict[str, asyncio.Future[Any]]" = field(default_factory=dict)
    _loop: asyncio.AbstractEventLoop | None = None

    def invoke(self, event: object) -> Any:
        """Hand an event to the function and return its result.

        Raises `Failure` when the function reports an error, TimeoutError when it says nothing for
        `timeout_s`.
        """
        if self._loop is None:
            raise RuntimeError("the API is not being served")
        asked = asyncio.run_coroutine_threadsafe(self._invoke(event), self._loop)
        return asked.result(self.timeout_s)

    def close(self) -> None:
        """End the client's long poll, so that the server can stop at once."""
        if self._loop:
            self._loop.call_soon_threadsafe(self._waiting.put_nowait, None)

    async def _invoke(self, event: object) -> Any:
        request_id = str(uuid4())
        self._results[request_id] = asyncio.get_running_loop().create_future()
        await self._waiting.put((request_id, event))
        return await self._results[request_id]

    def app(self) -> Starlette:
        """The API as an ASGI app."""
        base = f"/{VERSION}/runtime"
        invocation = f"{base}/invocation/{{id}}"
        return Starlette(
            lifespan=self._lifespan,
            routes=[
                Route(f"{base}/invocation/next", self._next),
                Route(f"{invocation}/response", self._response, methods=["POST"]),
                Route(f"{invocation}/error", self._error, methods=["POST"]),
                Route(f"{base}/init/error", self._init_error, methods=["POST"]),
            ],
        )

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self._loop = asyncio.get_running_loop()
        yield

    async def _next(self, request: Request) -> Response:
        asked = await self._waiting.get()
        if asked is None:
            return Response(status_code=503)
        request_id, event = asked
        deadline = round((time.time() + self.timeout_s) * 1000)
        arn = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{self.function_name}"
        headers = {
            "Lambda-Runtime-Aws-Request-Id": request_id,
            "Lambda-Runtime-Deadline-Ms": str(deadline),
            "Lambda-Runtime-Invoked-Function-Arn": arn,
        }
        return JSONResponse(event, headers=headers)

    async def _response(self, request: Request) -> Response:
        self._results[request.path_params["id"]].set_result(await request.json())
        return JSONResponse({"status": "OK"}, status_code=202)

    async def _error(self, request: Request) -> Response:
        self._results[request.path_params["id"]].set_exception(Failure(await request.json()))
        return JSONResponse({"status": "OK"}, status_code=202)

    async def _init_error(self, request: Request) -> Response:
        report = json.loads(await request.body())
        for result in self._results.values():
            if not result.done():
                result.set_exception(Failure(report))
        return JSONResponse({"status": "OK"}, status_code=202)


@contextmanager
def runtime_api(function_name: str) -> Iterator[RuntimeApi]:
    """A running API for one function."""
    bound = bind()
    api = RuntimeApi(url_of(bound).removeprefix("http://"), function_name)
    with serving(api.app(), bound):
        try:
            yield api
        finally:
            api.close()
