"""Any OpenAI-compatible server: chat and structured output, over real HTTP."""

import json
from typing import Any

import pytest

from gieok.calls import Assignment, Finish, ModelChoice, Prompt, Section, StructuredPrompt, Usage
from gieok.errors import (
    ModelBlocked,
    ModelError,
    ModelMalformed,
    ModelRateLimited,
    ModelRejected,
    ModelTimeout,
    ModelTruncated,
    ModelUnavailable,
)
from gieok.providers.openai_compatible import OpenAICompatible
from gieok.providers.router import Models
from infra.local.servers.http_server import bind, url_of
from infra.local.servers.model_script import Script

CHOICE = ModelChoice("openai", "qwen3", {"temperature": 0.7, "max_output_tokens": 512})
PROMPT = Prompt(
    sections=(Section("character", "너는 하루다."),),
    turns=(("user", "안녕"), ("assistant", "안녕!"), ("user", "나 면접 봤어")),
    locale="ko",
)
LONG = "면접 보느라 정말 고생 많았어 오늘은 맛있는 거 먹고 푹 쉬어"
SCHEMA = {"type": "object", "properties": {"kept": {"type": "boolean"}}}
TASK = StructuredPrompt("EXTRACTION", "기록자입니다.", '{"messages": []}', SCHEMA)


async def heard(
    openai: OpenAICompatible, choice: ModelChoice = CHOICE, timeout_s: float = 5
) -> tuple[str, Finish]:
    *texts, finish = [p async for p in openai.stream(PROMPT, choice, timeout_s)]
    assert isinstance(finish, Finish)
    assert all(texts)
    return "".join(map(str, texts)), finish


def body_of(script: Script) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(json.dumps(script.calls[0].body))
    return body


async def test_text_streams_and_ends_with_the_reported_usage(
    openai: OpenAICompatible, script: Script
) -> None:
    script.answer("stream", LONG)

    text, finish = await heard(openai)

    assert text == LONG
    assert finish.reason == "stop"
    assert finish.model == "qwen3"
    assert finish.usage.completion == len(LONG.split()) + 3
    assert finish.usage.thoughts == 3
    assert finish.usage.total == (finish.usage.prompt or 0) + len(LONG.split()) + 3


async def test_the_request_is_plain_openai(openai: OpenAICompatible, script: Script) -> None:
    await heard(openai)

    assert body_of(script) == {
        "model": "qwen3",
        "messages": [
            {"role": "system", "content": "너는 하루다."},
            {"role": "user", "content": "안녕"},
            {"role": "assistant", "content": "안녕!"},
            {"role": "user", "content": "나 면접 봤어"},
        ],
        "temperature": 0.7,
        "max_tokens": 512,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert script.calls[0].headers["authorization"] == "Bearer test-key"


async def test_thinking_has_room_of_its_own_and_a_server_its_own_fields(
    openai: OpenAICompatible, script: Script
) -> None:
    extra = {"chat_template_kwargs": {"enable_thinking": False}}
    given = {"max_output_tokens": 512, "thinking_budget": 256, "extra_body": extra}

    await heard(openai, ModelChoice("openai", "qwen3", given))

    assert body_of(script)["max_tokens"] == 768
    assert body_of(script)["chat_template_kwargs"] == {"enable_thinking": False}


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("429", ModelRateLimited),
        ("500", ModelUnavailable),
        ("400", ModelRejected),
        ("cut", ModelUnavailable),
        ("unfinished", ModelUnavailable),
        ("damaged", ModelUnavailable),
        ("error_event", ModelRateLimited),
    ],
)
async def test_each_fault_of_a_stream_is_its_typed_error(
    openai: OpenAICompatible, script: Script, fault: str, error: type[ModelError]
) -> None:
    script.answer("stream", LONG)
    script.fail("stream", fault)

    with pytest.raises(error) as caught:
        await heard(openai)

    assert type(caught.value) is error
    assert caught.value.model == "qwen3"
    assert len(script.calls) == 1


@pytest.mark.parametrize(
    ("fault", "reason"), [("blocked_answer", "blocked"), ("truncated", "length")]
)
async def test_an_answer_that_was_stopped_says_why(
    openai: OpenAICompatible, script: Script, fault: str, reason: str
) -> None:
    script.answer("stream", LONG)
    script.fail("stream", fault)

    _, finish = await heard(openai)

    assert finish.reason == reason


async def test_an_end_without_a_word_says_what_it_cost(
    openai: OpenAICompatible, script: Script
) -> None:
    script.fail("stream", "empty")

    text, finish = await heard(openai)

    assert text == ""
    assert finish.reason == "stop"
    assert finish.usage.prompt


async def test_missing_usage_is_none_and_never_zero(
    openai: OpenAICompatible, script: Script
) -> None:
    script.fail("stream", "no_usage")

    _, finish = await heard(openai)

    assert finish.usage == Usage()


@pytest.mark.parametrize("fault", ["slow_start", "slow_pieces", "silent"])
async def test_each_wait_for_a_piece_is_bounded(
    openai: OpenAICompatible, script: Script, fault: str
) -> None:
    script.answer("stream", LONG)
    script.fail("stream", fault)

    with pytest.raises(ModelTimeout):
        await heard(openai, timeout_s=0.3)


async def test_reasoning_is_never_spoken_and_a_refusal_is_a_block(
    openai: OpenAICompatible, script: Script
) -> None:
    script.send(
        "stream",
        '{"choices": [{"delta": {"reasoning_content": "속으로", "refusal": "안 돼"}}]}',
    )

    text, finish = await heard(openai)

    assert text == ""
    assert finish.reason == "blocked"


@pytest.mark.parametrize(
    "event", ["5", "[]", "null", '{"choices": 5}', '{"choices": [{"delta": {"content": 5}}]}', "<"]
)
async def test_an_answer_of_another_shape_is_a_model_error(
    openai: OpenAICompatible, script: Script, event: str
) -> None:
    script.send("stream", event)

    with pytest.raises(ModelError):
        await heard(openai)


async def test_half_a_character_in_a_chunk_is_no_fault(
    openai: OpenAICompatible, script: Script
) -> None:
    halves = ('"좋아 \\ud83d"', '"\\ude00 끝"')
    events = [f'{{"choices": [{{"delta": {{"content": {half}}}}}]}}' for half in halves]
    events.append('{"choices": [{"finish_reason": "stop"}]}')
    script.send("stream", "\n\ndata: ".join(events))
    chat = Assignment("CHAT", (CHOICE,))

    said = [p async for p in Models({"openai": openai}, {}).stream(chat, PROMPT, 5, 5, [])]

    assert "".join(p for p in said if isinstance(p, str)) == "좋아 😀 끝"


@pytest.mark.parametrize("reason", ["eos", "end_turn", "stop_sequence", "STOP"])
async def test_a_word_of_its_own_for_the_end_is_an_end(
    openai: OpenAICompatible, script: Script, reason: str
) -> None:
    counts = '{"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}'
    said = f'{{"delta": {{"content": "응"}}, "finish_reason": "{reason}"}}'
    script.send("stream", f'{{"choices": [{said}], "usage": {counts}}}')

    text, finish = await heard(openai)

    assert (text, finish.reason, finish.usage.total) == ("응", "stop", 10)


async def test_counts_that_cannot_be_are_not_known(
    openai: OpenAICompatible, script: Script
) -> None:
    counts = f'{{"prompt_tokens": {2**31}, "completion_tokens": -1, "total_tokens": {2**31 - 1}}}'
    said = '{"delta": {"content": "응"}, "finish_reason": "stop"}'
    script.send("stream", f'{{"choices": [{said}], "usage": {counts}}}')

    _, finish = await heard(openai)

    assert finish.usage == Usage(None, None, None, 2**31 - 1)


async def test_line_separators_inside_text_do_not_break_an_event(
    openai: OpenAICompatible, script: Script
) -> None:
    text = "첫 줄\u2028둘째 줄\u0085셋째 줄 그리고 조금 더 길게"
    script.answer("stream", text)

    assert (await heard(openai))[0] == text


async def test_nobody_listening_is_unavailable() -> None:
    with bind() as bound:
        openai = OpenAICompatible(f"{url_of(bound)}/v1")
        with pytest.raises(ModelUnavailable):
            await heard(openai)
    await openai.aclose()


async def test_structured_output_sends_the_schema(openai: OpenAICompatible, script: Script) -> None:
    script.answer("json", '{"kept": true}')

    reply = await openai.structured(TASK, CHOICE, 5)

    assert reply.text == '{"kept": true}'
    assert reply.usage.thoughts == 3
    assert body_of(script)["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "extraction", "schema": SCHEMA, "strict": True},
    }
    assert [m["role"] for m in body_of(script)["messages"]] == ["system", "user"]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("429", ModelRateLimited),
        ("503", ModelUnavailable),
        ("damaged", ModelMalformed),
        ("unfinished", ModelUnavailable),
        ("truncated", ModelTruncated),
        ("blocked_answer", ModelBlocked),
        ("empty", ModelMalformed),
        ("slow_start", ModelTimeout),
    ],
)
async def test_each_fault_of_structured_output_is_its_typed_error(
    openai: OpenAICompatible, script: Script, fault: str, error: type[ModelError]
) -> None:
    script.answer("json", '{"kept": true}')
    script.fail("json", fault)

    with pytest.raises(error) as caught:
        await openai.structured(TASK, CHOICE, 0.5 if fault == "slow_start" else 5)

    assert type(caught.value) is error
    assert len(script.calls) == 1
