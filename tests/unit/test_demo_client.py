"""The demonstration's client keeps the HTTP contract, and its failures are one clear line."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from infra.local.demo import __main__ as demo
from infra.local.demo.__main__ import main
from infra.local.demo.client import Character, Gieok, Reply, ServerFailed, connect
from infra.local.demo.conversation import Conversation, korean

MOCHI = Character("char_1", "모찌", "ko")
META = 'event: meta\ndata: {"requestId":"req_1","sessionId":"talk_1","memories":["mem_2"]}\n\n'
DONE = 'event: done\ndata: {"generationQueued":true}\n\n'
Handler = Callable[[httpx.Request], httpx.Response]


@asynccontextmanager
async def _served(handler: Handler) -> AsyncIterator[Gieok]:
    transport = httpx.MockTransport(handler)
    async with httpx.AsyncClient(base_url="http://test", transport=transport) as http:
        yield Gieok(http)


def _always(text: str, status: int = 200) -> Handler:
    return lambda _: httpx.Response(status, text=text)


async def test_a_turn_sends_what_the_contract_names_and_returns_what_was_recalled() -> None:
    sent = []

    def handle(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content))
        return httpx.Response(200, text=f": open\n\n{META}{DONE}")

    async with _served(handle) as server:
        assert await server.say(MOCHI, None, "안녕") == Reply("talk_1", ("mem_2",), True)
        await server.say(MOCHI, "talk_1", "응")
    assert "sessionId" not in sent[0]
    assert sent[1]["sessionId"] == "talk_1"
    assert (sent[0]["characterId"], sent[0]["timeZone"]) == ("char_1", "Asia/Seoul")
    assert sent[0]["clientMessageId"] != sent[1]["clientMessageId"]


async def test_a_token_is_asked_for_once_and_sent_with_every_request() -> None:
    headers = []

    def handle(request: httpx.Request) -> httpx.Response:
        headers.append(request.headers.get("Authorization"))
        body: object = {"accessToken": "abc", "characters": [{"id": "char_1", "name": "모찌"}]}
        return httpx.Response(200, json=body)

    async with _served(handle) as server:
        await server.sign_in("demo-1")
        await server.character("ko")
    assert headers == [None, "Bearer abc"]


async def test_the_character_speaks_the_conversations_language_where_one_does() -> None:
    both = [{"id": "a", "name": "A", "locale": "en"}, {"id": "b", "name": "B", "locale": "ko"}]
    async with _served(_always(json.dumps({"characters": both}))) as server:
        assert (await server.character("ko")).id == "b"
        assert (await server.character("ja")).id == "a"
    async with _served(_always('{"characters": []}')) as server:
        with pytest.raises(ServerFailed, match="no characters"):
            await server.character("ko")


async def test_memories_are_read_over_all_pages() -> None:
    one, two, three = ({"id": f"mem_{n}", "summary": "", "details": []} for n in (1, 2, 3))
    pages = {
        "": {"memories": [one, two], "nextCursor": "c/1="},
        "c/1=": {"memories": [three], "nextCursor": None},
    }

    def handle(request: httpx.Request) -> httpx.Response:
        assert request.url.params["characterId"] == "char_1"
        return httpx.Response(200, json=pages[request.url.params.get("cursor", "")])

    async with _served(handle) as server:
        assert [m.id for m in await server.memories(MOCHI)] == ["mem_1", "mem_2", "mem_3"]


async def test_a_rate_limit_is_waited_out(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    answers = [
        httpx.Response(429, headers={"Retry-After": "7"}),
        httpx.Response(429),
        httpx.Response(200, text="{}"),
    ]
    async with _served(lambda _: answers.pop(0)) as server:
        await server.end("talk_1")
        assert (waits, server.held_s) == ([7.0, 1.0], 8.0)
    assert answers == []


async def test_a_rate_limit_without_end_is_a_failure() -> None:
    limited = httpx.Response(429, headers={"Retry-After": "0"})
    async with _served(lambda _: limited) as server:
        with pytest.raises(ServerFailed, match=r"POST /v1/sessions/talk_1/end is still rate"):
            await server.end("talk_1")


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (META, "without `meta` and `done`"),
        (DONE, "without `meta` and `done`"),
        (META + 'event: error\ndata: {"code":"database","message":"gone"}\n\n', "database: gone"),
        ("event: meta\ndata: [1]\n\n", "not as documented"),
    ],
)
async def test_a_turn_that_breaks_off_is_a_failure(stream: str, reason: str) -> None:
    async with _served(_always(stream)) as server:
        with pytest.raises(ServerFailed, match=reason):
            await server.say(MOCHI, None, "안녕")


async def test_a_problem_document_becomes_one_line() -> None:
    problem = '{"status":404,"code":"not_found","detail":"no such memory"}'
    async with _served(_always(problem, 404)) as server:
        with pytest.raises(ServerFailed, match=r"GET /v1/memories/m → 404 not_found: no such mem"):
            await server.memory("m")
    async with _served(_always("<html>", 502)) as server:
        with pytest.raises(ServerFailed, match="502 without a problem document"):
            await server.memory("m")


async def test_a_server_that_breaks_off_is_a_failure() -> None:
    with pytest.raises(ServerFailed, match=r"http://test broke off \(ReadTimeout\)"):
        async with connect("http://test"):
            raise httpx.ReadTimeout("words of a user")


def test_without_a_server_the_demonstration_ends_with_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        assert main(["--url", url, "--set", "korean"]) == 1
    line = f"nothing answers at {url}: start Gieok with `make run`\n"
    assert capsys.readouterr().err == line


def test_a_data_set_asked_for_by_name_must_be_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIEOK_DATA", str(tmp_path))
    assert main(["--set", "locomo"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "locomo10.json" in said.err
    assert "GIEOK_DATA" in said.err


def test_what_the_demonstration_leaves_out_is_said_when_it_is_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIEOK_DATA", str(tmp_path))

    async def show(url: str, conversation: Conversation) -> None:
        print(conversation.name)

    monkeypatch.setattr(demo, "_show", show)
    assert main([]) == 0
    shown, _, left_out = capsys.readouterr().out.partition("\n\n")
    assert shown == korean().name
    assert left_out.startswith("There is an English conversation, too")
    assert str(tmp_path) not in left_out
    assert main(["--set", "korean"]) == 0
    assert capsys.readouterr().out == f"{korean().name}\n"
