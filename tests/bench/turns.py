"""What a turn adds to its model: over the chat function's own ASGI app, models with no latency.

From the request to the model's call: token, limits, claim with context, question, recall, prompt.
"""

import asyncio
import json
import random
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.types import ASGIApp, Message

from functions.chat.asgi import create_app
from functions.chat.auth import Issuer
from functions.chat.endpoint import Services
from functions.chat.sse import Turns
from gieok.calls import Finish, ModelChoice, Prompt
from gieok.ids import show
from gieok.providers.router import Models
from gieok.types import UserId
from infra.local.servers.dev_tokens import DevIssuer, TokenRequest
from tests.bench.house import House, connected, fill, world_on
from tests.bench.size import Size
from tests.bench.timing import p50_ms, p99_ms
from tests.support.bulk import stock
from tests.support.bulk.rows import Pair
from tests.support.proxy import proxy_to
from tests.support.speakers import USAGE, Speaker
from tests.support.world import World

WARM = 20
URL = "https://issuer.test"


class Echo(Speaker):
    """Says the user's own message, `deltas` times."""

    deltas = 1

    async def stream(
        self, prompt: Prompt, choice: ModelChoice, timeout_s: float
    ) -> AsyncGenerator[str | Finish, None]:
        """See `ports.LanguageModel`."""
        self.on_stream()
        for _ in range(self.deltas):
            yield prompt.turns[-1][1]
        yield Finish("stop", USAGE, choice.model)


@dataclass(frozen=True, slots=True)
class Service:
    """The app on a world, and tokens for it."""

    app: ASGIApp
    issuer: DevIssuer
    world: World
    echo: Echo
    tokens: dict[UserId, str] = field(default_factory=dict)

    def token(self, user: UserId) -> str:
        """A user's own, signed once."""
        if user not in self.tokens:
            self.tokens[user] = self.issuer.token(TokenRequest(user), int(time.time()))
        return self.tokens[user]

    async def say(self, user: UserId, message: str, **more: str) -> str:
        """One turn to its end; the whole stream as text."""
        body = json.dumps({"message": message, "timeZone": "Asia/Seoul", **more}).encode()
        return await exchange(self.app, self.token(user), body)

    async def talk(self, pair: Pair, message: str, session: str | None = None) -> str:
        """A turn of a bulk pair, in a session of its own or in one that is open."""
        (character,) = pair.scope.character_ids
        known = {"sessionId": session} if session else {"characterId": show("char", character)}
        return await self.say(pair.scope.user_id, message, **known)


@asynccontextmanager
async def serving(world: World) -> AsyncGenerator[Service, None]:
    """The chat function as it is deployed, with keys that need no network."""
    signer = DevIssuer(URL, "gieok", ec.generate_private_key(ec.SECP256R1()))
    keys = httpx.MockTransport(lambda request: httpx.Response(200, json=signer.jwks()))
    async with httpx.AsyncClient(transport=keys) as http:
        echo, app = Echo(), create_app()
        models = Models({"test": echo}, {"test": world.embedder})
        engine = replace(world.engine, models=models)
        issuer = Issuer(URL, "gieok", f"{URL}/keys", http, ())
        app.state.services = Services(engine, issuer, Turns())
        yield Service(app, signer, world, echo)
        await app.state.services.turns.finish()


async def exchange(app: ASGIApp, token: str, body: bytes) -> str:
    """POST a turn to the app, as its server would."""
    headers = [
        (b"authorization", f"Bearer {token}".encode()),
        (b"content-type", b"application/json"),
    ]
    scope = {
        "type": "http",
        "http_version": "1.1",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "scheme": "http",
        "method": "POST",
        "path": "/v1/chat",
        "query_string": b"",
        "headers": headers,
    }
    requests = [{"type": "http.request", "body": body, "more_body": False}]
    chunks: list[bytes] = []

    async def receive() -> Message:
        if not requests:
            await asyncio.Event().wait()  # a client that stays
        return requests.pop()

    async def send(message: Message) -> None:
        chunks.append(message.get("body", b""))

    await app(scope, receive, send)
    return b"".join(chunks).decode()


def events(stream: str) -> list[tuple[str, dict[str, Any]]]:
    """Names and data of a stream's events."""
    blocks = (block.splitlines() for block in stream.split("\n\n"))
    fields = (dict(line.split(": ", 1) for line in b if not line.startswith(":")) for b in blocks)
    return [(f["event"], json.loads(f["data"])) for f in fields if f]


def answer(stream: str) -> str:
    """What was said; raises when the turn did not end well."""
    told = events(stream)
    assert told[-1][0] == "done", told[-1]
    return "".join(data["text"] for name, data in told if name == "delta")


async def measure(house: House, size: Size) -> dict[str, float]:
    """The figures of the table's rows about turns."""
    stack = house.stack()
    pairs = [Pair(number, size.of_each) for number in range(min(size.users, 5))]
    fill(stack.database, pairs)
    async with world_on(stack) as world, serving(world) as service:
        await until_the_model(service, pairs, size.turns, seed=2)
        with connected(stack.database) as connection:
            connection.execute("VACUUM ANALYZE")  # as autovacuum does once there are conversations
        waits = await until_the_model(service, pairs, size.turns, seed=3)
        per_delta = await of_a_delta(service, pairs[0], size.deltas)
        await at_once(service, size.streams)
    async with (
        proxy_to(stack.socket) as proxy,
        world_on(stack, proxy.port) as world,
        serving(world) as service,
    ):
        before, after = await round_trips(service, pairs[0], proxy.queries)
    house.drop(stack)
    return {
        "p50_ms": p50_ms(waits),
        "p99_ms": p99_ms(waits),
        "round_trips_before": before,
        "round_trips_after": after,
        "ms_per_delta": per_delta,
    }


async def until_the_model(
    service: Service, pairs: Sequence[Pair], tries: int, seed: int
) -> list[float]:
    """Seconds from request to model, in sessions that go on."""
    called: list[float] = []
    service.echo.on_stream = lambda: called.append(time.perf_counter())
    dice, sessions, waits = random.Random(seed), dict[int, str](), list[float]()
    for number in range(WARM + tries):
        pair = pairs[number % len(pairs)]
        started = time.perf_counter()
        told = await service.talk(pair, stock.question(dice), sessions.get(pair.number))
        assert answer(told)
        sessions[pair.number] = events(told)[0][1]["sessionId"]
        waits.append(called.pop() - started)
    return waits[WARM:]


async def of_a_delta(service: Service, pair: Pair, deltas: int) -> float:
    """Milliseconds that each delta adds, from the model to the server's hands."""
    times = []
    for count in (1, deltas, 1, deltas, 1, deltas):
        service.echo.deltas = count
        started = time.perf_counter()
        assert len(answer(await service.talk(pair, "안녕"))) == 2 * count
        times.append(time.perf_counter() - started)
    service.echo.deltas = 1
    added = sorted(long - short for short, long in list(pairwise(times))[::2])
    return round(added[1] / (deltas - 1) * 1000, 4)


async def at_once(service: Service, streams: int) -> None:
    """Many streams in one process; raises when one is lost or hears another's words."""
    character = show("char", await service.world.character())
    service.echo.deltas = 20
    said = [f"나는 {number}번이야." for number in range(streams)]
    told = await asyncio.gather(
        *(service.say(UserId(f"stream-{text}"), text, characterId=character) for text in said)
    )
    service.echo.deltas = 1
    assert [answer(one) for one in told] == [text * 20 for text in said]


async def round_trips(service: Service, pair: Pair, queries: list[str]) -> tuple[int, int]:
    """Of a turn in an open session: before its model is called, and after."""
    first = events(await service.talk(pair, "처음"))
    queries.clear()
    before: list[int] = []
    service.echo.on_stream = lambda: before.append(len(queries))
    assert answer(await service.talk(pair, "다음", first[0][1]["sessionId"]))
    return before[0], len(queries) - before[0]
