"""Gemini's chat stream when something goes wrong: one request, one typed error."""

import pytest

from gieok.calls import Finish
from gieok.errors import (
    ModelError,
    ModelRateLimited,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
)
from gieok.providers.gemini import Gemini
from infra.local.servers.http_server import bind, url_of
from infra.local.servers.model_script import Script

from .test_gemini_chat import CHOICE, LONG, PROMPT, SECRET, heard


async def collect(gemini: Gemini, into: list[str | Finish]) -> None:
    async for piece in gemini.stream(PROMPT, CHOICE, 5):
        into.append(piece)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("429", ModelRateLimited),
        ("500", ModelUnavailable),
        ("503", ModelUnavailable),
        ("400", ModelRejected),
        ("404", ModelUnavailable),
        ("cut", ModelUnavailable),
        ("unfinished", ModelUnavailable),
        ("damaged", ModelUnavailable),
        ("error_event", ModelRateLimited),
    ],
)
async def test_each_fault_is_its_typed_error_after_one_request(
    gemini: Gemini, script: Script, fault: str, error: type[ModelError]
) -> None:
    script.answer("stream", LONG)
    script.fail("stream", fault)

    with pytest.raises(error) as caught:
        await heard(gemini)

    assert type(caught.value) is error
    assert caught.value.model == CHOICE.model
    assert len(script.calls) == 1


@pytest.mark.parametrize("fault", ["cut", "unfinished", "damaged", "error_event"])
async def test_what_was_said_before_a_cut_was_handed_on(
    gemini: Gemini, script: Script, fault: str
) -> None:
    script.answer("stream", LONG)
    script.fail("stream", fault)

    texts: list[str | Finish] = []
    with pytest.raises(ModelError):
        await collect(gemini, texts)

    assert texts
    assert LONG.startswith("".join(map(str, texts)))


@pytest.mark.parametrize(("fault", "reason"), [("truncated", "length"), ("empty", "stop")])
async def test_an_end_without_a_word_says_why_and_what_it_cost(
    gemini: Gemini, script: Script, fault: str, reason: str
) -> None:
    script.answer("stream", "")
    script.fail("stream", fault)

    texts, finish = await heard(gemini)

    assert texts == []
    assert finish.reason == reason
    assert finish.usage.prompt


@pytest.mark.parametrize("fault", ["slow_start", "slow_pieces", "silent"])
async def test_each_wait_for_a_piece_is_bounded(gemini: Gemini, script: Script, fault: str) -> None:
    script.answer("stream", LONG)
    script.fail("stream", fault)

    with pytest.raises(ModelTimeout):
        await heard(gemini, timeout_s=0.3)


async def test_a_long_answer_may_take_longer_than_one_wait(gemini: Gemini, script: Script) -> None:
    script.delay_s = 0.2
    script.answer("stream", " ".join([LONG] * 3))
    script.fail("stream", "slow_pieces")

    texts, finish = await heard(gemini, timeout_s=1)

    assert finish.reason == "stop"
    assert (len(texts) - 1) * script.delay_s > 1


@pytest.mark.parametrize(
    "event",
    [
        "5",
        "[]",
        "null",
        '{"candidates": "x"}',
        '{"candidates": [null]}',
        '{"candidates": [{"content": {"parts": [{"text": 5}]}}]}',
        '{"candidates": [{"finishReason": "MALFORMED_RESPONSE"}]}',
        '{"usageMetadata": {"promptTokenCount": "many"}}',
        '{"error": {}}',
        '{"error": {"code": "x"}}',
        "<html>",
    ],
)
async def test_an_answer_of_another_shape_is_a_model_error(
    gemini: Gemini, script: Script, event: str
) -> None:
    script.send("stream", event)

    with pytest.raises(ModelError):
        await heard(gemini)


async def test_nobody_listening_is_unavailable() -> None:
    with bind() as bound:
        gemini = Gemini("test-key", url_of(bound))
        with pytest.raises(ModelUnavailable):
            await heard(gemini)
    await gemini.aclose()


@pytest.mark.parametrize("fault", ["400", "500", "damaged", "cut"])
async def test_an_error_and_its_chain_quote_no_words(
    gemini: Gemini, script: Script, fault: str
) -> None:
    script.answer("stream", SECRET)
    script.fail("stream", fault)

    with pytest.raises(ModelError) as caught:
        await heard(gemini)

    shown: BaseException | None = caught.value
    assert shown
    assert "할머니" not in repr(shown)
    assert shown.__cause__ is None
    assert shown.__suppress_context__ or shown.__context__ is None
