"""What would be remembered, and why: exactly what a turn then shows."""

from typing import Any

import pytest

from gieok.conversation.sessions import read_messages
from gieok.errors import DatabaseUnavailable, ModelTimeout
from gieok.ids import show
from gieok.recall import prepare, recall
from gieok.types import Recollection
from tests.support.client import AGAIN, SAID, Client, Json

FAILURES = {
    "late": TimeoutError(),
    "no database": DatabaseUnavailable("down"),
    "broken": ZeroDivisionError("bug"),
}


@pytest.mark.parametrize("error", [None, ModelTimeout("e")])
@pytest.mark.parametrize("message", ["콩이 산책은 어땠어?", "???!", "그거 기억나?"])
async def test_a_preview_is_what_the_turn_then_shows(
    me: Client, message: str, error: Exception | None
) -> None:
    for number in range(9):
        await me.learn(f"{number}번째 {SAID} " + "그리고 오래 걸었어. " * 90, importance=number + 1)
    await me.learn(AGAIN)
    me.world.embedder.error = error
    recalled = await me.recall(message)
    meta = (await me.world.say(me.user, me.haru, message)).meta
    shown = [m["memory"]["id"] for m in recalled["memories"] if m["inPrompt"]]
    assert shown == list(meta.memories)
    assert len(shown) == 10, "all are in"
    cuts = {c.id: (c.summary, c.details_cut) for c in meta.memory_cuts}
    assert len(cuts) >= 9, "the long ones are shortened"
    assert {m["memory"]["id"]: (m["summary"], m["detailsCut"]) for m in recalled["memories"]} == {
        memory_id: cuts.get(memory_id, ("whole", 0)) for memory_id in shown
    }
    assert {slot.name: slot.tokens for slot in meta.slots}["memories"] == recalled["tokens"]
    assert (recalled["recall"], recalled["recallReason"]) == (meta.recall, meta.recall_reason)
    assert recalled["memorySearchTopK"] == meta.memory_search_top_k


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize(
    ("rung", "told"),
    [
        ("whole", ("ok", "always")),
        ("no question vector", ("degraded", "no_query_vector")),
        ("no memory vector", ("degraded", "vectors_missing")),
        ("unreadable", ("degraded", "undecryptable")),
        ("late", ("failed", "deadline")),
        ("no database", ("failed", "database")),
        ("broken", ("failed", "unexpected")),
    ],
)
async def test_on_every_rung_a_preview_and_a_turn_recall_the_same_for_the_same_reasons(
    me: Client, rung: str, told: tuple[str, str], together: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast = (me.haru, await me.world.character("바다")) if together else (me.haru,)
    for number in range(4):
        await me.learn(f"{number}번째 {SAID}", search_terms=["산책"], importance=2 * number + 1)
    await me.learn(AGAIN, importance=8)
    await stand_on(me, rung, monkeypatch)
    concluded = kept_conclusions(monkeypatch)
    ids = {"characterId": None, "characterIds": [show("char", c) for c in cast]}
    recalled = await me.recall(f"{SAID}?", **ids)
    said = await me.world.say(me.user, cast, f"{SAID}?")
    meta = said.meta
    assert (recalled["recall"], recalled["recallReason"]) == told
    assert (meta.recall, meta.recall_reason) == told
    assert [m["memory"]["id"] for m in recalled["memories"]] == list(meta.memories)
    assert bool(meta.memories) == (told[0] != "failed")
    assert [concluded[0]] * 2 == concluded if meta.memories else not concluded
    page = await read_messages(me.world.engine, me.user, said.session_id, None, 9)
    assert f"{SAID}?" in [m.text for m in page.items], "a turn keeps its message in any case"


async def stand_on(me: Client, rung: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what the rung of the ladder of fallbacks lacks."""
    if rung == "no question vector":
        me.world.embedder.error = ModelTimeout("e")
    elif rung == "no memory vector":
        await me.world.sql("DELETE FROM memory.vector_blocks WHERE user_id = %s", me.user)
    elif rung == "unreadable":
        newest = "(SELECT max(id::text)::uuid FROM memory.memories WHERE user_id = %s)"
        damage = f"UPDATE memory.memories SET summary = '\\x00' WHERE id = {newest}"
        await me.world.sql(damage, me.user)
    elif rung in FAILURES:

        async def fail(*_: object) -> None:
            raise FAILURES[rung]

        monkeypatch.setattr(prepare, "embed_question", fail)


def kept_conclusions(monkeypatch: pytest.MonkeyPatch) -> list[Recollection]:
    """Every recall's outcome from now on, with the reason of each memory."""
    kept, conclude = list[Recollection](), recall.conclude

    def keeping(*args: Any, **kwargs: Any) -> Recollection:
        kept.append(conclude(*args, **kwargs))
        return kept[-1]

    monkeypatch.setattr(recall, "conclude", keeping)
    return kept


async def test_a_preview_tells_why_and_what_of_the_budget_each_memory_takes(me: Client) -> None:
    memory_id = await me.learn()
    long = [await me.learn(f"{n}번째 " + "길고긴이야기" * 320, importance=1) for n in range(3)]
    recalled = await me.recall(SAID)
    why = {m["memory"]["id"]: m["why"] for m in recalled["memories"]}
    assert set(why[memory_id]) == {
        "slot", "score", "decay", "context", "similarity", "vectorRank", "keywordRank", "tokens",
        "tokensWhole",
    }  # fmt: skip
    assert (why[memory_id]["slot"], why[memory_id]["vectorRank"]) == ("fused", 0)
    assert 0 < why[memory_id]["tokens"] < recalled["tokens"] <= recalled["tokenBudget"]
    shown = {m["memory"]["id"]: (m["inPrompt"], m["summary"]) for m in recalled["memories"]}
    assert shown == {memory_id: (True, "whole")} | dict.fromkeys(long, (True, "shortened"))
    for memory in recalled["memories"]:
        if memory["memory"]["id"] in long:
            assert 0 < memory["why"]["tokens"] < memory["why"]["tokensWhole"]
            assert memory["detailsCut"] == 1
    plain = await me.recall(SAID, explain=False)
    assert [m["why"] for m in plain["memories"]] == [None] * 4


async def test_a_preview_with_a_cast_is_of_that_cast(me: Client) -> None:
    bada = await me.world.character("바다")
    await me.learn()
    both = {"characterId": None, "characterIds": [show("char", me.haru), show("char", bada)]}
    recalled = await me.recall(SAID, **both)
    meta = (await me.world.say(me.user, (me.haru, bada), SAID)).meta
    assert [m["memory"]["id"] for m in recalled["memories"]] == list(meta.memories)
    assert len(meta.memories) == 1


async def test_a_preview_changes_nothing(me: Client) -> None:
    await me.learn()
    before = await contents(me)
    await me.recall("콩이 산책은 어땠어?")
    assert await contents(me) == before
    stranger = await me.other()
    assert (await stranger.recall("안녕"))["memories"] == []
    assert await stranger.search("안녕") == []
    keys = await me.world.sql("SELECT FROM privacy.user_keys WHERE user_id = %s", stranger.user)
    assert keys == [], "who never wrote has no key"


async def contents(me: Client) -> list[object]:
    """Every row of the user's but the accounts of provider calls."""
    tables = await me.world.sql(
        "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE a.attname = 'user_id' AND c.relkind = 'r' AND c.relname <> 'usage' ORDER BY 1"
    )
    return [
        (name, await me.world.sql(f"SELECT t::text FROM {name} t WHERE user_id = %s", me.user))
        for (name,) in tables
    ]


@pytest.mark.parametrize(
    ("changes", "status", "named"),
    [
        ({"query": ""}, 422, "query"),
        ({"query": "x" * 8_001}, 422, "query"),
        ({"query": None}, 422, "query"),
        ({"explain": "yes"}, 422, "explain"),
        ({"characterId": None}, 422, "characterId"),
        ({"characterId": "haru"}, 422, "characterId"),
        ({"characterIds": []}, 422, "characterIds"),
        ({"timeZone": "Mars/North"}, 422, "time zone"),
        ({"sessionId": "talk_1"}, 422, "unknown field"),
        ({"characterId": f"char_{'0' * 32}"}, 404, "character"),
    ],
)
async def test_a_preview_of_nonsense_is_refused_by_name(
    me: Client, changes: Json, status: int, named: str
) -> None:
    body = {"characterId": show("char", me.haru), "query": "안녕", **changes}
    assert named in (await me.ask("POST", "recall", body, status=status))["detail"]
