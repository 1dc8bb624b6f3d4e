"""Users find their own memories, page through them, and pass over what cannot be read."""

import pytest

from gieok.errors import ModelTimeout
from gieok.ids import new_id, parse, show
from tests.support.client import AGAIN, SAID, Client, client
from tests.support.round_trips import counted
from tests.support.stack import Stack
from tests.support.vectors import of_another_model


async def test_a_search_ranks_what_words_and_meaning_find(me: Client) -> None:
    dog, cat = await me.learn(), await me.learn(AGAIN)
    assert (await me.search("강아지 콩이"))[0] == dog
    assert (await me.search("보리가"))[0] == cat
    assert len(await me.search("보리", "&limit=1")) == 1
    page = await me.ask("GET", "memories?q=보리&limit=1")
    assert page["nextCursor"] is None
    assert page["degraded"] is False


async def test_without_an_embedder_a_search_looks_the_words_up_and_says_so(me: Client) -> None:
    dog, _ = await me.learn(), await me.learn(AGAIN)
    me.world.embedder.error = ModelTimeout("e")
    page = await me.ask("GET", "memories?q=콩이랑")
    assert [m["id"] for m in page["memories"]] == [dog]
    assert page["degraded"] is True


@pytest.mark.parametrize("words", ["콩이랑", "보리", "???"])
@pytest.mark.parametrize("muted", [False, True])
async def test_a_search_says_so_where_a_memory_has_no_vector_of_the_assigned_model(
    me: Client, words: str, muted: bool
) -> None:
    """Be it found by its words or not at all."""
    dog, _ = await me.learn(), await me.learn(AGAIN)
    await me.change(dog, muted=muted)
    assert (await me.ask("GET", f"memories?q={words}"))["degraded"] is False
    await of_another_model(me, dog)
    assert (await me.ask("GET", f"memories?q={words}"))["degraded"] is True
    await me.ask("DELETE", f"memories/{dog}", status=204)
    assert (await me.ask("GET", f"memories?q={words}"))["degraded"] is False


async def test_a_search_waits_for_no_vector_that_it_would_not_compare(me: Client) -> None:
    bada = Client(me.http, me.world, me.user, await me.world.character("바다"))
    (first, second), sessions = [await me.learn(), await bada.learn()], dict[str, str]()
    for session in (await me.ask("GET", "sessions"))["sessions"]:
        sessions[session["characterIds"][0]] = session["id"]
    await of_another_model(me, first)
    for console, degraded in ((me, True), (bada, False)):
        character = show("char", console.haru)
        for more in (f"characterId={character}", f"sessionId={sessions[character]}"):
            assert (await me.ask("GET", f"memories?q=콩이&{more}"))["degraded"] is degraded
    assert (await (await me.other()).ask("GET", "memories?q=콩이"))["degraded"] is False
    await me.world.sql(
        "UPDATE memory.memory_characters SET refused_by = 'test-1' WHERE memory_id = %s",
        parse("mem", first),
    )
    assert (await me.ask("GET", "memories?q=콩이"))["degraded"] is False, "it can have none"
    await me.world.sql(
        "UPDATE memory.memories SET invalidated_at = now() WHERE id = %s", parse("mem", second)
    )
    assert (await me.ask("GET", "memories?q=콩이"))["degraded"] is False


async def test_a_search_takes_two_round_trips(stack: Stack) -> None:
    async with counted(stack) as (world, proxy), client(world) as me:
        await of_another_model(me, await me.learn())
        proxy.queries.clear()
        assert (await me.ask("GET", "memories?q=콩이"))["degraded"] is True
        assert len(proxy.queries) == 2


@pytest.mark.parametrize("error", [None, ModelTimeout("e")])
async def test_a_search_keeps_to_its_character_and_session(
    me: Client, error: Exception | None
) -> None:
    bada = Client(me.http, me.world, me.user, await me.world.character("바다"))
    first = await me.learn()
    second = await bada.learn()
    sessions = (await me.ask("GET", "sessions"))["sessions"]
    me.world.embedder.error = error
    assert sorted(await me.search("콩이")) == sorted([first, second])
    for console, own in ((me, first), (bada, second)):
        character = show("char", console.haru)
        (session,) = [s["id"] for s in sessions if s["characterIds"] == [character]]
        assert await me.search("콩이", f"&characterId={character}") == [own]
        assert await me.search("콩이", f"&sessionId={session}") == [own]
    assert await me.search("콩이", f"&characterId={show('char', new_id())}") == []


@pytest.mark.parametrize("error", [None, ModelTimeout("e")])
async def test_a_search_finds_nothing_that_is_gone(me: Client, error: Exception | None) -> None:
    deleted, rewound = await me.learn(), await me.learn()
    await me.ask("DELETE", f"memories/{deleted}", status=204)
    await me.world.sql(
        "UPDATE memory.memories SET invalidated_at = now() WHERE id = %s", parse("mem", rewound)
    )
    me.world.embedder.error = error
    assert await me.search("콩이") == []
    for method in ("GET", "PATCH"):
        await me.ask(method, f"memories/{rewound}", {"pinned": True}, status=404)


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("q=", "q is blank"),
        ("q=%E3%85%A4", "q is blank"),
        ("q=%00", "q holds"),
        ("q=" + "x" * 2_001, "q is longer"),
        (f"q=x&cursor=mem_{'0' * 32}", "cursor"),
        ("q=x&limit=101", "limit"),
        ("q=x&characterId=haru", "char_"),
        ("q=x&sessionId=1", "talk_"),
    ],
)
async def test_a_search_for_nonsense_is_refused_by_name(me: Client, query: str, named: str) -> None:
    assert named in (await me.ask("GET", f"memories?{query}", status=422))["detail"]


async def test_an_unreadable_memory_is_passed_over_but_not_the_pages_behind_it(me: Client) -> None:
    ids = [await me.learn(f"{number}번째 이야기") for number in range(4)]
    await damage(me, ids[2])
    first = await me.ask("GET", "memories?limit=2")
    assert [m["id"] for m in first["memories"]] == [ids[3]]
    rest = await me.ask("GET", f"memories?limit=2&cursor={first['nextCursor']}")
    assert [m["id"] for m in rest["memories"]] == [ids[1], ids[0]]
    assert rest["nextCursor"] is None


async def test_an_unreadable_memory_can_only_be_deleted(me: Client) -> None:
    memory_id = await me.learn()
    await damage(me, memory_id)
    for method, path, body in (
        ("GET", memory_id, None),
        ("PATCH", memory_id, {"summary": AGAIN}),
        ("PATCH", memory_id, {"pinned": True}),
        ("GET", f"{memory_id}/history", None),
    ):
        await me.ask(method, f"memories/{path}", body, status=404)
    assert await me.search("강아지") == []
    recalled = await me.recall(SAID)
    assert (recalled["recall"], recalled["recallReason"]) == ("degraded", "undecryptable")
    assert recalled["memories"] == []
    await me.ask("DELETE", f"memories/{memory_id}", status=204)


async def damage(me: Client, memory_id: str) -> None:
    """Make a memory's text unreadable."""
    await me.world.sql(
        "UPDATE memory.memories SET summary = '\\x01020304' WHERE id = %s", parse("mem", memory_id)
    )
