"""Rewind, edit, reroll and reset over HTTP: their contract, their refusals, nonsense."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from gieok.ids import new_id, show
from tests.support.laptop import Api, chat, events

Json = dict[str, Any]


def user() -> str:
    return f"user-{uuid4().hex}"


async def talk(api: Api, me: str, *messages: str) -> str:
    """Say all in one new session."""
    session: str | None = None
    for message in messages:
        told = await chat(api, me, message=message, **({"sessionId": session} if session else {}))
        session = told[0][1]["sessionId"]
    assert session
    return session


async def messages_of(api: Api, me: str, session: str) -> list[Json]:
    """Raw messages, oldest first."""
    answer = await api.get(f"/v1/sessions/{session}/messages?limit=100", me)
    return list(reversed(answer.json()["messages"]))


async def patch(api: Api, path: str, me: str, body: object) -> Any:
    return await api.client.patch(path, json=body, headers=api.headers(me))


async def test_a_conversation_is_taken_back_to_a_message(api: Api) -> None:
    me = user()
    session = await talk(api, me, "첫 마디", "둘째 마디", "셋째 마디")
    to = (await messages_of(api, me, session))[2]["id"]
    for _ in range(2):
        answer = await api.post(f"/v1/sessions/{session}/rewind", me, {"toMessageId": to})
        assert answer.status_code == 200
        assert answer.json()["messageCount"] == 3
    told = await messages_of(api, me, session)
    assert [m["role"] for m in told] == ["user", "assistant", "user"]
    assert told[-1]["text"] == "둘째 마디"
    assert (await chat(api, me, message="다른 말", sessionId=session))[-1][0] == "done"


async def test_a_message_is_edited_and_says_so(api: Api) -> None:
    me = user()
    session = await talk(api, me, "첫 마디")
    before, answer = await messages_of(api, me, session)
    edited = await patch(api, f"/v1/messages/{before['id']}", me, {"text": "고친 마디"})
    assert edited.status_code == 200
    assert before["editedAt"] is None
    assert edited.json()["editedAt"]
    assert edited.json() | {"editedAt": None, "text": "첫 마디"} == before
    assert (await messages_of(api, me, session))[1] == answer


async def test_another_answer_streams_like_the_first_and_comes_once(api: Api) -> None:
    me = user()
    session = await talk(api, me, "첫 마디")
    old = (await messages_of(api, me, session))[1]["id"]
    body = {"clientMessageId": "again-1"}
    first = await api.post(f"/v1/messages/{old}/reroll", me, body)
    assert first.headers["content-type"].startswith("text/event-stream")
    names = [name for name, _ in events(first.text)]
    assert (names[0], names[-1], set(names[1:-1])) == ("meta", "done", {"delta"})
    again = await api.post(f"/v1/messages/{old}/reroll", me, body)
    assert events(again.text)[-1] == events(first.text)[-1]
    messages = await messages_of(api, me, session)
    assert [m["id"] for m in messages][1] == events(first.text)[-1][1]["messageId"] != old
    stored = (await api.get("/v1/chat/again-1", me)).json()
    assert stored["events"][-1]["data"] == events(first.text)[-1][1]
    gone = await api.post(f"/v1/messages/{old}/reroll", me, {})
    assert gone.status_code == 404


async def test_a_reset_leaves_no_conversation_with_that_character(api: Api) -> None:
    me = user()
    session = await talk(api, me, "첫 마디")
    for _ in range(2):
        answer = await api.post(f"/v1/characters/{api.character}/reset", me, None)
        assert (answer.status_code, answer.text) == (204, "")
    assert (await api.get(f"/v1/sessions/{session}", me)).status_code == 404
    assert (await api.get("/v1/sessions", me)).json()["sessions"] == []
    assert await talk(api, me, "처음 뵙겠습니다")


async def test_what_is_anothers_does_not_exist(api: Api) -> None:
    me, thief = user(), user()
    session = await talk(api, me, "비밀 마디")
    mine = (await messages_of(api, me, session))[0]["id"]
    refused = [
        await api.post(f"/v1/sessions/{session}/rewind", thief, {"toMessageId": mine}),
        await patch(api, f"/v1/messages/{mine}", thief, {"text": "바꿔치기"}),
        await api.post(f"/v1/messages/{mine}/reroll", thief, {}),
    ]
    assert {(r.status_code, r.json()["code"]) for r in refused} == {(404, "not_found")}
    assert (await api.post(f"/v1/characters/{api.character}/reset", thief, None)).status_code == 204
    assert (await messages_of(api, me, session))[0]["text"] == "비밀 마디"


NOBODY = show("msg", new_id())
NONSENSE: list[tuple[str, str, object, int]] = [
    ("POST", "/v1/sessions/talk_1/rewind", {"toMessageId": NOBODY}, 422),
    ("POST", f"/v1/sessions/{show('talk', new_id())}/rewind", {"toMessageId": NOBODY}, 404),
    ("POST", f"/v1/sessions/{show('talk', new_id())}/rewind", {"toMessageId": "msg_"}, 422),
    ("POST", f"/v1/sessions/{show('talk', new_id())}/rewind", {"toMessageId": 7}, 422),
    ("POST", f"/v1/sessions/{show('talk', new_id())}/rewind", {}, 422),
    ("PATCH", f"/v1/messages/{NOBODY}", {"text": "가"}, 404),
    ("PATCH", f"/v1/messages/{NOBODY}", {"text": " "}, 422),
    ("PATCH", f"/v1/messages/{NOBODY}", {"text": "가" * 8001}, 422),
    ("PATCH", f"/v1/messages/{NOBODY}", {"text": "가", "role": "system"}, 422),
    ("PATCH", "/v1/messages/' OR 1=1", {"text": "가"}, 422),
    ("POST", f"/v1/messages/{NOBODY}/reroll", {}, 404),
    ("POST", f"/v1/messages/{NOBODY}/reroll", {"timeZone": "../etc"}, 422),
    ("POST", f"/v1/messages/{NOBODY}/reroll", {"clientMessageId": "한글"}, 422),
    ("POST", f"/v1/messages/{NOBODY}/reroll", {"locale": "xx"}, 422),
    ("POST", f"/v1/characters/{show('char', new_id())}/reset", None, 404),
    ("POST", "/v1/characters/char_x/reset", None, 422),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), NONSENSE)
async def test_nonsense_is_refused_as_a_problem(
    api: Api, method: str, path: str, body: object, status: int
) -> None:
    answer = await api.client.request(method, path, json=body, headers=api.headers(user()))
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_client_message_id_with_another_text_is_a_conflict(api: Api) -> None:
    me = user()
    await chat(api, me, message="첫 마디", clientMessageId="m-1")
    answer = await api.post(
        "/v1/chat",
        me,
        {"characterId": api.character, "message": "다른 말", "clientMessageId": "m-1"},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "message_id_reused")
    assert "다른" not in answer.text


async def test_many_at_once_leave_one_consistent_conversation(api: Api) -> None:
    me = user()
    session = await talk(api, me, "첫 마디", "둘째 마디")
    told = await messages_of(api, me, session)
    asked = [
        api.post(f"/v1/messages/{told[3]['id']}/reroll", me, {}),
        api.post(f"/v1/sessions/{session}/rewind", me, {"toMessageId": told[1]["id"]}),
        patch(api, f"/v1/messages/{told[0]['id']}", me, {"text": "고친 마디"}),
        api.post("/v1/chat", me, {"sessionId": session, "message": "셋째 마디"}),
        api.post(f"/v1/messages/{told[3]['id']}/reroll", me, {}),
    ]
    answers = await asyncio.gather(*asked)
    assert {a.status_code for a in answers} <= {200, 404, 409}
    left = await messages_of(api, me, session)
    counted = (await api.get(f"/v1/sessions/{session}", me)).json()["messageCount"]
    assert counted == len(left)
    assert len({m["turnNumber"] for m in left if m["role"] == "user"}) == sum(
        m["role"] == "user" for m in left
    )
    assert (await chat(api, me, message="끝", sessionId=session))[-1][0] == "done"
