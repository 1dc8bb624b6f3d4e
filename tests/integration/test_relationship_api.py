"""The relationship over HTTP: read, corrected, contradicted, restored; refused where it must be."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx
import pytest

from gieok.ids import new_id, show
from tests.support.laptop import Api

Json = dict[str, Any]


def somebody() -> str:
    return f"user-{uuid4().hex}"


def path(api: Api, character: str | None = None) -> str:
    return f"/v1/characters/{character or api.character}/relationship"


async def put(api: Api, user: str, body: object) -> httpx.Response:
    """PUT JSON as a user."""
    return await api.client.put(path(api), json=body, headers=api.headers(user))


async def read(api: Api, user: str, query: str = "") -> Json:
    """The relationship."""
    answer = await api.get(path(api) + query, user)
    assert answer.status_code == 200, answer.text
    body: Json = answer.json()
    return body


async def talk(api: Api, user: str, *messages: str) -> Json:
    """Say all in one session and end it; the relationship once it became a newer version."""
    before, session = (await read(api, user))["version"], None
    for message in messages:
        body = {"message": message} | (
            {"sessionId": session} if session else {"characterId": api.character}
        )
        answer = await api.post("/v1/chat", user, body)
        assert answer.status_code == 200, answer.text
        listed = await api.get("/v1/sessions?limit=1", user)
        session = listed.json()["sessions"][0]["id"]
    await api.post(f"/v1/sessions/{session}/end", user, None)
    for _ in range(600):
        now = await read(api, user)
        if now["version"] > before:
            return now
        await asyncio.sleep(0.05)
    raise AssertionError("no newer version came")


async def test_before_anything_is_said_a_relationship_is_empty(api: Api) -> None:
    assert await read(api, somebody()) == {
        "state": {
            "userCalled": "",
            "characterCalled": "",
            "speechLevel": "",
            "standing": "",
            "promises": [],
            "boundaries": [],
            "affection": 0,
        },
        "version": 0,
        "source": None,
        "held": [],
        "quotes": [],
        "updatedAt": None,
        "versions": [],
        "nextCursor": None,
    }


async def test_what_was_said_shows_with_its_words(api: Api) -> None:
    now = await talk(api, somebody(), "나를 써니라고 불러줘", "전 남자친구 얘기는 꺼내지 마")
    assert (now["version"], now["source"]) == (1, "window")
    assert now["state"]["userCalled"] == "써니"
    assert {"field": "userCalled", "speaker": "user", "text": "나를 써니라고 불러줘"} in now[
        "quotes"
    ]
    assert now["state"]["boundaries"] == ["전 남자친구 얘기는 꺼내지 마"]
    assert now["versions"][0]["quotes"] == now["quotes"]
    assert now["versions"][0]["createdAt"] == now["updatedAt"]


async def test_a_correction_holds_until_the_users_words_contradict_it(api: Api) -> None:
    me = somebody()
    await talk(api, me, "나를 써니라고 불러줘")
    answer = await put(api, me, {"userCalled": "지은", "affection": -20, "promises": []})
    assert answer.status_code == 200, answer.text
    corrected = answer.json()
    assert corrected == await read(api, me)
    assert (corrected["version"], corrected["source"]) == (2, "user")
    assert corrected["held"] == ["userCalled", "promises", "affection"]
    assert corrected["state"]["speechLevel"] == "반말", "what was not given stays"
    still = await talk(api, me, "다음 주에 이사해서 걱정이야. 꺼내지 마 회사 얘기는")
    assert (still["state"]["userCalled"], still["state"]["affection"]) == ("지은", -20)
    now = await talk(api, me, "이제 나를 민지라고 불러줘")
    assert now["state"]["userCalled"] == "민지"
    assert now["held"] == ["promises", "affection"]


async def test_a_version_can_be_restored(api: Api) -> None:
    me = somebody()
    for name in ("지은", "민지", "써니"):
        await put(api, me, {"userCalled": name})
    restored = (await put(api, me, {"restoreVersion": 1})).json()
    assert (restored["version"], restored["source"]) == (4, "restored")
    assert restored["state"]["userCalled"] == "지은"
    page = await read(api, me, "?limit=3")
    rest = await read(api, me, f"?limit=3&cursor={page['nextCursor']}")
    assert [v["version"] for v in page["versions"] + rest["versions"]] == [4, 3, 2, 1]
    assert rest["nextCursor"] is None


async def test_a_text_can_be_cleared(api: Api) -> None:
    me = somebody()
    await put(api, me, {"userCalled": "지은", "standing": "친구", "speechLevel": "반말"})
    now = (await put(api, me, {"userCalled": "", "speechLevel": ""})).json()
    assert (now["state"]["userCalled"], now["state"]["speechLevel"]) == ("", "")
    assert now["state"]["standing"] == "친구"


async def test_another_users_relationship_is_another(api: Api) -> None:
    me, other = somebody(), somebody()
    await put(api, me, {"userCalled": "나만의이름"})
    assert (await read(api, other))["version"] == 0
    refused = await put(api, other, {"restoreVersion": 1})
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    await put(api, other, {"userCalled": "남의이름"})
    assert (await read(api, me))["state"]["userCalled"] == "나만의이름"


async def test_an_unknown_character_has_none(api: Api) -> None:
    unknown = show("char", new_id())
    got = await api.get(path(api, unknown), somebody())
    sent = await api.client.put(
        path(api, unknown), json={"affection": 1}, headers=api.headers(somebody())
    )
    nonsense = await api.get(path(api, "char_1"), somebody())
    assert [r.status_code for r in (got, sent, nonsense)] == [404, 404, 422]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"affection": 101}, "affection"),
        ({"affection": -101}, "affection"),
        ({"affection": 1.5}, "affection"),
        ({"affection": None}, "affection"),
        ({"userCalled": "가" * 41}, "userCalled"),
        ({"userCalled": " \u200b"}, "userCalled"),
        ({"userCalled": "가\u0000나"}, "userCalled"),
        ({"characterCalled": 5}, "characterCalled"),
        ({"standing": "가" * 601}, "standing"),
        ({"speechLevel": "casual"}, "speechLevel"),
        ({"promises": ["하나"] * 6}, "promises"),
        ({"promises": ["가" * 101]}, "promises"),
        ({"promises": [""]}, "promises"),
        ({"promises": ["하나", " 하나"]}, "promises"),
        ({"boundaries": "하나"}, "boundaries"),
        ({"boundaries": ["\n"]}, "boundaries"),
        ({"restoreVersion": 0}, "restoreVersion"),
        ({"restoreVersion": 10**12}, "restoreVersion"),
        ({"restoreVersion": 1, "affection": 1}, "restoreVersion"),
        ({"mood": "good"}, "unknown field"),
        ({}, "restoreVersion"),
        ([], "object"),
    ],
)
async def test_nonsense_is_refused_by_field_and_changes_nothing(
    api: Api, body: object, named: str
) -> None:
    me = somebody()
    refused = await put(api, me, body)
    assert refused.status_code == 422, refused.text
    assert named in refused.json()["detail"]
    assert (await read(api, me))["version"] == 0


@pytest.mark.parametrize("query", ["?cursor=x", "?cursor=-1", "?cursor=", "?limit=0", "?limit=x"])
async def test_a_page_that_no_page_gave_is_refused(api: Api, query: str) -> None:
    assert (await api.get(path(api) + query, somebody())).status_code == 422


async def test_corrections_at_once_are_all_kept(api: Api) -> None:
    me = somebody()
    bodies: list[Json] = [{"userCalled": "지은"}, {"standing": "친구"}, {"affection": 9}]
    answers = await asyncio.gather(*(put(api, me, body) for body in bodies))
    assert [a.status_code for a in answers] == [200, 200, 200]
    state = (await read(api, me))["state"]
    assert (state["userCalled"], state["standing"], state["affection"]) == ("지은", "친구", 9)


async def test_the_contract_describes_it(api: Api) -> None:
    document = (await api.client.get("/openapi.json")).json()
    operations = document["paths"]["/v1/characters/{id}/relationship"]
    assert set(operations) == {"get", "put"}
    fields = document["components"]["schemas"]["RelationshipRequest"]["properties"]
    assert fields["affection"]["maximum"] == 100
    assert fields["promises"]["maxItems"] == 5
