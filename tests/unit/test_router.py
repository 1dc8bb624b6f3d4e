"""The ladder of models: next one, cut answers, and what each call cost."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import NoReturn
from unicodedata import normalize

import pytest

from gieok.calls import (
    Assignment,
    Embeddings,
    Finish,
    FinishReason,
    ModelChoice,
    ModelUse,
    Prompt,
    Purpose,
    StructuredPrompt,
    StructuredReply,
    Usage,
)
from gieok.errors import (
    ModelError,
    ModelMalformed,
    ModelRateLimited,
    ModelTimeout,
    ModelTruncated,
    ModelUnavailable,
)
from gieok.providers.router import Models
from tests.support.speakers import USAGE, Hashes, Speaker

PROMPT = Prompt((), (("user", "안녕"),), "ko")
ASK = StructuredPrompt("EXTRACTION", "", "{}", {})
CHAT = Assignment("CHAT", (ModelChoice("first", "m1"), ModelChoice("second", "m2")))
EMBEDDING = Assignment("EMBEDDING", (ModelChoice("first", "e1"), ModelChoice("second", "e2")))


async def said(models: Models, uses: list[ModelUse]) -> list[str | Finish]:
    return [p async for p in models.stream(CHAT, PROMPT, 5, 5, uses)]


async def test_the_first_model_answers_and_its_usage_is_kept() -> None:
    uses: list[ModelUse] = []
    pieces = await said(Models({"first": Speaker(), "second": Speaker()}, {}), uses)
    assert "".join(p for p in pieces if isinstance(p, str)) == "그랬구나. 잘 들었어!"
    assert pieces[-1] == Finish("stop", USAGE, "speaker-1")
    assert [(u.model, u.usage, u.outcome) for u in uses] == [("m1", USAGE, "stop")]


async def test_a_model_that_fails_before_a_word_is_replaced_by_the_next() -> None:
    uses: list[ModelUse] = []
    models = Models({"first": Speaker(ModelRateLimited("m1")), "second": Speaker()}, {})
    pieces = await said(models, uses)
    assert isinstance(pieces[-1], Finish)
    assert [(u.model, u.outcome) for u in uses] == [("m1", "model_rate_limited"), ("m2", "stop")]
    assert uses[0].usage == Usage()


async def test_a_provider_that_is_not_configured_is_a_failed_model() -> None:
    uses: list[ModelUse] = []
    await said(Models({"second": Speaker()}, {}), uses)
    assert [u.outcome for u in uses] == ["model_unavailable", "stop"]


async def test_an_answer_cut_after_its_first_word_stands_and_no_other_model_speaks() -> None:
    second = Speaker()
    models = Models({"first": Speaker("그래", ModelUnavailable("m1")), "second": second}, {})
    pieces = await said(models, [])
    assert pieces == ["그래", Finish("interrupted", Usage(), "m1")]
    assert not second.prompts


async def test_when_every_model_fails_the_last_error_is_raised() -> None:
    models = Models(
        {"first": Speaker(ModelTimeout("m1")), "second": Speaker(ModelRateLimited("m2"))}, {}
    )
    with pytest.raises(ModelRateLimited):
        await said(models, [])


@pytest.mark.parametrize(
    ("reason", "outcome"), [("stop", "model_malformed"), ("length", "model_truncated")]
)
async def test_a_model_that_ends_without_a_word_is_replaced_and_what_it_cost_is_kept(
    reason: FinishReason, outcome: str
) -> None:
    uses: list[ModelUse] = []
    silent = Speaker(Finish(reason, USAGE, "silent-1"))
    pieces = await said(Models({"first": silent, "second": Speaker()}, {}), uses)
    assert pieces[-1] == Finish("stop", USAGE, "speaker-1")
    assert [(u.model, u.outcome, u.usage) for u in uses] == [
        ("m1", outcome, USAGE),
        ("m2", "stop", USAGE),
    ]


@pytest.mark.parametrize(
    ("reason", "error"), [("stop", ModelMalformed), ("length", ModelTruncated)]
)
async def test_when_no_model_says_a_word_that_is_an_error_and_not_an_empty_answer(
    reason: FinishReason, error: type[ModelError]
) -> None:
    silent = Speaker(Finish(reason, USAGE, "silent-1"))
    with pytest.raises(error):
        await said(Models({"first": silent, "second": silent}, {}), [])


async def test_a_refusal_is_an_answer_and_no_other_model_is_asked() -> None:
    second, refused = Speaker(), Finish("blocked", USAGE, "m1")
    assert await said(Models({"first": Speaker(refused), "second": second}, {}), []) == [refused]
    assert not second.prompts


async def test_no_assignment_is_an_error_and_not_silence() -> None:
    with pytest.raises(ModelError):
        await Models({}, {}).structured(Assignment("EXTRACTION", ()), ASK, 1, [])


class Endless(Speaker):
    """Never stops talking."""

    async def stream(
        self, prompt: Prompt, choice: ModelChoice, timeout_s: float
    ) -> AsyncGenerator[str | Finish, None]:
        while True:
            yield "아"
            await asyncio.sleep(0.01)


async def test_an_endless_answer_is_ended_and_what_was_said_stands() -> None:
    models = Models({"first": Endless()}, {})
    pieces = [p async for p in models.stream(CHAT, PROMPT, 5, 0.1, [])]
    assert pieces[0] == "아"
    assert pieces[-1] == Finish("interrupted", Usage(), "m1")


class Slow(Speaker):
    """Thinks for a while before it says its pieces."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    async def stream(
        self, prompt: Prompt, choice: ModelChoice, timeout_s: float
    ) -> AsyncGenerator[str | Finish, None]:
        await asyncio.sleep(self.seconds)
        async for piece in super().stream(prompt, choice, timeout_s):
            yield piece


class Silent(Speaker, Hashes):
    """Is asked and never answers; `asked` says that it was."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()

    async def _for_ever(self) -> NoReturn:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def stream(
        self, prompt: Prompt, choice: ModelChoice, timeout_s: float
    ) -> AsyncGenerator[str | Finish, None]:
        yield "아"
        await self._for_ever()

    async def structured(
        self, prompt: StructuredPrompt, choice: ModelChoice, timeout_s: float
    ) -> StructuredReply:
        await self._for_ever()

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        await self._for_ever()


@pytest.mark.parametrize("what", ["stream", "structured", "embed"])
async def test_a_call_whose_caller_gives_up_is_kept_too(what: str) -> None:
    silent, uses = Silent(), list[ModelUse]()
    models = Models({"first": silent, "second": silent}, {"first": silent})
    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "stream": lambda: said(models, uses),
        "structured": lambda: models.structured(CHAT, ASK, 5, uses),
        "embed": lambda: models.embed(EMBEDDING, ["글"], "query", 5, uses),
    }
    task = asyncio.ensure_future(calls[what]())
    await silent.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [use.outcome for use in uses] == ["cancelled"]


async def test_a_listener_who_leaves_in_mid_answer_leaves_its_cost() -> None:
    uses: list[ModelUse] = []
    pieces = Models({"first": Speaker()}, {}).stream(CHAT, PROMPT, 5, 5, uses)
    assert await anext(pieces)
    await pieces.aclose()
    assert [use.outcome for use in uses] == ["cancelled"]


async def test_a_listener_who_leaves_at_the_end_leaves_it_once() -> None:
    uses: list[ModelUse] = []
    pieces = Models({"first": Speaker()}, {}).stream(CHAT, PROMPT, 5, 5, uses)
    while not isinstance(await anext(pieces), Finish):
        pass
    await pieces.aclose()
    assert [use.outcome for use in uses] == ["stop"]


async def test_all_models_of_a_turn_share_one_time_limit() -> None:
    """The second would have time enough, had the first not used it up."""
    uses: list[ModelUse] = []
    models = Models({"first": Slow(3600), "second": Slow(0.05)}, {})
    with pytest.raises(ModelTimeout):
        [p async for p in models.stream(CHAT, PROMPT, 3600, 0.2, uses)]
    assert [(u.model, u.outcome) for u in uses] == [
        ("m1", "model_timeout"),
        ("m2", "model_timeout"),
    ]


async def test_vectors_wider_than_the_databases_are_refused() -> None:
    models = Models({}, {"first": Hashes()}, widest=Hashes.WIDTH - 1)
    with pytest.raises(ModelMalformed):
        await models.embed(EMBEDDING, ["안녕"], "query", 1, [])


async def test_a_second_embedding_model_is_never_asked() -> None:
    first, second = Hashes(), Hashes()
    first.error = ModelUnavailable("e1")
    with pytest.raises(ModelUnavailable):
        await Models({}, {"first": first, "second": second}).embed(
            EMBEDDING, ["안녕"], "query", 1, []
        )
    assert second.calls == 0


@pytest.mark.parametrize("typed", [normalize("NFD", "한시우"), "ﾾￂﾤﾵￜﾷￓ", "한\u200b시우"])
async def test_a_text_is_embedded_as_it_is_meant_to_be_read(typed: str) -> None:
    embedder = Hashes()
    models = Models({}, {"test": embedder})
    assignment = Assignment("EMBEDDING", (ModelChoice("test", "test-1"),))
    got = await models.embed(assignment, [typed], "query", 1, [])
    wanted = await models.embed(assignment, ["한시우"], "query", 1, [])
    assert got.vectors == wanted.vectors
