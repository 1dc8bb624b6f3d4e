"""Gemini's structured output: the real SDK against a real server that speaks its wire format."""

import json

import pytest

from gieok.calls import ModelChoice, StructuredPrompt, Usage
from gieok.errors import (
    ModelBlocked,
    ModelError,
    ModelMalformed,
    ModelRateLimited,
    ModelTimeout,
    ModelTruncated,
    ModelUnavailable,
)
from gieok.providers.gemini import Gemini
from infra.local.servers.model_script import Script

CHOICE = ModelChoice(
    "gemini",
    "gemini-3.8-flash",
    {"temperature": 0.1, "max_output_tokens": 8192, "thinking_budget": 1024},
)
SCHEMA = {
    "type": "object",
    "properties": {"worth_keeping": {"type": "boolean"}, "who": {"anyOf": [{"type": "null"}]}},
    "required": ["worth_keeping"],
    "additionalProperties": False,
}
PROMPT = StructuredPrompt("EXTRACTION", "기록자입니다.", '{"messages": ["비밀 이야기"]}', SCHEMA)
ANSWER = '{"worth_keeping": true}'


async def test_the_schema_is_enforced_by_the_api_and_the_payload_is_readable(
    gemini: Gemini, script: Script
) -> None:
    script.answer("json", ANSWER)

    reply = await gemini.structured(PROMPT, CHOICE, 5)

    assert reply.text == ANSWER
    body = json.loads(json.dumps(script.calls[0].body))
    assert body["generationConfig"]["responseJsonSchema"] == SCHEMA
    assert body["generationConfig"]["responseMimeType"] == "application/json"
    assert body["generationConfig"]["maxOutputTokens"] == 8192 + 1024
    assert body["systemInstruction"]["parts"][0]["text"] == PROMPT.instructions
    assert body["contents"][0]["parts"][0]["text"] == PROMPT.payload


async def test_usage_and_model_are_the_reported_ones(gemini: Gemini, script: Script) -> None:
    script.answer("json", ANSWER)

    reply = await gemini.structured(PROMPT, CHOICE, 5)

    assert reply.model == CHOICE.model
    assert reply.usage.completion == 2
    assert reply.usage.thoughts == 3
    assert reply.usage.prompt


async def test_missing_usage_is_none_and_never_zero(gemini: Gemini, script: Script) -> None:
    script.answer("json", ANSWER)
    script.fail("json", "no_usage")

    assert (await gemini.structured(PROMPT, CHOICE, 5)).usage == Usage()


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("429", ModelRateLimited),
        ("500", ModelUnavailable),
        ("401", ModelUnavailable),
        ("damaged", ModelMalformed),
        ("unfinished", ModelUnavailable),
        ("truncated", ModelTruncated),
        ("blocked_prompt", ModelBlocked),
        ("blocked_answer", ModelBlocked),
        ("empty", ModelMalformed),
    ],
)
async def test_each_fault_is_its_typed_error_after_one_request(
    gemini: Gemini, script: Script, fault: str, error: type[ModelError]
) -> None:
    script.answer("json", ANSWER)
    script.fail("json", fault)

    with pytest.raises(error) as caught:
        await gemini.structured(PROMPT, CHOICE, 5)

    assert type(caught.value) is error
    assert len(script.calls) == 1
    assert "비밀" not in repr(caught.value)


@pytest.mark.parametrize("fault", ["malformed_json", "wrong_schema"])
async def test_text_that_breaks_the_schema_is_the_callers_to_judge(
    gemini: Gemini, script: Script, fault: str
) -> None:
    script.fail("json", fault)
    script.answer("json", ANSWER)

    reply = await gemini.structured(PROMPT, CHOICE, 5)

    assert reply.text != ANSWER
    assert reply.text


async def test_the_whole_call_is_bounded(gemini: Gemini, script: Script) -> None:
    script.answer("json", ANSWER)
    script.fail("json", "slow_start")

    with pytest.raises(ModelTimeout):
        await gemini.structured(PROMPT, CHOICE, 0.3)
