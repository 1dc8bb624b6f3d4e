"""Any OpenAI-compatible server: embeddings, over real HTTP."""

import math

import pytest

from gieok.calls import ModelChoice, Purpose, Usage
from gieok.errors import (
    ModelError,
    ModelMalformed,
    ModelRateLimited,
    ModelTimeout,
    ModelUnavailable,
)
from gieok.providers.openai_compatible import OpenAICompatible
from infra.local.servers.model_script import Script, hashed

from .conftest import OPENAI_WIDTH

CHOICE = ModelChoice("openai", "bge-m3")
TEXTS = ["부산에 내려갔다", "고양이 이름은 두부", "면접에 붙었다"]


@pytest.mark.parametrize(("purpose", "prefix"), [("query", "query: "), ("document", "passage: ")])
async def test_each_text_has_its_own_unit_vector_in_order(
    openai: OpenAICompatible, script: Script, purpose: Purpose, prefix: str
) -> None:
    """The server answers in reverse order: the index counts."""
    found = await openai.embed(TEXTS, purpose, CHOICE, 5)

    assert {len(v) for v in found.vectors} == {OPENAI_WIDTH}
    for text, vector in zip(TEXTS, found.vectors, strict=True):
        expected = hashed(prefix + text, OPENAI_WIDTH)
        assert math.isclose(sum(a * b for a, b in zip(expected, vector, strict=True)), 1)
    assert found.usage == Usage(prompt=7, total=7)
    assert script.calls[0].body["input"] == [prefix + text for text in TEXTS]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("429", ModelRateLimited),
        ("500", ModelUnavailable),
        ("fewer_vectors", ModelMalformed),
        ("one_vector", ModelMalformed),
        ("nan", ModelMalformed),
        ("zero", ModelMalformed),
        ("slow_start", ModelTimeout),
    ],
)
async def test_each_fault_is_its_typed_error(
    openai: OpenAICompatible, script: Script, fault: str, error: type[ModelError]
) -> None:
    script.fail("embed", fault)

    with pytest.raises(error) as caught:
        await openai.embed(TEXTS, "document", CHOICE, 0.5 if fault == "slow_start" else 5)

    assert type(caught.value) is error
    assert len(script.calls) == 1


async def test_another_width_than_the_expected_is_refused(openai_url: str, script: Script) -> None:
    openai = OpenAICompatible(openai_url, width=768)

    with pytest.raises(ModelMalformed, match="width 1024, expected 768"):
        await openai.embed(TEXTS, "document", CHOICE, 5)

    await openai.aclose()


async def test_missing_usage_is_none_and_never_zero(
    openai: OpenAICompatible, script: Script
) -> None:
    script.fail("embed", "no_usage")

    assert (await openai.embed(TEXTS, "document", CHOICE, 5)).usage == Usage()
