"""The HTTP contract: streams, problems, tokens, nonsense. Against the app under uvicorn."""

import asyncio
import base64
import json
import time
from collections.abc import Mapping
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from gieok.ids import new_id, show
from tests.support.laptop import Api, Json, chat, user


async def test_a_stream_is_one_meta_then_deltas_then_one_done(api: Api) -> None:
    told = await chat(api, user(), message="안녕, 반가워!")
    names = [name for name, _ in told]
    assert names[0] == "meta"
    assert names[-1] == "done"
    assert set(names[1:-1]) == {"delta"}
    meta, done = told[0][1], told[-1][1]
    assert set(meta) == {
        "requestId", "sessionId", "newSession", "historyWindowTurns", "historyTurns",
        "earlierTurns", "recall", "recallReason", "rewrite", "memorySearchTopK",
        "memoryHitCount", "memories", "memoryCuts", "slots",
    }  # fmt: skip
    assert set(done) == {
        "requestId", "messageId", "fallbackUsed", "finishReason", "model", "actualPromptTokens",
        "actualCompletionTokens", "actualTotalTokens", "memoryHitCount", "generationQueued",
    }  # fmt: skip
    assert done["actualTotalTokens"] is None, "the offline rules report no tokens"


async def test_a_session_is_listed_read_and_ended(api: Api) -> None:
    me = user()
    session = (await chat(api, me, message="첫 마디"))[0][1]["sessionId"]
    await chat(api, me, message="둘째 마디", sessionId=session)
    listed = (await api.get("/v1/sessions", me)).json()
    assert [s["id"] for s in listed["sessions"]] == [session]
    assert listed["sessions"][0]["messageCount"] == 4
    messages = (await api.get(f"/v1/sessions/{session}/messages?limit=3", me)).json()
    assert [m["role"] for m in messages["messages"]] == ["assistant", "user", "assistant"]
    rest = await api.get(
        f"/v1/sessions/{session}/messages?limit=3&cursor={messages['nextCursor']}", me
    )
    assert [m["text"] for m in rest.json()["messages"]] == ["첫 마디"]
    assert rest.json()["nextCursor"] is None
    ended = await api.post(f"/v1/sessions/{session}/end", me, None)
    assert ended.json()["status"] == "archived"
    assert (await api.post(f"/v1/sessions/{session}/end", me, None)).status_code == 200
    refused = await api.post("/v1/chat", me, {"sessionId": session, "message": "또"})
    assert (refused.status_code, refused.json()["code"]) == (409, "session_closed")


async def test_a_session_can_be_opened_before_anything_is_said(api: Api) -> None:
    me = user()
    made = await api.post("/v1/sessions", me, {"characterId": api.character})
    assert made.status_code == 201
    told = await chat(api, me, message="안녕", sessionId=made.json()["id"])
    assert told[0][1]["newSession"] is False


async def test_the_outcome_of_a_cut_stream_can_be_fetched(api: Api) -> None:
    me = user()
    async with api.client.stream(
        "POST",
        "/v1/chat",
        json={"characterId": api.character, "message": "끊길 말", "clientMessageId": "cut"},
        headers=api.headers(me),
    ) as answer:
        async for _ in answer.aiter_bytes():
            break  # the client leaves at the first byte
    for _ in range(100):
        outcome = (await api.get("/v1/chat/cut", me)).json()
        if outcome.get("state") == "done":
            break
        await asyncio.sleep(0.05)
    assert [e["event"] for e in outcome["events"]] == ["meta", "delta", "done"]
    again = await chat(api, me, message="끊길 말", clientMessageId="cut")
    assert again[-1][1]["messageId"] == outcome["events"][-1]["data"]["messageId"]


BAD_BODIES: list[tuple[bytes, int, str]] = [
    (b"", 400, "malformed_body"),
    (b"{", 400, "malformed_body"),
    (b"\xff\xfe", 400, "malformed_body"),
    (b"[]", 422, "invalid_request"),
    (b"null", 422, "invalid_request"),
    (b"{}", 422, "invalid_request"),
    (b'{"message": 5}', 422, "invalid_request"),
    (b'{"message": "x"}', 422, "invalid_request"),
    (b'{"message": "x", "unknown": 1}', 422, "invalid_request"),
    (b'{"message": "x", "characterId": "char_1"}', 422, "invalid_request"),
    (b'{"message": "x", "characterId": "%C", "characterIds": ["%C"]}', 422, "invalid_request"),
    (b'{"message": "x", "characterIds": []}', 422, "invalid_request"),
    (b'{"message": "x", "characterIds": ["%C", "%C"]}', 422, "invalid_request"),
    (b'{"message": "", "characterId": "%C"}', 422, "invalid_text"),
    (b'{"message": " \\u200b ", "characterId": "%C"}', 422, "invalid_text"),
    (b'{"message": "a\\u0000b", "characterId": "%C"}', 422, "invalid_text"),
    (b'{"message": "' + b"x" * 8001 + b'", "characterId": "%C"}', 422, "invalid_text"),
    (b'{"message": "x", "characterId": "%C", "timeZone": "../etc"}', 422, "invalid_request"),
    (b'{"message": "x", "characterId": "%C", "timeZone": "Mars"}', 422, "invalid_request"),
    (b'{"message": "x", "characterId": "%C", "locale": "xx"}', 422, "invalid_request"),
    (b'{"message": "x", "characterId": "%C", "locale": "korean"}', 422, "invalid_request"),
    (b'{"message": "x", "characterId": "%C", "locale": "zh-TW"}', 422, "invalid_request"),
    (b'{"message": "x", "characterId": "%C", "clientMessageId": ""}', 422, "invalid_request"),
    (
        b'{"message": "x", "characterId": "%C", "clientMessageId": "a\\u0000"}',
        422,
        "invalid_request",
    ),
    (
        '{"message": "x", "characterId": "%C", "clientMessageId": "말"}'.encode(),
        422,
        "invalid_request",
    ),
    (b'{"message": "x", "sessionId": "talk_' + b"0" * 32 + b'"}', 404, "not_found"),
    (b'{"message": "x", "characterId": "char_' + b"0" * 32 + b'"}', 404, "not_found"),
    (b'{"message": "' + b"x" * 140_000 + b'"}', 413, "body_too_large"),
    (b'{"message": "a' + b"\\u0334" * 31 + b'", "characterId": "%C"}', 422, "invalid_text"),
    (b'{"message": "' + "\ufdfa".encode() * 900 + b'", "characterId": "%C"}', 422, "invalid_text"),
    (b'{"message": "x", "characterId": "%C", "timeZone": "localtime"}', 422, "invalid_request"),
]


@pytest.mark.parametrize(("body", "status", "code"), BAD_BODIES)
async def test_nonsense_is_a_problem_document_and_changes_nothing(
    api: Api, body: bytes, status: int, code: str
) -> None:
    me = user()
    raw = body.replace(b"%C", api.character.encode())
    answer = await api.client.post("/v1/chat", content=raw, headers=api.headers(me))
    assert_problem(answer, status, code)
    assert (await api.get("/v1/sessions", me)).json()["sessions"] == []


@pytest.mark.parametrize(
    "message",
    [
        b"\\ud83d\\ude00" * 8_000,
        b"paste\\rd\\u000bfrom\\fa page",
        "\u1112\u1161\u11ab".encode() * 8_000,
    ],
    ids=["emoji as escapes", "line ends", "syllables in pieces"],
)
async def test_what_people_send_is_taken_however_it_is_spelled(api: Api, message: bytes) -> None:
    raw = b'{"message": "%s", "characterId": "%s"}' % (message, api.character.encode())
    answer = await api.client.post("/v1/chat", content=raw, headers=api.headers(user()))
    assert answer.status_code == 200, answer.text[:200]
    assert "event: done" in answer.text


async def test_a_query_parameter_that_nobody_reads_is_refused_everywhere(api: Api) -> None:
    document = (await api.client.get("/openapi.json")).json()
    me = user()
    await chat(api, me, message="안녕")
    for path, operations in document["paths"].items():
        for method in operations:
            url = f"{path.replace('{id}', 'x')}?characterID={api.character}"
            answer = await api.client.request(method.upper(), url, headers=api.headers(me))
            assert_problem(answer, 422, "invalid_request")
            assert "query parameter" in answer.json()["detail"], (method, path)


async def test_a_lone_surrogate_is_refused(api: Api) -> None:
    me = user()
    raw = b'{"message": "\\ud800", "characterId": "%s"}' % api.character.encode()
    answer = await api.client.post("/v1/chat", content=raw, headers=api.headers(me))
    assert answer.status_code in (400, 422)
    assert (await api.get("/v1/sessions", me)).json()["sessions"] == []


@pytest.mark.parametrize("locale", ["ko", "ko-KR", "en-US", "ja-JP", "ko-Kore-KR"])
async def test_a_locale_may_name_its_region_as_browsers_do(api: Api, locale: str) -> None:
    told = await chat(api, user(), message="안녕", locale=locale)
    assert told[-1][0] == "done"
    body = {"characterId": api.character, "query": "안녕", "locale": locale}
    assert (await api.post("/v1/recall", user(), body)).status_code == 200


async def test_what_is_asked_for_twice_or_too_late_says_why_in_a_sentence(api: Api) -> None:
    me = user()
    session = (await chat(api, me, message="하나"))[0][1]["sessionId"]
    await api.post(f"/v1/sessions/{session}/end", me, None)
    closed = await api.post("/v1/chat", me, {"sessionId": session, "message": "둘"})
    assert closed.json()["detail"] == (
        "the session was ended or has expired; a new one keeps its memories"
    )


def assert_problem(answer: httpx.Response, status: int, code: str) -> None:
    """A problem document of that status and code."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert set(problem) == {"type", "title", "status", "detail", "code", "requestId"}
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["detail"]
    assert answer.headers["x-request-id"] == problem["requestId"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/sessions"),
        ("POST", "/v1/sessions"),
        ("GET", "/v1/sessions/talk_x"),
        ("POST", "/v1/chat"),
        ("GET", "/v1/chat/x"),
        ("GET", "/v1/characters"),
        ("GET", "/v1/memories"),
        ("DELETE", "/v1/memories/mem_x"),
    ],
)
async def test_nothing_is_told_without_a_token(api: Api, method: str, path: str) -> None:
    answer = await api.client.request(method, path, content=b"{}")
    assert_problem(answer, 401, "unauthorized")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_every_operation_of_the_document_asks_for_a_token(api: Api) -> None:
    document = (await api.client.get("/openapi.json")).json()
    for path, operations in document["paths"].items():
        for method in operations:
            url = path.replace("{id}", "x")
            answer = await api.client.request(method.upper(), url, content=b"{}")
            assert answer.status_code == 401, (method, path)


def claims(**changes: Any) -> Json:
    now = int(time.time())
    good = {"sub": "me", "iss": "ISS", "aud": "AUD", "iat": now, "exp": now + 600}
    return {k: v for k, v in (good | changes).items() if v is not None}


RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC = ec.generate_private_key(ec.SECP256R1())


async def test_forged_expired_and_confused_tokens_are_refused_without_detail(api: Api) -> None:
    genuine = api.token("me")
    header = jwt.get_unverified_header(genuine)
    kid, real = header["kid"], jwt.decode(genuine, options={"verify_signature": False})
    good = {"iss": real["iss"], "aud": real["aud"]}
    head, body, signature = genuine.split(".")
    forged = {
        "another key": jwt.encode(claims(**good), RSA, "RS256", {"kid": kid}),
        "another curve key": jwt.encode(claims(**good), EC, "ES256", {"kid": kid}),
        "no signature": jwt.encode(claims(**good), "", "none", {"kid": kid}),
        "hmac with the public key's id": jwt.encode(claims(**good), kid * 4, "HS256", {"kid": kid}),
        "unknown key": jwt.encode(claims(**good), RSA, "RS256", {"kid": "who"}),
        "no key id": jwt.encode(claims(**good), RSA, "RS256"),
        "other body": ".".join((head, changed(body, sub="somebody-else"), signature)),
        "cut": genuine[:-4],
        "not a token": "x.y.z",
        "header games": "\u0000".join(("a", "b")).encode().hex(),
    }
    headerless = await api.client.get("/v1/sessions", headers={"authorization": "Bearer"})
    assert headerless.status_code == 401
    for name, token in forged.items():
        answer = await api.client.get("/v1/sessions", headers={"authorization": f"Bearer {token}"})
        assert answer.status_code == 401, name
        assert answer.json()["detail"] == "Not authenticated", name


def changed(part: str, **changes: str) -> str:
    """A token's part with other claims."""
    claims_ = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return base64.urlsafe_b64encode(json.dumps(claims_ | changes).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": int(time.time()) - 120},
        {"exp": None},
        {"aud": "other"},
        {"aud": None},
        {"iss": "other"},
        {"iss": None},
        {"sub": None},
        {"sub": ""},
        {"sub": "a\u0000b"},
        {"sub": "x" * 256},
        {"sub": "한" * 86},
        {"nbf": int(time.time()) + 600},
    ],
)
async def test_a_token_signed_by_the_issuer_must_still_say_the_right_things(
    api: Api, changes: Mapping[str, Any]
) -> None:
    answer = await api.client.get(
        "/v1/sessions", headers={"authorization": f"Bearer {api.sign(**changes)}"}
    )
    assert_problem(answer, 401, "unauthorized")


async def test_the_clock_may_be_a_little_off(api: Api) -> None:
    token = api.sign(exp=int(time.time()) - 30)
    answer = await api.client.get("/v1/sessions", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200


async def test_the_token_may_come_in_the_header_that_a_signing_cdn_leaves_alone(api: Api) -> None:
    headers = {"x-gieok-authorization": f"Bearer {api.token('me')}", "authorization": "AWS4 sig"}
    assert (await api.client.get("/v1/sessions", headers=headers)).status_code == 200


async def test_another_users_things_are_not_found(api: Api) -> None:
    owner, thief = user(), user()
    session = (await chat(api, owner, message="비밀"))[0][1]["sessionId"]
    for method, path in (
        ("GET", f"/v1/sessions/{session}"),
        ("GET", f"/v1/sessions/{session}/messages"),
        ("POST", f"/v1/sessions/{session}/end"),
        ("GET", f"/v1/memories/{show('mem', new_id())}"),
        ("DELETE", f"/v1/memories/{show('mem', new_id())}"),
    ):
        answer = await api.client.request(method, path, headers=api.headers(thief))
        assert_problem(answer, 404, "not_found")
    answer = await api.post("/v1/chat", thief, {"sessionId": session, "message": "들려줘"})
    assert_problem(answer, 404, "not_found")


@pytest.mark.parametrize("limit", ["0", "101", "-1", "x", "1e2", "٣", "9" * 30])
async def test_a_page_has_a_size_within_bounds(api: Api, limit: str) -> None:
    answer = await api.client.get(
        "/v1/memories", params={"limit": limit}, headers=api.headers(user())
    )
    assert_problem(answer, 422, "invalid_request")


@pytest.mark.parametrize("cursor", ["x", "mem_", "talk_" + "0" * 32, "mem_" + "0" * 31])
async def test_a_cursor_is_an_id_of_its_kind(api: Api, cursor: str) -> None:
    answer = await api.client.get(
        "/v1/memories", params={"cursor": cursor}, headers=api.headers(user())
    )
    assert_problem(answer, 422, "invalid_id")


@pytest.mark.parametrize("name", ["%00", "a%00b", "x" * 200])
async def test_a_turns_id_that_none_can_have_is_refused(api: Api, name: str) -> None:
    assert_problem(await api.get(f"/v1/chat/{name}", user()), 422, "invalid_text")


@pytest.mark.parametrize("path", ["/v2", "/v1", "/v1/nothing", "/%00", "/../etc/passwd"])
async def test_unknown_paths_are_problems_too(api: Api, path: str) -> None:
    assert_problem(await api.client.get(path), 404, "not_found")


async def test_a_wrong_method_is_a_problem_too(api: Api) -> None:
    answer = await api.client.delete("/v1/characters", headers=api.headers(user()))
    assert_problem(answer, 405, "method_not_allowed")


async def test_every_operation_of_the_document_says_what_it_does(api: Api) -> None:
    document = (await api.client.get("/openapi.json")).json()
    told = {o["operationId"]: o for path in document["paths"].values() for o in path.values()}
    assert all(o["summary"] and o["description"] for o in told.values())
    assert "pinned" in told["rewind_session"]["description"]
    assert "turn_in_progress" in told["edit_message"]["description"]


async def test_health_needs_no_token(api: Api) -> None:
    assert (await api.client.get("/healthz")).text == "ok"


async def test_a_page_can_ask_whether_only_the_offline_rules_speak_here(api: Api) -> None:
    assert (await api.get("/v1/models", user())).json() == {"offline": True}


async def test_one_turn_runs_at_a_time_in_a_session_and_the_rest_are_409(api: Api) -> None:
    me = user()
    session = (await chat(api, me, message="하나"))[0][1]["sessionId"]
    answers = await asyncio.gather(
        *(api.post("/v1/chat", me, {"sessionId": session, "message": f"{i}번"}) for i in range(6))
    )
    statuses = sorted(a.status_code for a in answers)
    assert set(statuses) <= {200, 409}
    for answer in answers:
        if answer.status_code == 409:
            assert_problem(answer, 409, "turn_in_progress")
            assert answer.headers["retry-after"] == "1"


async def test_streams_at_once_do_not_mix(api: Api) -> None:
    """Every stream is told its own turn and nothing of another's."""
    users = [user() for _ in range(10)]  # four turns of one user run at once
    told = await asyncio.gather(
        *(
            chat(api, users[i % 10], message=f"나는 {i}번 이야기를 해", clientMessageId=f"m{i}")
            for i in range(40)
        )
    )
    assert len({t[0][1]["sessionId"] for t in told}) == 40
    for i, stream in enumerate(told):
        text = "".join(data["text"] for name, data in stream if name == "delta")
        others = [f"{j}번 이야기" for j in range(40) if j != i]
        assert not [o for o in others if f" {o}" in text]
        ids = {data["requestId"] for name, data in stream if name != "delta"}
        assert len(ids) == 1
