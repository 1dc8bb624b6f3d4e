"""Gemini's chat stream: the real SDK against a real server that speaks its wire format."""

import asyncio
from contextlib import aclosing

import pytest

from gieok.calls import Finish, ModelChoice, Prompt, Section, Usage
from gieok.errors import (
    ModelUnavailable,
)
from gieok.providers.gemini import Gemini
from infra.local.servers.model_script import Script

CHOICE = ModelChoice("gemini", "gemini-3.8-flash", {"temperature": 0.9, "max_output_tokens": 2048})
SECRET = "할머니가 편찮으셔서 부산에 내려가"
PROMPT = Prompt(
    sections=(Section("character", "너는 하루다."), Section("dont_invent", "지어내지 마라.")),
    turns=(("user", "안녕"), ("assistant", "안녕!"), ("user", SECRET)),
    locale="ko",
)
LONG = "그랬구나 많이 걱정되겠다 할머니께서 얼른 나으시면 좋겠어 조심히 다녀와"


async def heard(
    gemini: Gemini, choice: ModelChoice = CHOICE, timeout_s: float = 5
) -> tuple[list[str], Finish]:
    """The pieces of a whole answer and its end."""
    pieces = [p async for p in gemini.stream(PROMPT, choice, timeout_s)]
    *texts, finish = pieces
    assert isinstance(finish, Finish)
    return [t for t in texts if isinstance(t, str)], finish


async def test_text_arrives_in_pieces_and_the_end_carries_the_last_usage(
    gemini: Gemini, script: Script
) -> None:
    script.answer("stream", LONG)

    texts, finish = await heard(gemini)

    assert "".join(texts) == LONG
    assert len(texts) > 2
    assert all(texts)
    assert finish.reason == "stop"
    assert finish.model == CHOICE.model
    # Earlier chunks report fewer; only the last is the whole answer's.
    assert finish.usage.completion == len(LONG.split())
    assert finish.usage.thoughts == 3
    assert finish.usage.prompt
    assert finish.usage.total == finish.usage.prompt + len(LONG.split()) + 3


async def test_the_prompt_goes_out_as_system_instruction_and_turns(
    gemini: Gemini, script: Script
) -> None:
    await heard(gemini)

    body = script.calls[0].body
    assert body["systemInstruction"]["parts"] == [{"text": PROMPT.system}]  # type: ignore[index]
    contents = body["contents"]
    assert isinstance(contents, list)
    assert [(c["role"], c["parts"][0]["text"]) for c in contents] == [
        ("user", "안녕"),
        ("model", "안녕!"),
        ("user", SECRET),
    ]
    assert body["generationConfig"] == {"temperature": 0.9, "maxOutputTokens": 2048}


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (
            {"max_output_tokens": 2048, "thinking_budget": 1024},
            {"maxOutputTokens": 3072, "thinkingConfig": {"thinking_budget": 1024}},
        ),
        (
            {"max_output_tokens": 2048, "thinking_budget": 0},
            {"maxOutputTokens": 2048, "thinkingConfig": {"thinking_budget": 0}},
        ),
        (
            {"max_output_tokens": 100, "thinking_budget": 50, "thinking_level": "low"},
            {"maxOutputTokens": 150, "thinkingConfig": {"thinking_level": "LOW"}},
        ),
        ({"unheard_of": 1}, {}),
    ],
)
async def test_thinking_gets_room_of_its_own_on_top_of_the_output(
    gemini: Gemini, script: Script, given: dict[str, object], sent: dict[str, object]
) -> None:
    await heard(gemini, ModelChoice("gemini", "gemini-3.8-flash", given))

    assert script.calls[0].body.get("generationConfig", {}) == sent


async def test_a_wrong_parameter_is_named(gemini: Gemini) -> None:
    with pytest.raises(ModelUnavailable, match="temperature"):
        await heard(gemini, ModelChoice("gemini", "m", {"temperature": "hot"}))


async def test_the_servers_deadline_is_not_the_wait_for_one_piece(
    gemini: Gemini, script: Script
) -> None:
    """Gemini refuses an X-Server-Timeout below 10 s, as the server here does."""
    await heard(gemini, timeout_s=2)

    assert script.calls[0].headers["x-server-timeout"] == "600"


@pytest.mark.parametrize("fault", ["blocked_prompt", "blocked_answer"])
async def test_a_refusal_for_safety_is_an_end_not_an_error(
    gemini: Gemini, script: Script, fault: str
) -> None:
    script.answer("stream", LONG)
    script.fail("stream", fault)

    texts, finish = await heard(gemini)

    assert finish.reason == "blocked"
    assert bool(texts) == (fault == "blocked_answer")
    assert finish.usage.prompt


async def test_an_answer_that_filled_its_limit_ends_with_length(
    gemini: Gemini, script: Script
) -> None:
    script.answer("stream", LONG)
    script.fail("stream", "truncated")

    texts, finish = await heard(gemini)

    assert finish.reason == "length"
    assert texts


async def test_missing_usage_is_none_and_never_zero(gemini: Gemini, script: Script) -> None:
    script.fail("stream", "no_usage")

    _, finish = await heard(gemini)

    assert finish.usage == Usage(None, None, None, None)


async def test_thoughts_are_never_spoken(gemini: Gemini, script: Script) -> None:
    script.send(
        "stream",
        '{"candidates": [{"finishReason": "STOP", "content": {"parts": '
        '[{"text": "속으로", "thought": true}, {"text": "겉으로"}]}}]}',
    )

    assert (await heard(gemini))[0] == ["겉으로"]


async def test_line_separators_inside_text_do_not_break_an_event(
    gemini: Gemini, script: Script
) -> None:
    text = "첫 줄\u2028둘째 줄\u0085셋째 줄 그리고 조금 더 길게"
    script.answer("stream", text)

    texts, _ = await heard(gemini)

    assert "".join(texts) == text


async def test_a_listener_who_leaves_frees_the_connection(gemini: Gemini, script: Script) -> None:
    script.answer("stream", LONG)
    script.fail("stream", "slow_pieces")
    async with aclosing(gemini.stream(PROMPT, CHOICE, 5)) as pieces:
        await anext(pieces)

    _, finish = await heard(gemini)

    assert finish.reason == "stop"


async def test_many_streams_at_once_are_not_mixed(gemini: Gemini, script: Script) -> None:
    answers = [f"{i}번째 대답 하나 둘 셋 {i}번째 끝" for i in range(20)]
    script.answer("stream", *answers)

    results = await asyncio.gather(*(heard(gemini) for _ in answers))

    assert sorted("".join(texts) for texts, _ in results) == sorted(answers)
