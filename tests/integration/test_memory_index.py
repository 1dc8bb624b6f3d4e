"""What a change of a memory's text does to its vectors and its words."""

import asyncio
from dataclasses import replace

import pytest

from gieok.errors import ModelTimeout
from gieok.indexing.backfill import backfill
from gieok.memories.delete import delete_memory
from gieok.providers.router import Models
from gieok.types import Scope
from tests.support.client import AGAIN, SAID, Client
from tests.support.speakers import Slow
from tests.support.vectors import VECTORS
from tests.support.world import World, somebody


@pytest.mark.parametrize("embedder", ["answers", "late"])
async def test_after_an_edit_the_new_words_find_the_memory_and_the_old_ones_do_not(
    me: Client, embedder: str
) -> None:
    """By the keyword leg alone: searching, the embedder never answers."""
    memory_id = await me.learn()
    me.world.embedder.error = ModelTimeout("e") if embedder == "late" else None
    await me.change(memory_id, summary=AGAIN)
    me.world.embedder.error = ModelTimeout("e")
    assert await me.search("고양이 보리") == [memory_id]
    assert await me.search("강아지 콩이") == []
    assert (await me.reasons("보리가 상자에서 뭐 했지?"))[memory_id]["keywordRank"] == 0
    assert (await me.reasons("콩이는 산책했나?"))[memory_id]["keywordRank"] is None


async def test_after_an_edit_the_vector_is_the_new_texts_and_no_other_is_left(me: Client) -> None:
    memory_id = await me.learn()
    await me.world.sql(
        "INSERT INTO memory.vector_blocks SELECT user_id, character_id, 'next-model', block, held,"
        " embeddings FROM memory.vector_blocks WHERE user_id = %s",
        me.user,
    )
    assert (await me.reasons(SAID))[memory_id]["similarity"] == pytest.approx(1, abs=1e-3)
    await me.change(memory_id, summary=AGAIN)
    assert (await me.reasons(AGAIN))[memory_id]["similarity"] == pytest.approx(1, abs=1e-3)
    assert (await me.reasons(SAID))[memory_id]["similarity"] < 0.9
    assert await models_of(me) == ["test-1"]


async def test_an_edit_without_an_embedder_is_kept_and_waits_for_its_vector(me: Client) -> None:
    memory_id = await me.learn()
    me.world.embedder.error, me.world.embedder.calls = ModelTimeout("e"), 0
    me.world.hints.sent.clear()
    assert (await me.change(memory_id, summary=AGAIN))["summary"] == AGAIN
    assert me.world.embedder.calls == 1, "a user who waits gets one try"
    assert await models_of(me) == []
    flags = await me.world.sql(
        "SELECT embedded FROM memory.memory_characters WHERE user_id = %s", me.user
    )
    assert flags == [(False,)]
    assert [scope.user_id for scope, _ in me.world.hints.sent] == [me.user]
    me.world.embedder.error = None
    assert memory_id not in await me.reasons(SAID)
    assert (await me.reasons("보리"))[memory_id]["similarity"] is None


async def test_only_a_new_text_asks_the_embedder(me: Client) -> None:
    memory_id = await me.learn()
    me.world.embedder.calls = 0
    await me.change(memory_id, importance=9, pinned=True, muted=True, summary=SAID)
    assert me.world.embedder.calls == 0


async def test_the_embedding_of_an_edit_is_accounted_for(me: Client) -> None:
    memory_id = await me.learn()
    count = "SELECT count(*) FROM ops.usage WHERE user_id = %s AND task = 'EMBEDDING'"
    ((before,),) = await me.world.sql(count, me.user)
    await me.change(memory_id, summary=AGAIN)
    assert await me.world.sql(count, me.user) == [(before + 1,)]


async def test_edits_at_once_leave_one_text_with_its_own_index_and_all_others_as_history(
    me: Client,
) -> None:
    memory_id = await me.learn()
    texts = [f"{name} 이야기를 적어 둔다" for name in ("하나", "다섯이", "열아홉", "서른둘")]
    await asyncio.gather(*(me.change(memory_id, summary=t, importance=9) for t in texts))
    history = (await me.history(memory_id))["versions"]
    assert [v["version"] for v in history] == [5, 4, 3, 2, 1]
    assert sorted(v["summary"] for v in history) == sorted([*texts, SAID])
    now = history[0]["summary"]
    assert (await me.reasons(now))[memory_id]["similarity"] == pytest.approx(1, abs=1e-3)
    me.world.embedder.error = ModelTimeout("e")
    for text in texts:
        assert await me.search(text.split()[0]) == ([memory_id] if text == now else [])


async def test_an_edit_during_a_backfill_keeps_the_old_texts_vector_out(me: Client) -> None:
    world = me.world
    world.embedder.error = ModelTimeout("e")
    memory_id = await me.learn()
    slow = Slow(world.embedder)
    backfilling = replace(world.worker, models=Models({}, {"test": slow}))
    backfill_task = asyncio.create_task(backfill(backfilling, Scope(me.user, (me.haru,))))
    await slow.asked.wait()
    await me.change(memory_id, summary=AGAIN)
    world.embedder.error = None
    slow.answer.set()
    await backfill_task
    assert await models_of(me) == []
    await backfill(world.worker, Scope(me.user, (me.haru,)))
    assert (await me.reasons(AGAIN))[memory_id]["similarity"] == pytest.approx(1, abs=1e-3)


async def models_of(me: Client) -> list[str]:
    """The models of the user's vectors."""
    rows = await me.world.sql(f"SELECT model FROM {VECTORS} WHERE user_id = %s ORDER BY 1", me.user)
    return [model for (model,) in rows]


async def test_a_deleted_memory_leaves_nothing_in_the_index(world: World) -> None:
    """A cascade removes its rows, and triggers what was made of them, whoever owns the tables."""
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "우리 강아지 이름은 콩이야")
    left = (
        "SELECT (SELECT count(*) FROM memory.vector_blocks WHERE user_id = %s),"
        " (SELECT count(*) FROM memory.recent_postings WHERE user_id = %s)"
    )
    assert await world.sql(left, user, user) == [(1, 1)]
    ((memory,),) = await world.sql("SELECT id FROM memory.memories WHERE user_id = %s", user)
    await delete_memory(world.engine, user, memory)
    assert await world.sql(left, user, user) == [(0, 0)]
