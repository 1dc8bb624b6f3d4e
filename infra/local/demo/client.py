"""A client of the HTTP API: what a chat application needs, and no more."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TypeVar
from uuid import uuid4

import httpx
import msgspec

from infra.local.demo.sse import events

_PATIENCE_S = 60.0
"""Seconds to wait for a server to say anything; it sends a heartbeat every 10 s."""
_REFUSALS = 10
"""Times that a busy server may ask for patience before one request is given up."""


class ServerFailed(Exception):
    """The server could not be reached, refused or broke off; the text is one line for people."""


class _Wire(msgspec.Struct, frozen=True, rename="camel"):
    """A response body. Members that the demonstration does not read are passed over."""


class Character(_Wire, frozen=True):
    """A character of the service."""

    id: str
    name: str
    locale: str = ""


class Detail(_Wire, frozen=True):
    """A quote or an action that a memory keeps word for word."""

    text: str


class Memory(_Wire, frozen=True):
    """A memory as its user may read it."""

    id: str
    summary: str
    details: tuple[Detail, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything it says: the details' own words first, then the summary."""
        return (*(detail.text for detail in self.details), self.summary)


class MemoryCut(_Wire, frozen=True):
    """What a recalled memory lost for want of room in the prompt."""

    id: str
    summary: str


class Reply(_Wire, frozen=True):
    """A finished turn. `memories` are the ids of what reached its prompt, best first."""

    session_id: str
    memories: tuple[str, ...]
    generation_queued: bool
    memory_cuts: tuple[MemoryCut, ...] = ()


class _Token(_Wire, frozen=True):
    access_token: str


class _Characters(_Wire, frozen=True):
    characters: tuple[Character, ...]


class _MemoryPage(_Wire, frozen=True):
    memories: tuple[Memory, ...]
    next_cursor: str | None = None


class _Meta(_Wire, frozen=True):
    session_id: str | None
    memories: tuple[str, ...] = ()
    memory_cuts: tuple[MemoryCut, ...] = ()


class _Done(_Wire, frozen=True):
    generation_queued: bool = False


class _Problem(_Wire, frozen=True):
    """A problem document (RFC 9457), or the `error` event of a stream."""

    code: str = ""
    detail: str = ""
    message: str = ""


_Body = TypeVar("_Body", bound=_Wire)


class Gieok:
    """One user of a running server; made by `connect`.

    Every method raises `ServerFailed`, and waits as long as a rate limit asks it to. `held_s` adds
    up these waits, in seconds.
    """

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self.held_s = 0.0

    async def sign_in(self, user: str) -> None:
        """Become that user, by means of the token route that only the laptop run has."""
        body = await self._request("POST", "/dev/token", {"user": user})
        token = _read(body, _Token).access_token
        self._http.headers["Authorization"] = f"Bearer {token}"

    async def character(self, locale: str) -> Character:
        """A character that speaks the language, else the first one."""
        body = await self._request("GET", "/v1/characters")
        characters = _read(body, _Characters).characters
        if not characters:
            raise ServerFailed("the server has no characters")
        return next((c for c in characters if c.locale == locale), characters[0])

    async def say(self, character: Character, session_id: str | None, message: str) -> Reply:
        """Say something and hear the answer to its end. Without a session id a session begins."""
        turn = {
            "characterId": character.id,
            "message": message,
            "clientMessageId": uuid4().hex,
            "timeZone": "Asia/Seoul",
        }
        if session_id is not None:
            turn["sessionId"] = session_id
        async with self._open("POST", "/v1/chat", turn) as response:
            return await _finished_turn(response.aiter_lines())

    async def end(self, session_id: str) -> None:
        """Close a session, so that what is left of it becomes memory."""
        await self._request("POST", f"/v1/sessions/{session_id}/end")

    async def memories(self, character: Character) -> list[Memory]:
        """All memories that the character has of the user, newest first."""
        found, query = list[Memory](), {"characterId": character.id, "limit": "100"}
        while True:
            body = await self._request("GET", f"/v1/memories?{httpx.QueryParams(query)}")
            page = _read(body, _MemoryPage)
            found += page.memories
            if page.next_cursor is None:
                return found
            query["cursor"] = page.next_cursor

    async def memory(self, memory_id: str) -> Memory:
        """One memory with its details."""
        return _read(await self._request("GET", f"/v1/memories/{memory_id}"), Memory)

    async def _request(self, method: str, path: str, body: object = None) -> bytes:
        async with self._open(method, path, body) as response:
            return await response.aread()

    @asynccontextmanager
    async def _open(
        self, method: str, path: str, body: object = None
    ) -> AsyncIterator[httpx.Response]:
        for _ in range(_REFUSALS):
            async with self._http.stream(method, path, json=body) as response:
                if response.status_code != HTTPStatus.TOO_MANY_REQUESTS:
                    await _refuse_errors(response)
                    yield response
                    return
                asked = response.headers.get("Retry-After", "")
            wait = float(asked) if asked.isdecimal() else 1.0
            self.held_s += wait
            await asyncio.sleep(wait)
        raise ServerFailed(f"{method} {_route(path)} is still rate limited")


@asynccontextmanager
async def connect(url: str) -> AsyncIterator[Gieok]:
    """A client of the server at `url`, not yet signed in.

    Inside the block, errors of `httpx` are raised as `ServerFailed`.
    """
    try:
        async with httpx.AsyncClient(base_url=url, timeout=_PATIENCE_S, trust_env=False) as http:
            yield Gieok(http)
    except httpx.ConnectError as exc:
        raise ServerFailed(f"nothing answers at {url}: start Gieok with `make run`") from exc
    except (httpx.HTTPError, httpx.InvalidURL) as exc:
        raise ServerFailed(f"{url} broke off ({type(exc).__name__})") from exc


async def _finished_turn(lines: AsyncIterator[str]) -> Reply:
    meta, done = _Meta(None), None
    async for event in events(lines):
        data = event.data.encode()
        if event.name == "meta":
            meta = _read(data, _Meta)
        elif event.name == "done":
            done = _read(data, _Done)
        elif event.name == "error":
            raise ServerFailed(f"the turn failed: {_reason(data)}")
    if done is None or meta.session_id is None:
        raise ServerFailed("the reply's stream ended without `meta` and `done`")
    return Reply(meta.session_id, meta.memories, done.generation_queued, meta.memory_cuts)


async def _refuse_errors(response: httpx.Response) -> None:
    if response.is_success:
        return
    request, status = response.request, response.status_code
    route = _route(request.url.path)
    raise ServerFailed(f"{request.method} {route} → {status} {_reason(await response.aread())}")


def _route(path: str) -> str:
    return path.partition("?")[0]


def _reason(body: bytes) -> str:
    try:
        problem = msgspec.json.decode(body, type=_Problem)
    except msgspec.MsgspecError:
        return "without a problem document"
    return ": ".join(filter(None, (problem.code, problem.detail or problem.message)))


def _read(body: bytes, kind: type[_Body]) -> _Body:
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.MsgspecError as exc:
        raise ServerFailed(f"the server's answer is not as documented: {exc}") from exc
