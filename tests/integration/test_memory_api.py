"""A user's hold on their own memories, over HTTP: correct, rate, pin, mute, look back, forget."""

import asyncio
from dataclasses import replace

import pytest

from gieok.errors import ModelTimeout
from gieok.policy import SOURCE
from tests.support.client import AGAIN, SAID, Client, Json, client
from tests.support.vectors import VECTORS
from tests.support.world import World

NEVER_SAID = {"kind": "quote", "who": "user", "text": "안 한 말", "context": "", "character": None}


@pytest.mark.parametrize(
    ("field", "value"), [("summary", AGAIN), ("importance", 9), ("pinned", True), ("muted", True)]
)
async def test_a_change_touches_what_is_given_and_nothing_else(
    me: Client, field: str, value: object
) -> None:
    memory_id = await me.learn()
    before = await me.ask("GET", f"memories/{memory_id}")
    changed = await me.change(memory_id, **{field: value})
    given = {field: value, "details": []} if field == "summary" else {field: value}
    assert changed == before | given
    assert await me.ask("GET", f"memories/{memory_id}") == changed


@pytest.mark.parametrize("change", [{}, {"pinned": True, "muted": True}, {"importance": 8}])
async def test_the_same_change_twice_is_one_change(me: Client, change: Json) -> None:
    memory_id = await me.learn()
    once = await me.change(memory_id, **change)
    history = await me.history(memory_id)
    rows = await me.world.sql("SELECT * FROM memory.memories WHERE user_id = %s", me.user)
    assert await me.change(memory_id, **change) == once
    assert await me.history(memory_id) == history
    assert await me.world.sql("SELECT * FROM memory.memories WHERE user_id = %s", me.user) == rows


async def test_pins_and_mutes_can_be_taken_back(me: Client) -> None:
    memory_id = await me.learn()
    before = await me.ask("GET", f"memories/{memory_id}")
    await me.change(memory_id, pinned=True, muted=True)
    assert await me.change(memory_id, pinned=False, muted=False) == before


async def test_changes_of_different_fields_at_once_are_all_kept(me: Client) -> None:
    memory_id = await me.learn()
    changes: list[Json] = [{"pinned": True}, {"muted": True}, {"importance": 9}, {"summary": AGAIN}]
    await asyncio.gather(*(me.change(memory_id, **change) for change in changes))
    memory = await me.ask("GET", f"memories/{memory_id}")
    for change in changes:
        assert memory == {**memory, **change}


@pytest.mark.parametrize(
    ("body", "code", "named"),
    [
        ({"summary": ""}, "invalid_text", "summary"),
        ({"summary": " \u200b\u3164"}, "invalid_text", "summary"),
        ({"summary": "a\x00b"}, "invalid_text", "summary"),
        ({"summary": "x" * 2_001}, "invalid_text", "summary"),
        ({"summary": None}, "invalid_request", "summary"),
        ({"summary": 5}, "invalid_request", "summary"),
        ({"importance": 0}, "invalid_request", "importance"),
        ({"importance": 11}, "invalid_request", "importance"),
        ({"importance": 5.5}, "invalid_request", "importance"),
        ({"importance": "5"}, "invalid_request", "importance"),
        ({"importance": True}, "invalid_request", "importance"),
        ({"pinned": None}, "invalid_request", "pinned"),
        ({"pinned": 1}, "invalid_request", "pinned"),
        ({"muted": "yes"}, "invalid_request", "muted"),
        ({"id": "mem_1"}, "invalid_request", "unknown field"),
        ({"details": [NEVER_SAID]}, "invalid_request", "details"),
        ({"details": [NEVER_SAID], "summary": "새 글"}, "invalid_request", "details"),
        ({"details": [{**NEVER_SAID, "kind": "thought"}]}, "invalid_request", "kind"),
        ({"details": [{**NEVER_SAID, "id": 1}]}, "invalid_request", "unknown field"),
        ({"details": None}, "invalid_request", "details"),
        ([], "invalid_request", "object"),
    ],
)
async def test_nonsense_is_refused_by_the_name_of_its_field_and_changes_nothing(
    me: Client, body: object, code: str, named: str
) -> None:
    memory_id = await me.learn()
    before = await me.ask("GET", f"memories/{memory_id}")
    problem = await me.ask("PATCH", f"memories/{memory_id}", body, status=422)
    assert problem["code"] == code
    assert named in problem["detail"]
    assert await me.ask("GET", f"memories/{memory_id}") == before


@pytest.mark.parametrize("name", ["x", "mem_1", "talk_" + "0" * 32, "mem_" + "A" * 32, "%00"])
async def test_an_id_that_none_can_have_is_refused(me: Client, name: str) -> None:
    for method, path in (("PATCH", name), ("GET", name), ("GET", f"{name}/history")):
        problem = await me.ask(method, f"memories/{path}", {}, status=422)
        assert problem["code"] == "invalid_id"


async def test_what_is_another_users_does_not_exist(me: Client) -> None:
    memory_id = await me.learn()
    before = await me.history(memory_id)
    thief = await me.other()
    await thief.learn("앵무새가 말을 배웠어")
    for method, path, body in (
        ("GET", f"memories/{memory_id}", None),
        ("PATCH", f"memories/{memory_id}", {"summary": "내 것", "pinned": True}),
        ("PATCH", f"memories/{memory_id}", {}),
        ("GET", f"memories/{memory_id}/history", None),
        ("DELETE", f"memories/{memory_id}", None),
    ):
        assert (await thief.ask(method, path, body, status=404))["code"] == "not_found"
    assert memory_id not in await thief.search("강아지 콩이")
    assert memory_id not in await thief.reasons(SAID)
    assert await me.history(memory_id) == before


async def test_history_tells_the_source_and_each_version_newest_first(me: Client) -> None:
    memory_id = await me.learn(importance=5)
    (session,) = (await me.ask("GET", "sessions"))["sessions"]
    memory = await me.ask("GET", f"memories/{memory_id}")
    fresh = await me.history(memory_id)
    assert fresh["editedAt"] is None
    await me.change(memory_id, summary=AGAIN, pinned=True)
    await me.change(memory_id, importance=9)
    history = await me.history(memory_id)
    assert history["source"] == fresh["source"]
    assert history["source"]["happenedAt"] == memory["happenedAt"]
    assert history["source"]["sessionIds"] == [session["id"]]
    assert history["source"]["extractor"] == "test-1"
    assert history["source"]["promptVersion"]
    told = [(v["version"], v["summary"], v["importance"]) for v in history["versions"]]
    assert told == [(3, AGAIN, 9), (2, AGAIN, 5), (1, SAID, 5)]
    assert [v["writtenBy"] for v in history["versions"]] == ["user", "user", "extractor"]
    await me.change(memory_id, summary=SAID)
    newest = await me.ask("GET", f"memories/{memory_id}/history?limit=1")
    assert [v["writtenBy"] for v in newest["versions"]] == ["extractor"], "its words again"
    assert history["versions"][0]["until"] is None
    assert history["versions"][1]["until"] == history["editedAt"]


@pytest.mark.parametrize("limit", [1, 2, 100])
async def test_whoever_only_rates_a_memory_did_not_write_it(me: Client, limit: int) -> None:
    memory_id = await me.learn()
    for change in ({"importance": 9}, {"pinned": True, "muted": True}, {"importance": 2}):
        await me.change(memory_id, **change)
    page = await me.ask("GET", f"memories/{memory_id}/history?limit={limit}")
    told = [(v["version"], v["writtenBy"]) for v in page["versions"]]
    assert told == [(3, "extractor"), (2, "extractor"), (1, "extractor")][:limit]


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 100])
async def test_history_pages_through_every_version_once(me: Client, limit: int) -> None:
    memory_id = await me.learn()
    for number in range(2, 6):
        await me.change(memory_id, summary=f"{number}번째 글")
    await me.world.sql(
        "UPDATE memory.memory_versions SET summary = '\\x00' WHERE user_id = %s AND version = 2",
        me.user,
    )
    source = (await me.history(memory_id))["source"]
    told, sizes, cursor = list[tuple[int, str]](), list[int](), ""
    while len(sizes) < 9:
        page = await me.ask("GET", f"memories/{memory_id}/history?limit={limit}{cursor}")
        assert (page["id"], page["source"]) == (memory_id, source)
        told += [(v["version"], v["summary"]) for v in page["versions"]]
        sizes.append(len(page["versions"]))
        if page["nextCursor"] is None:
            break
        cursor = f"&cursor={page['nextCursor']}"
    assert told == [(5, "5번째 글"), (4, "4번째 글"), (3, "3번째 글"), (1, SAID)]
    assert len(sizes) == -(-5 // limit), "pages are cut by what is stored"
    assert max(sizes) <= limit


@pytest.mark.parametrize(
    "query", ["cursor=x", "cursor=-1", "cursor=", "cursor=9999999999", "limit=0", "limit=101"]
)
async def test_a_page_of_history_that_no_page_gave_is_refused(me: Client, query: str) -> None:
    memory_id = await me.learn()
    problem = await me.ask("GET", f"memories/{memory_id}/history?{query}", status=422)
    assert query.split("=", maxsplit=1)[0] in problem["detail"]


async def test_a_history_without_its_present_does_not_exist(me: Client) -> None:
    memory_id = await me.learn()
    await me.change(memory_id, summary=AGAIN)
    await me.world.sql("UPDATE memory.memories SET summary = '\\x00' WHERE user_id = %s", me.user)
    await me.ask("GET", f"memories/{memory_id}/history", status=404)


async def test_an_earlier_text_is_sealed_for_its_own_place(me: Client) -> None:
    memory_id = await me.learn()
    await me.change(memory_id, summary=AGAIN)
    await me.change(memory_id, summary="셋째 이야기")
    assert [v["summary"] for v in (await me.history(memory_id))["versions"]][1:] == [AGAIN, SAID]
    await me.world.sql(
        "UPDATE memory.memory_versions SET summary ="
        " (SELECT summary FROM memory.memory_versions WHERE user_id = %s AND version = 1)"
        " WHERE user_id = %s AND version = 2",
        me.user,
        me.user,
    )
    assert [v["version"] for v in (await me.history(memory_id))["versions"]] == [3, 1]


async def test_what_is_muted_is_never_recalled_but_its_user_finds_it(me: Client) -> None:
    memory_id = await me.learn(importance=10)
    await me.change(memory_id, muted=True)
    for error in (None, ModelTimeout("e")):
        me.world.embedder.error = error
        assert await me.reasons(SAID) == {}
        told = await me.world.say(me.user, me.haru, SAID)
        assert told.meta.memories == ()
        assert await me.search("강아지 콩이") == [memory_id]
    assert [(m["id"], m["muted"]) for m in await me.listed()] == [(memory_id, True)]
    await me.change(memory_id, muted=False)
    assert memory_id in await me.reasons(SAID)


async def test_a_muted_memory_that_is_edited_stays_muted_and_comes_back_with_its_new_text(
    me: Client,
) -> None:
    memory_id = await me.learn(importance=10)
    await me.change(memory_id, muted=True)
    await me.change(memory_id, summary=AGAIN, importance=9)
    assert await me.reasons(AGAIN) == {}
    assert await me.search("고양이 보리") == [memory_id]
    await me.change(memory_id, muted=False)
    why = (await me.reasons(AGAIN))[memory_id]
    assert (why["similarity"], why["keywordRank"]) == (pytest.approx(1, abs=1e-3), 0)


async def test_time_leaves_a_pinned_memory_alone(world: World) -> None:
    """In a policy where it touches others."""
    world.engine = replace(world.engine, policy=replace(world.engine.policy, recall=SOURCE))
    async with client(world) as me:
        old = await me.learn()
        for number in range(3):
            await me.learn(f"{number}번째 새 이야기")
        assert (await me.reasons(SAID))[old]["decay"] < 1
        await me.change(old, pinned=True)
        assert (await me.reasons(SAID))[old]["decay"] == 1


async def test_importance_takes_a_reserved_place(me: Client) -> None:
    old = await me.learn("아주 오래된 약속", search_terms=["약속"], importance=1)
    for number in range(25):
        await me.learn(f"{number}번째 날씨 이야기", search_terms=["날씨"], importance=1)
    assert old not in await me.reasons("날씨 이야기")
    await me.change(old, importance=9)
    assert (await me.reasons("날씨 이야기"))[old]["slot"] == "importance"


async def test_deleting_takes_the_index_the_history_and_what_was_derived_along(me: Client) -> None:
    kept = await me.learn("지은이라고 불러줘", **derived("지은이라고 불러줘", "지은"))
    gone = await me.learn("민지라고 불러줘", **derived("민지라고 불러줘", "민지"))
    await me.change(gone, importance=9)
    assert await me.called() == "민지"
    await me.ask("DELETE", f"memories/{gone}", status=204)
    await me.ask("DELETE", f"memories/{gone}", status=404)
    await me.ask("GET", f"memories/{gone}/history", status=404)
    assert await me.called() == "지은"
    assert [m["id"] for m in await me.listed()] == [kept]
    left = await me.world.sql(
        "SELECT (SELECT count(*) FROM memory.memories WHERE user_id = u),"
        " (SELECT count(*) FROM memory.memory_characters WHERE user_id = u),"
        f" (SELECT count(*) FROM {VECTORS} WHERE user_id = u),"
        " (SELECT count(*) FROM memory.facts WHERE user_id = u),"
        " (SELECT count(*) FROM memory.memory_versions WHERE user_id = u),"
        " ARRAY(SELECT seq FROM memory.recent_postings WHERE user_id = u)"
        " FROM (VALUES (%s)) AS users (u)",
        me.user,
    )
    assert left == [(1, 1, 1, 1, 0, [1])]


def derived(said: str, called: str, changed: str = "user_called") -> Json:
    """Of an extraction: a fact, and a relationship whose user is called so."""
    fact = {
        "category": "profile", "subject": {"kind": "user", "name": ""}, "reality": "real",
        "text": called, "quote": said, "message_id": "", "confidence": 0.9,
    }  # fmt: skip
    state = {
        "character": "하루", "user_called": called, "character_called": "", "speech_level": None,
        "standing": "", "promises": [], "boundaries": [], "affection": 5,
        "changes": [{"field": changed, "speaker": "user", "quote": said}],
    }  # fmt: skip
    return {"facts": [fact], "relationship_states": [state]}
