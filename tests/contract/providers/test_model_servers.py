"""The local model servers by themselves: without a script they answer by the offline rules."""

import pytest

from gieok.calls import Finish, ModelChoice
from gieok.extraction.answer import read
from gieok.extraction.request import request
from gieok.ports import LanguageModel
from gieok.providers.gemini import Gemini
from gieok.providers.openai_compatible import OpenAICompatible
from infra.local.servers.model_script import Script, hashed
from tests.support.prompt_samples import assembled, context_of, memory, message, quote

CHOICE = ModelChoice("any", "any-model")


@pytest.mark.parametrize("kind", ["gemini", "openai"])
async def test_a_question_is_answered_from_the_memories_in_the_prompt(
    kind: str, gemini: Gemini, openai: OpenAICompatible, script: Script
) -> None:
    provider: LanguageModel = gemini if kind == "gemini" else openai
    cat = memory("고양이를 키운다.", 3, [quote("우리 고양이 두부는 네 살이야")])
    prompt = assembled(cat, text="두부가 몇 살인지 기억해?").prompt

    pieces = [p async for p in provider.stream(prompt, CHOICE, 5)]

    assert "우리 고양이 두부는 네 살이야" in "".join(p for p in pieces if not isinstance(p, Finish))


@pytest.mark.parametrize("kind", ["gemini", "openai"])
async def test_an_extraction_is_made_of_the_payload(
    kind: str, gemini: Gemini, openai: OpenAICompatible, script: Script
) -> None:
    provider: LanguageModel = gemini if kind == "gemini" else openai
    messages = [message("나 다음 달에 부산으로 이사 가")]
    prompt = request(context_of(messages, ["하루"]))

    reply = await provider.structured(prompt, CHOICE, 5)

    assert read(reply.text, context_of(messages, ["하루"])).details[0].text == messages[0].text


async def test_a_standing_fault_stays_until_it_is_forgotten(gemini: Gemini, script: Script) -> None:
    script.standing_fault = "no_usage"
    prompt = assembled(text="안녕").prompt

    for _ in range(2):
        *_, finish = [p async for p in gemini.stream(prompt, CHOICE, 5)]
        assert isinstance(finish, Finish)
        assert finish.usage.prompt is None

    script.forget()
    *_, finish = [p async for p in gemini.stream(prompt, CHOICE, 5)]
    assert isinstance(finish, Finish)
    assert finish.usage.prompt


def test_no_such_fault_is_an_error_of_the_test() -> None:
    with pytest.raises(ValueError, match="no such fault"):
        Script().fail("stream", "gremlins")


def test_hashed_vectors_are_near_for_like_texts() -> None:
    cat, same, other = (hashed(t, 768) for t in ("고양이가 좋아", "고양이는 좋아", "부산 기차표"))

    assert sum(a * b for a, b in zip(cat, same, strict=True)) > 0.9
    assert abs(sum(a * b for a, b in zip(cat, other, strict=True))) < 0.5
