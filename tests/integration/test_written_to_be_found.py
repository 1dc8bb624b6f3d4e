"""What an extraction adds for the search finds a memory, and is never shown."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from gieok.errors import ModelTimeout
from gieok.policy import COMPANION, IndexPolicy
from tests.support.client import AGAIN, Client

TOLD = "민트초코는 절대 안 먹어"
ADDED: Mapping[str, list[str]] = {
    "related_terms": ["빙수", "디저트"],
    "asked_as": ["치약맛 나는 거 내가 먹던가", "초록색 단 거 또 권할 거야?"],
}
ASKED = {"by a related term": "디저트 뭐 골랐더라?", "by an allusion": "치약맛 나는 거 있잖아"}


async def by_words_alone(me: Client, question: str) -> dict[str, Any]:
    """What is recalled while no question can be embedded: ids with their places by words."""
    me.world.embedder.error = ModelTimeout("e")
    return {id: why["keywordRank"] for id, why in (await me.reasons(question)).items()}


@pytest.mark.parametrize("way", ASKED)
async def test_a_memory_is_found_by_what_was_not_said(me: Client, way: str) -> None:
    memory_id = await me.learn(TOLD, **ADDED)
    assert (await by_words_alone(me, ASKED[way]))[memory_id] == 0


async def test_its_vector_is_nearer_to_what_its_user_may_ask(me: Client) -> None:
    other, asked = await me.other(), ADDED["asked_as"][0]
    plain, found = await other.learn(TOLD), await me.learn(TOLD, **ADDED)
    far, near = (await other.reasons(asked))[plain], (await me.reasons(asked))[found]
    assert near["similarity"] > far["similarity"]


async def test_none_of_it_is_shown(me: Client) -> None:
    memory_id = await me.learn(TOLD, **ADDED)
    told = await me.world.say(me.user, me.haru, ASKED["by an allusion"])
    assert told.meta.memories == (memory_id,)
    prompt = "".join(s.text for s in me.world.speaker.prompts[-1].sections)
    shown = [prompt, json.dumps(await me.listed(), ensure_ascii=False)]
    shown.append(json.dumps(await me.recall(TOLD), ensure_ascii=False))
    for text in (*ADDED["related_terms"], *ADDED["asked_as"]):
        assert not any(text in one for one in shown)


async def test_another_summary_of_the_users_takes_it_away(me: Client) -> None:
    memory_id = await me.learn(TOLD, **ADDED)
    await me.change(memory_id, summary=AGAIN)
    for question in ASKED.values():
        assert (await by_words_alone(me, question)).get(memory_id) is None


@pytest.mark.parametrize(
    ("index", "found"),
    [
        (IndexPolicy(), {"by a related term", "by an allusion"}),
        (IndexPolicy(related_terms=False), {"by an allusion"}),
        (IndexPolicy(allusions=False), {"by a related term"}),
    ],
)
async def test_the_policy_says_what_the_index_reads(
    me: Client, index: IndexPolicy, found: set[str]
) -> None:
    me.world.worker = replace(me.world.worker, policy=replace(COMPANION, index=index))
    memory_id = await me.learn(TOLD, **ADDED)
    ranks = {way: (await by_words_alone(me, asked)).get(memory_id) for way, asked in ASKED.items()}
    assert {way for way, rank in ranks.items() if rank == 0} == found
