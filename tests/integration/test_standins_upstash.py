"""The stand-in for Upstash, spoken to by Upstash's own SDK, and by hand where that hides much."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from upstash_redis.asyncio import Redis
from upstash_redis.errors import UpstashError

from infra.local.processes.family import Family
from infra.local.servers import http_server, valkey
from infra.local.servers.upstash import Faults, Upstash

TOKEN = "a-token"
RELEASE = (
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
)


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    app: Upstash
    family: Family
    sockets: Path

    async def post(self, path: str, content: str, **headers: str) -> httpx.Response:
        async with httpx.AsyncClient(base_url=self.url) as client:
            sent = {"Authorization": f"Bearer {TOKEN}"} | headers
            return await client.post(path, content=content.encode(), headers=sent)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("upstash")
    with Family(folder / "children", folder) as family:
        app = Upstash(valkey.start(folder, family), TOKEN)
        port = http_server.bind()
        url = http_server.url_of(port)
        with http_server.serving(app, port):
            yield Server(url, app, family, folder)


@pytest.fixture
async def redis(server: Server) -> AsyncIterator[Redis]:
    async with Redis(server.url, TOKEN, rest_retries=0, allow_telemetry=False) as client:
        await client.flushall()
        yield client


@pytest.fixture
def faults(server: Server) -> Iterator[Faults]:
    server.app.faults = Faults()
    yield server.app.faults
    server.app.faults = Faults()


@pytest.mark.parametrize("text", ["한글 ㅋㅋ", "🫶", "OK", "", "a\r\n+b\x00", "0"])
async def test_text_comes_back_as_it_was_sent(redis: Redis, text: str) -> None:
    await redis.set("key", text)
    assert await redis.get("key") == text
    assert await redis.mget("key", "missing") == [text, None]


async def test_a_key_that_is_taken_is_not_set(redis: Redis) -> None:
    assert await redis.set("lock", "mine", nx=True, ex=60)
    assert not await redis.set("lock", "yours", nx=True, ex=60)
    assert 0 < await redis.ttl("lock") <= 60


async def test_a_script_releases_only_its_owners_lock(redis: Redis) -> None:
    await redis.set("lock", "mine")
    assert await redis.eval(RELEASE, ["lock"], ["yours"]) == 0
    assert await redis.eval(RELEASE, ["lock"], ["mine"]) == 1
    assert await redis.get("lock") is None


async def test_an_error_keeps_its_prefix(redis: Redis, server: Server) -> None:
    await redis.set("text", "a")
    with pytest.raises(UpstashError, match=r"^WRONGTYPE "):
        await redis.lpush("text", "b")
    answer = await server.post("/", '["LPUSH", "text", "b"]')
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"]


async def test_a_pipeline_answers_each_command_by_itself(redis: Redis, server: Server) -> None:
    pipeline = redis.pipeline()
    pipeline.set("n", 1)
    pipeline.incr("n")
    assert await pipeline.exec() == [True, 2]
    answer = await server.post("/pipeline", '[["SET", "a", 1], ["LPUSH", "a", 1], ["GET", "a"]]')
    results = answer.json()
    assert (answer.status_code, results[0], results[2]) == (200, {"result": "OK"}, {"result": "1"})
    assert results[1]["error"].startswith("WRONGTYPE ")


async def test_a_transaction_is_done_as_a_whole_or_not_at_all(redis: Redis, server: Server) -> None:
    transaction = redis.multi()
    transaction.set("n", 1)
    transaction.incr("n")
    assert await transaction.exec() == [True, 2]
    answer = await server.post("/multi-exec", '[["SET", "n", 9], ["NOSUCH"]]')
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("EXECABORT ")
    assert await redis.get("n") == "2"


async def test_transactions_at_the_same_time_do_not_mix(redis: Redis) -> None:
    async def twice() -> Any:
        transaction = redis.multi()
        transaction.incr("n")
        transaction.incr("n")
        return await transaction.exec()

    pairs = await asyncio.gather(*(twice() for _ in range(30)))
    assert sorted(first for first, _ in pairs) == list(range(1, 61, 2))
    assert all(second == first + 1 for first, second in pairs)


async def test_only_the_token_opens_the_door(server: Server) -> None:
    for given in ("", "Bearer", "Bearer wrong", TOKEN, f"Basic {TOKEN}", f"bearer {TOKEN}"):
        answer = await server.post("/", '["PING"]', Authorization=given)
        assert answer.status_code == 401, given
        assert list(answer.json()) == ["error"]


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/", "["),
        ("/", ""),
        ("/", "{}"),
        ("/", "[]"),
        ("/", "[null]"),
        ("/", '["SET", "a", true]'),
        ("/", '["SET", "a", ["b"]]'),
        ("/", '["SET", "a", "\\ud800"]'),
        ("/pipeline", '["PING"]'),
        ("/pipeline", '[["PING"], []]'),
        ("/multi-exec", "{}"),
    ],
)
async def test_nonsense_is_refused_and_nothing_of_it_is_run(
    redis: Redis, server: Server, path: str, content: str
) -> None:
    answer = await server.post(path, content)
    assert (answer.status_code, list(answer.json())) == (400, ["error"])
    assert await redis.dbsize() == 0


async def test_answers_are_plain_unless_base64_is_asked_for(redis: Redis, server: Server) -> None:
    await redis.mset({"key": "값", "ok": "OK"})
    plain = await server.post("/", '["MGET", "key", "ok"]')
    encoded = await server.post("/", '["MGET", "key", "ok"]', **{"Upstash-Encoding": "base64"})
    status = await server.post("/", '["SET", "key", "1"]', **{"Upstash-Encoding": "base64"})
    assert plain.json() == {"result": ["값", "OK"]}
    assert encoded.json() == {"result": ["6rCS", "T0s="]}
    assert status.json() == {"result": "OK"}


async def test_other_methods_are_refused(server: Server) -> None:
    async with httpx.AsyncClient(base_url=server.url) as client:
        assert (await client.delete("/")).status_code == 405


async def test_down_cuts_the_connection(redis: Redis, faults: Faults) -> None:
    faults.down = True
    with pytest.raises(httpx.TransportError):
        await redis.set("key", "value")
    faults.down = False
    assert await redis.get("key") is None


async def test_an_error_answer_runs_nothing(redis: Redis, faults: Faults) -> None:
    faults.error = "ERR max daily request limit exceeded"
    with pytest.raises(UpstashError, match=r"^ERR max daily"):
        await redis.set("key", "value")
    faults.error = ""
    assert await redis.get("key") is None


async def test_a_slow_server_outlasts_a_clients_patience(redis: Redis, faults: Faults) -> None:
    faults.slow_s = 0.5
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await redis.set("key", "value")
    faults.slow_s = 0
    async with asyncio.timeout(10):  # nobody waits any more, and still it is done
        while await redis.get("key") is None:
            pass


async def test_a_late_answer_is_lost_but_its_effect_is_not(redis: Redis, faults: Faults) -> None:
    faults.late_s = 0.5
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await redis.set("key", "value")
    faults.late_s = 0
    assert await redis.get("key") == "value"


async def test_it_comes_back_when_valkey_does(redis: Redis, server: Server) -> None:
    await redis.set("key", "value")
    for child in server.family.running("valkey"):
        child.stop()
    with pytest.raises(UpstashError, match="away"):
        await redis.get("key")
    valkey.start(server.sockets, server.family)
    assert await redis.get("key") is None
