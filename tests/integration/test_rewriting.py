"""A question that a fast model restates: it helps recall where it can, and never harms it."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from gieok.calls import StructuredPrompt
from gieok.errors import ModelBlocked, ModelUnavailable
from gieok.policy import COMPANION, RecallPolicy, RewriteWhen
from gieok.recall.preview import preview
from gieok.types import Scope, UserId
from tests.support.world import Told, World, extraction, somebody

KEPT = "민트초코는 절대 안 먹어"
ASKED = "치약맛 아이스크림 내가 먹었었나?"
RESTATED = json.dumps({"statements": [KEPT], "terms": ["민트초코"]}, ensure_ascii=False)
PATIENCE_S = 0.3


def let_rewrite(world: World, when: RewriteWhen = "when_asked") -> None:
    """Let questions be rewritten, and nothing be recalled that was not found by its words."""
    recall = RecallPolicy(rewrite=when, rewrite_s=PATIENCE_S, limit=1, reserved=0, newest_from=2)
    world.engine = replace(world.engine, policy=replace(COMPANION, recall=recall))


def rewrites(world: World) -> list[StructuredPrompt]:
    """The calls that asked for a rewriting."""
    return [prompt for prompt in world.speaker.extractions if prompt.task == "QUERY"]


def answers(restated: Callable[[], str]) -> Callable[[StructuredPrompt], str]:
    """What the model answers to every task."""
    return lambda p: restated() if p.task == "QUERY" else extraction(p)


async def somebody_who_told(world: World) -> tuple[UserId, Callable[[str], Awaitable[Told]]]:
    """A user with two memories, the wanted one older, and how they ask."""
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, KEPT)
    await world.talk_and_generate(user, haru, "아이스크림 가게에서 알바를 시작했어")

    async def ask(message: str) -> Told:
        return await world.say(user, haru, message)

    return user, ask


def shown(world: World) -> str:
    """The memories of the last prompt."""
    return "".join(s.text for s in world.speaker.prompts[-1].sections if s.name == "memories")


async def test_what_the_words_of_a_question_miss_its_rewrite_finds(world: World) -> None:
    let_rewrite(world, "never")
    user, ask = await somebody_who_told(world)
    world.speaker.extract = answers(lambda: RESTATED)
    assert (await ask(ASKED)).meta.rewrite == "off"
    assert "민트초코" not in shown(world)
    assert not rewrites(world)
    let_rewrite(world)
    told = await ask(ASKED)
    assert (told.meta.rewrite, told.meta.recall) == ("used", "ok")
    assert "민트초코" in shown(world)
    assert json.loads(rewrites(world)[0].payload) == {"question": ASKED}
    usage = "SELECT outcome FROM ops.usage WHERE user_id = %s AND task = 'QUERY'"
    assert await world.sql(usage, user) == [("ok",)]


@pytest.mark.parametrize("message", ["오늘 진짜 덥다", "우리 내일 아이스크림 먹을까?"])
async def test_what_does_not_ask_about_the_past_is_not_rewritten(
    world: World, message: str
) -> None:
    let_rewrite(world)
    _, ask = await somebody_who_told(world)
    assert (await ask(message)).meta.rewrite == "not_asked"
    assert not rewrites(world)


def _refuse() -> str:
    raise ModelBlocked("speaker")


def _away() -> str:
    raise ModelUnavailable("speaker", "gone")


@pytest.mark.parametrize("answer", [_refuse, _away, lambda: "글쎄요", lambda: "{", lambda: ""])
async def test_a_rewriting_that_fails_costs_nothing_but_itself(
    world: World, answer: Callable[[], str]
) -> None:
    let_rewrite(world)
    _, ask = await somebody_who_told(world)
    world.speaker.extract = answers(answer)
    told = await ask(ASKED)
    assert (told.meta.rewrite, told.meta.recall) == ("failed", "ok")
    assert told.meta.memory_hit_count == 1
    assert told.done


async def test_a_late_rewriting_is_not_waited_for(world: World) -> None:
    let_rewrite(world)
    user, ask = await somebody_who_told(world)
    over = asyncio.Event()

    async def hang(prompt: StructuredPrompt) -> None:
        await over.wait()

    world.speaker.during_extraction = hang
    told = await ask(ASKED)
    assert (told.meta.rewrite, told.meta.recall) == ("late", "ok")
    assert told.meta.memory_hit_count == 1
    usage = "SELECT outcome FROM ops.usage WHERE user_id = %s AND task = 'QUERY'"
    assert await world.sql(usage, user) == [("model_timeout",)]


async def test_without_a_vector_the_terms_of_a_rewrite_still_find(world: World) -> None:
    let_rewrite(world)
    _, ask = await somebody_who_told(world)
    world.speaker.extract = answers(lambda: RESTATED)
    world.embedder.error = ModelUnavailable("embedder", "gone")
    told = await ask("치약맛 나는 거 내가 먹었었나?")
    assert (told.meta.rewrite, told.meta.recall) == ("used", "degraded")
    assert "민트초코" in shown(world)


async def test_a_turn_that_is_sent_again_is_not_rewritten_again(world: World) -> None:
    let_rewrite(world)
    haru, user = await world.character(), somebody()
    first = await world.say(user, haru, ASKED, client_message_id="once")
    again = await world.say(user, haru, ASKED, client_message_id="once")
    assert again.meta == first.meta
    assert len(rewrites(world)) == 1


async def test_a_preview_rewrites_as_its_turn_does(world: World) -> None:
    let_rewrite(world)
    user, _ = await somebody_who_told(world)
    world.speaker.extract = answers(lambda: RESTATED)
    ((haru,),) = await world.sql(
        "SELECT DISTINCT character_id FROM memory.memory_characters WHERE user_id = %s", user
    )
    seen = await preview(world.engine, Scope(user, (haru,)), ASKED, "Asia/Seoul", None)
    assert seen.recollection.rewrite == "used"
    assert [r.memory.summary for r in seen.recollection.memories] == [KEPT]
    let_rewrite(world, "never")
    seen = await preview(world.engine, Scope(user, (haru,)), ASKED, "Asia/Seoul", None)
    assert seen.recollection.rewrite == "off"
    assert [r.memory.summary for r in seen.recollection.memories] != [KEPT]
