"""One operation of the API: what it takes and gives, and how a request becomes a call."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from functions.chat import body
from functions.chat.auth import Issuer
from functions.chat.sse import EVENT_STREAM, Turns
from gieok.engine import Engine
from gieok.errors import BadRequest
from gieok.ids import Kind, parse
from gieok.types import UserId

LARGEST_PAGE = 100
"""Items of one page, at most."""

B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Services:
    """What the app's operations work with."""

    engine: Engine
    issuer: Issuer
    turns: Turns


@dataclass(frozen=True, slots=True)
class Call(Generic[B]):
    """An authenticated request with its validated body."""

    request: Request
    services: Services
    user_id: UserId
    body: B

    @property
    def engine(self) -> Engine:
        """The engine that serves it."""
        return self.services.engine

    @property
    def request_id(self) -> str:
        """The id that its events, problems and log lines carry."""
        return str(self.request.state.request_id)

    def path_id(self, kind: Kind) -> UUID:
        """The id in the path. Raises `InvalidId`."""
        return parse(kind, self.request.path_params["id"])

    def query_id(self, name: str, kind: Kind) -> UUID | None:
        """An id in the query string, if it is there. Raises `InvalidId`."""
        value = self.request.query_params.get(name)
        return None if value is None else parse(kind, value)

    @property
    def limit(self) -> int:
        """How many items of a page are asked for, 1 to `LARGEST_PAGE`. Raises `BadRequest`."""
        value = self.request.query_params.get("limit", "20")
        digits = value.isascii() and value.isdecimal() and len(value) < 4
        if not digits or not 1 <= int(value) <= LARGEST_PAGE:
            raise BadRequest(f"limit must be 1 to {LARGEST_PAGE}")
        return int(value)


@dataclass(frozen=True, slots=True)
class Operation:
    """A route and its contract.

    `takes` is the shape of the request's body, None without one. `gives` is the shape of the
    answer, the media type of a stream, or None for no body. `query` names the query parameters.
    """

    method: str
    path: str
    summary: str
    run: Callable[[Call[Any]], Awaitable[Any]]
    takes: type[msgspec.Struct] | None = None
    gives: Any = None
    status: int = 200
    query: tuple[str, ...] = ()

    def route(self) -> Route:
        """The Starlette route that serves it."""
        return Route(self.path, self._endpoint, methods=[self.method], name=self.name)

    @property
    def name(self) -> str:
        """The operation's id, as in the API document."""
        return self.run.__name__

    @property
    def streams_turn(self) -> bool:
        """Whether it runs a turn, which is counted beside its claim."""
        return bool(self.gives == EVENT_STREAM)

    @property
    def description(self) -> str:
        """What it does, for the API document: the docstring of what runs, on one line."""
        return " ".join((self.run.__doc__ or "").split())

    async def _endpoint(self, request: Request) -> Response:
        services: Services = request.app.state.services
        user_id = await services.issuer.user_of(request.headers)
        self._require_known(request.query_params)
        if not self.streams_turn:
            await services.engine.within_limits(user_id, "call")
        given = await body.read(request, self.takes) if self.takes else None
        result = await self.run(Call(request, services, user_id, given))
        if isinstance(result, Response):
            return result
        if result is None:
            return Response(status_code=self.status)
        return Response(
            msgspec.json.encode(result),
            status_code=self.status,
            media_type="application/json",
            headers={"Cache-Control": "no-store"},
        )

    def _require_known(self, given: Iterable[str]) -> None:
        """Raise `BadRequest` for a query parameter that nobody reads: a filter may be misspelt."""
        if not set(given) <= {*self.query}:
            known = ", ".join(self.query) or "none"
            raise BadRequest(f"unknown query parameter; known are: {known}")


def scope_ids(one: str | None, several: list[str] | None) -> tuple[UUID, ...]:
    """The cast that a request names, sorted; empty when it names nobody.

    Raises `BadRequest` when both fields are given, and `InvalidId`.
    """
    if one is not None and several is not None:
        raise BadRequest("characterId or characterIds, not both")
    named = several if several is not None else [one] if one is not None else []
    return tuple(sorted(parse("char", c) for c in named))


def cast_of(one: str | None, several: list[str] | None) -> tuple[UUID, ...]:
    """The cast that a request must name, sorted.

    Raises `BadRequest` when both fields are given, nobody is named or one is named twice, and
    `InvalidId`.
    """
    cast = scope_ids(one, several)
    if not cast or len(set(cast)) != len(cast):
        raise BadRequest("characterId or characterIds is needed, each once")
    return cast
