"""A recall says so when what a question means could not be compared with all that is remembered."""

from dataclasses import replace

import pytest

from gieok.errors import ModelTimeout
from gieok.ids import show
from tests.support.client import AGAIN, SAID, Client, client
from tests.support.round_trips import counted
from tests.support.stack import Stack
from tests.support.vectors import of_another_model
from tests.support.world import World, somebody

UNKNOWN = "???!"
"""A question that has no word to look up."""


async def told(me: Client, question: str) -> tuple[str, str]:
    """What both a preview and a turn say of their recall."""
    recalled = await me.recall(question)
    meta = (await me.world.say(me.user, me.haru, question)).meta
    assert (meta.recall, meta.recall_reason) == (recalled["recall"], recalled["recallReason"])
    return meta.recall, meta.recall_reason


MISSING = ("degraded", "vectors_missing")
WHOLE = ("ok", "always")


@pytest.mark.parametrize("question", [SAID, UNKNOWN])
@pytest.mark.parametrize("importance", [1, 10])
async def test_no_vector_of_the_assigned_model_is_said(
    me: Client, question: str, importance: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Be it that words, a reserved place, or nothing at all brought memories back."""
    memory_id = await me.learn(importance=importance)
    assert await told(me, question) == WHOLE
    await of_another_model(me, memory_id)
    capsys.readouterr()
    assert await told(me, question) == MISSING
    assert capsys.readouterr().out.count('"recall_degraded":[1.0]') == 2
    found = set(await me.reasons(question))
    assert found == (set() if question == UNKNOWN and importance == 1 else {memory_id})


async def test_one_newer_memory_with_a_vector_does_not_hide_that_older_ones_have_none(
    me: Client,
) -> None:
    await of_another_model(me, await me.learn(SAID), await me.learn(AGAIN))
    await me.learn("새 모델로 만든 이야기")
    assert await told(me, SAID) == MISSING


async def test_more_matching_words_than_places_do_not_hide_it(me: Client) -> None:
    await of_another_model(me, *[await me.learn(f"{n}번째 {SAID}") for n in range(14)])
    assert len(await me.reasons(SAID)) == 12
    assert await told(me, SAID) == MISSING


async def test_a_memory_whose_embedding_failed_is_said_until_the_worker_has_made_it(
    me: Client,
) -> None:
    await me.learn(SAID)
    me.world.embedder.error = ModelTimeout("e")
    await me.learn(AGAIN)
    me.world.embedder.error = None
    assert await told(me, SAID) == MISSING
    await me.world.sql("UPDATE memory.pairs SET backfill_at = NULL WHERE user_id = %s", me.user)
    await me.world.generate(me.user, me.haru)
    assert await told(me, SAID) == WHOLE


async def test_in_a_cast_any_characters_missing_vectors_are_said(me: Client) -> None:
    bada = await me.world.character("바다")
    await of_another_model(me, await me.learn())
    await me.world.talk_and_generate(me.user, bada, AGAIN)
    both = {"characterId": None, "characterIds": [show("char", me.haru), show("char", bada)]}
    assert (await me.recall(SAID, **both))["recallReason"] == "vectors_missing"
    alone = await me.recall(SAID, characterId=show("char", bada))
    assert (alone["recall"], alone["recallReason"]) == WHOLE, "nobody else's matter"


@pytest.mark.parametrize("state", ["muted_at", "invalidated_at"])
async def test_what_is_never_recalled_needs_no_vector(me: Client, state: str) -> None:
    assert await told(me, SAID) == WHOLE, "nothing is remembered yet"
    memory_id = await me.learn(importance=10)
    await of_another_model(me, memory_id)
    await me.world.sql(f"UPDATE memory.memories SET {state} = now() WHERE user_id = %s", me.user)
    assert await told(me, SAID) == WHOLE
    await me.learn(AGAIN)
    assert await told(me, SAID) == WHOLE


async def test_words_that_outrank_every_vector_are_no_missing_vectors(world: World) -> None:
    """Memories that only the keyword leg found take all places, though the vectors are there."""
    recall = replace(world.engine.policy.recall, limit=2, reserved=0, overfetch=2)
    world.engine = replace(world.engine, policy=replace(world.engine.policy, recall=recall))
    async with client(world) as me:
        for text in ("날씨날씨", "날씨날", "가나다라", "마바사아"):
            await me.learn(text, search_terms=["이야기"])
        worded = {await me.learn(text, search_terms=["날씨"]) for text in ("자차카타", "파하거너")}
        found = await me.reasons("날씨")
        assert set(found) == worded
        assert {why["vectorRank"] for why in found.values()} == {None}
        assert await told(me, "날씨") == WHOLE


async def test_without_a_question_vector_that_is_the_reason(me: Client) -> None:
    await of_another_model(me, await me.learn())
    me.world.embedder.error = ModelTimeout("e")
    assert await told(me, SAID) == ("degraded", "no_query_vector")


async def test_it_is_learnt_without_another_round_trip(stack: Stack) -> None:
    async with counted(stack) as (world, proxy):
        haru, user = await world.character(), somebody()
        await world.talk_and_generate(user, haru, SAID)
        await world.sql("UPDATE memory.vector_blocks SET model = 'older' WHERE user_id = %s", user)
        proxy.queries.clear()
        before_model: list[int] = []
        world.speaker.on_stream = lambda: before_model.append(len(proxy.queries))
        assert (await world.say(user, haru, SAID)).meta.recall_reason == "vectors_missing"
        assert before_model == [2]
