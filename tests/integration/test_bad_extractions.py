"""What becomes of bad answers of an extraction model: each has one right outcome.

An answer is used as it is, less what does not stand; or asked for once more, naming what is wrong.
One that stays bad is stored with a warning when every word of it may be kept, and otherwise fails
the window, which is tried again later and parked in the end.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

import pytest

from gieok.calls import Finish, StructuredPrompt
from gieok.errors import ModelBlocked
from gieok.memories.read import list_memories
from tests.support.derived import fact, known_facts
from tests.support.speakers import USAGE
from tests.support.world import World, extraction, somebody

SAID = "응 그래. 내 친구 민수는 진짜 게을러. 나는 매일 아침 수영을 해. 담배는 안 피워"
INVENTED = "너 어릴 때 부산에서 살았잖아"
INVENTED_FACT = "사용자는 어릴 때 부산에서 살았다."
OF_A_FRIEND = "사용자는 친구 민수와 제주도에 가기로 약속했다."
REMEMBERED = "사용자는 하루와 제주도에 가기로 약속했다."

Answer = Callable[[StructuredPrompt], str]


@dataclass(frozen=True, slots=True)
class Bad:
    """A bad answer and its outcome. `poison` must never be stored."""

    answer: Answer
    first: Literal["used", "repaired", "failed"]
    stubborn: Literal["written", "failed"]
    because: str
    poison: str = "제주도"


def said_in(prompt: StructuredPrompt) -> dict[str, Any]:
    """The user's last message, as the model is shown it."""
    messages = json.loads(prompt.payload)["messages"]
    last: dict[str, Any] = [m for m in messages if m["speaker"] == "user"][-1]
    return last


def quote(text: str, who: str = "user") -> dict[str, Any]:
    """A quote to the character."""
    return {"kind": "quote", "who": who, "character": "하루", "text": text, "context": ""}


def old_memories(prompt: StructuredPrompt) -> str:
    """The block of past memories, told as if it were the conversation."""
    old = said_in(prompt) | {"text": "우리 제주도 가자"}
    return extraction(
        prompt,
        summary=f"[과거 기억] (3일 전) {REMEMBERED}",
        key_details=[quote("우리 제주도 가자")],
        facts=[fact("사용자는 제주도에 간다.", old)],
        search_terms=["제주도"],
    )


def old_memories_among_new(prompt: StructuredPrompt) -> str:
    """What was said, and beside it a quote and a fact that were not."""
    said = said_in(prompt)
    true = fact("사용자는 매일 수영한다.", said | {"text": "나는 매일 아침 수영을 해"})
    return extraction(
        prompt,
        key_details=[quote("나는 매일 아침 수영을 해"), quote("우리 제주도 가자")],
        facts=[true, fact("사용자는 제주도에 간다.", said | {"text": "우리 제주도 가자"})],
    )


def injected_beside_true_ones(prompt: StructuredPrompt) -> str:
    """Another window's summary, with several quotes and a fact of this one."""
    swims = "나는 매일 아침 수영을 해"
    true = fact("사용자는 매일 수영한다.", said_in(prompt) | {"text": swims})
    quotes = [quote(swims), quote("담배는 안 피워"), quote("내 친구 민수는 진짜 게을러")]
    return extraction(prompt, summary=OF_A_FRIEND, key_details=quotes, facts=[true])


def friends_trait(prompt: StructuredPrompt) -> str:
    """A friend's trait as the user's own, in words the user really said."""
    said = said_in(prompt) | {"text": "내 친구 민수는 진짜 게을러"}
    return extraction(prompt, facts=[fact("사용자는 게으르다.", said)])


def characters_invention(prompt: StructuredPrompt) -> str:
    """What the character made up, as a fact and in the user's mouth."""
    said = said_in(prompt) | {"text": INVENTED}
    return extraction(
        prompt,
        key_details=[quote(SAID), quote(INVENTED)],
        facts=[fact("사용자는 어릴 때 부산에서 살았다.", said)],
    )


def agreed_to(prompt: StructuredPrompt) -> str:
    """What the character made up, proven by the yes the user gave, and as a deed of theirs."""
    facts = [
        fact(INVENTED_FACT, said_in(prompt) | {"text": yes}) for yes in ("응", "응 그래", "부산")
    ]
    deed = {"kind": "action", "text": "어릴 때 부산에서 살았다고 말했다"}
    return extraction(prompt, key_details=[quote(SAID), quote(INVENTED) | deed], facts=facts)


def without_negation(prompt: StructuredPrompt) -> str:
    """The opposite of what the user said, by the words that are left of it."""
    said = said_in(prompt)
    facts = [fact("사용자는 담배를 피운다.", said | {"text": t}) for t in ("피워", "담배는")]
    return extraction(prompt, facts=facts)


def changed(**changes: Any) -> Answer:
    """A good answer with fields changed."""
    return lambda prompt: extraction(prompt, **changes)


def around(before: str, after: str) -> Answer:
    """A good answer with text around it."""
    return lambda prompt: before + extraction(prompt) + after


def always(text: str) -> Answer:
    """The same text for any window."""
    return lambda prompt: text


def blocked(prompt: StructuredPrompt) -> str:
    """A refusal by the provider."""
    raise ModelBlocked("test-1")


ENGLISH = "The user swims every morning and says that a friend is lazy."
TABLE = {
    "injected memories": Bad(
        old_memories,
        "repaired",
        "failed",
        "not one word of it was said in the window: it is about something else",
    ),
    "injected memories among true ones": Bad(
        old_memories_among_new,
        "used",
        "written",
        "quotes and facts stand or fall one by one",
    ),
    "the previous window again": Bad(
        changed(summary=REMEMBERED, key_details=[quote("제주도 가기로 약속")]),
        "repaired",
        "failed",
        "as injected memories: a summary of another window is no memory of this one",
    ),
    "an injected memory of the friend": Bad(
        changed(summary=OF_A_FRIEND, key_details=[]),
        "repaired",
        "failed",
        "recalled memories share a name with what recalled them; a name is not what was said",
    ),
    "an injected memory beside true quotes": Bad(
        changed(summary=OF_A_FRIEND),
        "repaired",
        "written",
        "a true quote does not make a summary true; the quote is kept in its place",
    ),
    "an injected memory beside true quotes and facts": Bad(
        injected_beside_true_ones,
        "repaired",
        "written",
        "what is true beside a summary says nothing of it: only words they share would",
    ),
    "the previous window again, with a word of this one": Bad(
        changed(summary=f"{OF_A_FRIEND} 수영복도 새로 샀다.", key_details=[quote("나는")]),
        "repaired",
        "failed",
        "most of it was said in another window",
    ),
    "a friend's trait": Bad(
        friends_trait,
        "used",
        "written",
        "the words speak of somebody else, so the fact is not the user's; the rest is good",
        "사용자는 게으르다",
    ),
    "the character's invention": Bad(
        characters_invention,
        "used",
        "written",
        "the user did not say it: neither a fact about the user nor the user's words",
        "어릴 때 부산",
    ),
    "the character's invention, agreed to": Bad(
        agreed_to,
        "used",
        "written",
        "a polite yes to a claim tells nothing of the user, in whatever form it comes back",
        "어릴 때 부산",
    ),
    "a quote without its negation": Bad(
        without_negation,
        "used",
        "written",
        "the user said the opposite",
        "담배를 피운다",
    ),
    "half in another language": Bad(
        changed(summary=f"{SAID}. {ENGLISH}"),
        "repaired",
        "written",
        "as another language: true, and better kept than lost",
    ),
    "another language": Bad(
        changed(summary=ENGLISH),
        "repaired",
        "written",
        "true, though in the wrong language: better kept than lost",
    ),
    "no detail of the user's": Bad(
        changed(key_details=[]),
        "repaired",
        "written",
        "true, though thin: accepted with a warning",
    ),
    "empty": Bad(always(""), "repaired", "failed", "no answer"),
    "a refusal": Bad(
        always("죄송하지만 이 대화는 제주도 여행이라 정리해 드릴 수 없습니다."),
        "repaired",
        "failed",
        "prose is no answer, whatever it says",
    ),
    "blocked": Bad(
        blocked,
        "failed",
        "failed",
        "there is no answer to repair; a later try may pass, or another model",
    ),
    "code fences": Bad(around("```json\n", "\n```"), "used", "written", "the object is whole"),
    "trailing prose": Bad(
        around("정리했습니다.\n", "\n제주도 이야기는 뺐습니다."),
        "used",
        "written",
        "the object is whole, and nothing around it is read",
    ),
    "200 search terms": Bad(
        changed(search_terms=[f"수영{i}" for i in range(200)] + ["제주도"]),
        "used",
        "written",
        "the first 40 are enough to find it by",
    ),
    "importance 11": Bad(
        changed(importance=11, summary=f"{SAID} 제주도"),
        "repaired",
        "failed",
        "clamped it would claim to change a life; the model is asked what it meant",
    ),
    "importance as text": Bad(
        changed(importance="5", summary=f"{SAID} 제주도"), "repaired", "failed", "not the schema"
    ),
    "a million characters": Bad(
        changed(summary="제주도 " * 250_000), "repaired", "failed", "no five sentences are so long"
    ),
    "truncated": Bad(
        lambda prompt: extraction(prompt, summary=f"{SAID} 제주도")[:-20],
        "repaired",
        "failed",
        "what is missing cannot be known",
    ),
    "another schema": Bad(
        always('{"memories": ["제주도"]}'), "repaired", "failed", "nothing of it is asked for"
    ),
    "a list": Bad(always('["제주도"]'), "repaired", "failed", "not an object"),
    "a number for a list": Bad(
        changed(summary=f"{SAID} 제주도", facts=7), "repaired", "failed", "not the schema"
    ),
    "null for a list": Bad(changed(facts=None), "used", "written", "it is an empty list"),
    "thoughts": Bad(
        around('<think>{"worth_keeping": false}</think>', ""), "used", "written", "the last counts"
    ),
    "braces in prose": Bad(
        around("대화 {강아지}를 정리하면: ", ""), "used", "written", "it is no object"
    ),
    "endless nesting": Bad(
        always('{"제주도":' + "[" * 3_000), "repaired", "failed", "it cannot be read"
    ),
    "NUL and lone surrogates": Bad(
        changed(
            summary=f"{SAID}\x00\ud800.",
            key_details=[quote("나는 매일\x00 아침\udfff 수영을 해")],
            search_terms=["수영\x00", "\ud800"],
        ),
        "used",
        "written",
        "what cannot be shown goes; the text around it is good",
        "\x00",
    ),
    "deep nesting": Bad(
        always('{"summary":"제주도","worth_keeping":' * 20_000), "repaired", "failed", "no object"
    ),
    "nested where text belongs": Bad(
        changed(summary={"ko": {"text": "제주도"}}), "repaired", "failed", "not the schema"
    ),
}
EACH = pytest.mark.parametrize("bad", TABLE.values(), ids=TABLE.keys())


async def told(world: World) -> tuple[Any, Any]:
    """A user who said something to a character that answered with an invention, hours ago."""
    haru, user = await world.character(), somebody()
    world.speaker.pieces = (INVENTED, Finish("stop", USAGE, "speaker-1"))
    said = await world.say(user, haru, "부산 좋지")
    await world.say(user, haru, SAID, said.session_id)
    world.clock.ahead = timedelta(hours=3)
    return user, haru


async def stored(world: World, user: Any, haru: Any) -> list[str]:
    """Every text that is kept of what a user said, decrypted."""
    page = await list_memories(world.engine, user, haru, None, None, 10)
    texts = [m.summary for m in page.items]
    texts += [d.text for m in page.items for d in m.details]
    return texts + [str(f["text"]) for f in await known_facts(world, user)]


@EACH
async def test_a_bad_answer_is_used_or_asked_for_again(world: World, bad: Bad) -> None:
    user, haru = await told(world)

    def bad_then_good(prompt: StructuredPrompt) -> str:
        return (bad.answer if len(world.speaker.extractions) == 1 else extraction)(prompt)

    world.speaker.extract = bad_then_good
    outcomes = await world.generate(user, haru)
    texts = await stored(world, user, haru)
    assert not [t for t in texts if bad.poison in t], bad.because
    if bad.first == "failed":
        assert (outcomes, texts) == (["failed"], []), bad.because
        return
    assert outcomes == ["written", "not_due"], bad.because
    assert len(world.speaker.extractions) == (2 if bad.first == "repaired" else 1), bad.because
    assert any(SAID in t for t in texts)
    if bad.first == "repaired":
        repair = json.loads(world.speaker.extractions[1].payload)["repair"]
        assert repair["problem"]
        assert len(repair["previous_answer"]) <= 20_000


@EACH
async def test_a_model_that_stays_bad_never_writes_what_is_not_true(world: World, bad: Bad) -> None:
    user, haru = await told(world)
    world.speaker.extract = bad.answer
    outcomes = await world.generate(user, haru)
    texts = await stored(world, user, haru)
    assert not [t for t in texts if bad.poison in t], bad.because
    if bad.stubborn == "failed":
        assert (outcomes, texts) == (["failed"], []), bad.because
    else:
        assert outcomes == ["written", "not_due"], bad.because
        assert texts


async def test_what_is_true_beside_a_bad_fact_is_kept(world: World) -> None:
    user, haru = await told(world)
    world.speaker.extract = old_memories_among_new
    await world.generate(user, haru)
    assert [f["text"] for f in await known_facts(world, user)] == ["사용자는 매일 수영한다."]


async def test_the_repair_says_what_was_wrong_and_never_with_the_users_words(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    user, haru = await told(world)
    world.speaker.extract = changed(summary=ENGLISH)
    await world.generate(user, haru)
    repair = json.loads(world.speaker.extractions[1].payload)["repair"]
    assert repair["problem"] == "summary: not in the language of the conversation"
    out = capsys.readouterr().out
    assert "extraction_incomplete" in out
    assert "수영" not in out
