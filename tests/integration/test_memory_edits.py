"""What an edit of a memory's text takes back: its old words reach no prompt any more."""

import asyncio
import json
from dataclasses import replace
from unicodedata import normalize

import pytest

from gieok.calls import StructuredPrompt
from gieok.errors import Conflict
from gieok.ids import parse
from gieok.memories import amend
from gieok.providers.router import Models
from gieok.relationship.corrections import correct
from gieok.types import RelationshipState
from tests.support.client import Client, Json
from tests.support.derived import counts, known, known_facts, moving, stand, stating
from tests.support.speakers import Slow

OLD, NEW = "나 땅콩 알레르기 있어", "사용자는 복숭아 알레르기가 있다."
PROMISE, BOUNDARY = "땅콩 과자는 사 오지 않기", "땅콩 이야기로 놀리지 않기"


def peanuts(prompt: StructuredPrompt) -> str:
    """An answer that says the same in every way there is."""
    fact = json.loads(stating(prompt, "땅콩 알레르기가 있다"))["facts"]
    state = moving(prompt, promises=[PROMISE], boundaries=[BOUNDARY], standing="땅콩을 조심한다")
    return json.dumps(json.loads(state) | {"facts": fact}, ensure_ascii=False)


async def learn_peanuts(me: Client) -> str:
    """The id of a memory with details, a fact and a relationship version that say its words."""
    me.world.speaker.extract = peanuts
    await me.world.talk_and_generate(me.user, me.haru, OLD)
    return str((await me.listed("limit=1"))[0]["id"])


async def everything(me: Client) -> str:
    """All that a user and a character's next prompt can still see."""
    await me.world.say(me.user, me.haru, "알레르기 기억해?")
    seen = (
        me.world.speaker.prompts[-1],
        await me.recall("알레르기"),
        await me.listed(),
        await known_facts(me.world, me.user),
        await stand(me.world, me.user, me.haru),
    )
    return repr(seen)


async def state_of(me: Client) -> RelationshipState:
    """Where the user and the character stand."""
    current = (await stand(me.world, me.user, me.haru)).current
    return current.relationship.state if current else RelationshipState()


async def test_after_an_edit_nothing_says_the_old_words(me: Client) -> None:
    memory_id = await learn_peanuts(me)
    assert (await everything(me)).count("땅콩") > 10
    changed = await me.change(memory_id, summary=NEW)
    assert (changed["summary"], changed["details"]) == (NEW, [])
    told = await everything(me)
    assert "땅콩" not in told
    assert NEW in told
    assert [v["summary"] for v in (await me.history(memory_id))["versions"]] == [NEW, OLD]


async def test_after_an_edit_later_windows_and_the_users_corrections_stay(me: Client) -> None:
    memory_id = await learn_peanuts(me)
    await correct(me.world.engine, me.user, me.haru, {"user_called": "지은"})
    me.world.speaker.extract = lambda p: moving(
        p, promises=[*known(p)["promises"], "주말에 전화하기"], affection=7
    )
    await me.world.talk_and_generate(me.user, me.haru, "주말에 전화할게")
    await me.change(memory_id, summary=NEW)
    state = await state_of(me)
    assert (state.user_called, state.promises) == ("지은", ("주말에 전화하기",))
    assert (state.affection, state.standing, state.boundaries) == (7, "", ())


@pytest.mark.parametrize(
    "change", [{"importance": 9}, {"pinned": True}, {"muted": True}, {"summary": OLD}, {}]
)
async def test_without_another_text_all_that_was_derived_stays(me: Client, change: Json) -> None:
    memory_id = await learn_peanuts(me)
    before = await me.ask("GET", f"memories/{memory_id}")
    state = await state_of(me)
    assert await me.change(memory_id, **change) == before | change
    assert (await counts(me.world, me.user), await state_of(me)) == ((1, 1), state)


async def test_the_same_text_is_no_other_one_however_a_model_composed_its_letters(
    me: Client,
) -> None:
    memory_id = await me.learn(OLD, summary=normalize("NFD", OLD))
    before = await me.ask("GET", f"memories/{memory_id}")
    changed = await me.change(memory_id, summary=before["summary"], importance=9)
    assert changed == before | {"importance": 9}


async def test_details_that_are_named_stay_with_another_text(me: Client) -> None:
    memory_id = await learn_many_details(me)
    first, second, third = (await me.ask("GET", f"memories/{memory_id}"))["details"]
    changed = await me.change(memory_id, summary=NEW, details=[third, first, third])
    assert changed["details"] == [first, third], "in their order, each once"
    assert await me.ask("GET", f"memories/{memory_id}") == changed
    problem = await me.ask("PATCH", f"memories/{memory_id}", {"details": [second]}, status=422)
    assert "details" in problem["detail"]
    assert await me.ask("GET", f"memories/{memory_id}") == changed


async def test_a_detail_alone_can_be_taken_out_and_takes_nothing_along(me: Client) -> None:
    memory_id = await learn_many_details(me)
    before = await me.ask("GET", f"memories/{memory_id}")
    assert await counts(me.world, me.user) == (1, 1)
    kept = before["details"][1:]
    assert await me.change(memory_id, details=kept) == {**before, "details": kept}
    assert await counts(me.world, me.user) == (1, 1), "the memory still says what they rest on"
    assert (await me.reasons(before["summary"]))[memory_id]["similarity"] == pytest.approx(
        1, abs=1e-3
    )
    told = [(v["version"], v["writtenBy"]) for v in (await me.history(memory_id))["versions"]]
    assert told == [(2, "extractor"), (1, "extractor")]


async def test_an_edit_that_is_overtaken_takes_nothing_back(
    me: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = await learn_peanuts(me)
    monkeypatch.setattr(amend, "TRIES", 1)
    slow, engine = Slow(me.world.embedder), me.world.engine
    waiting = replace(engine, models=Models({}, {"test": slow}))
    edit = amend.amend_memory(
        waiting, me.user, parse("mem", memory_id), amend.Amendment(summary=NEW)
    )
    editing = asyncio.create_task(edit)
    await slow.asked.wait()
    before = await me.change(memory_id, importance=9)
    slow.answer.set()
    with pytest.raises(Conflict):
        await editing
    assert await me.ask("GET", f"memories/{memory_id}") == before
    assert await counts(me.world, me.user) == (1, 1)


async def learn_many_details(me: Client) -> str:
    """The id of a memory with three details, a fact and a relationship version."""
    texts = ("땅콩", "알레르기", "있어")
    details = [
        {"kind": "quote", "who": "user", "character": "하루", "text": t, "context": ""}
        for t in texts
    ]
    me.world.speaker.extract = lambda p: json.dumps(
        json.loads(peanuts(p)) | {"key_details": details}
    )
    await me.world.talk_and_generate(me.user, me.haru, OLD)
    return str((await me.listed("limit=1"))[0]["id"])
