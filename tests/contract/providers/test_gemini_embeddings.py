"""Gemini's embeddings: the real SDK against a real server that speaks its wire format."""

import json
import math
from typing import Any

import pytest
from google.genai import Client, types

from gieok.calls import ModelChoice, Purpose, Usage
from gieok.errors import (
    ModelError,
    ModelMalformed,
    ModelRateLimited,
    ModelTimeout,
    ModelUnavailable,
)
from gieok.providers.gemini import Gemini
from infra.local.servers.model_script import Script

SECOND = ModelChoice("gemini", "gemini-embedding-2")
FIRST = ModelChoice("gemini", "gemini-embedding-001")
TEXTS = ["부산에 내려갔다", "고양이 이름은 두부", "면접에 붙었다"]


def requests_of(script: Script) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(json.dumps(script.calls[0].body))["requests"]
    return found


async def test_the_sdk_collapses_a_list_of_strings_into_one_vector(
    gemini_url: str, script: Script
) -> None:
    """The trap itself: why each text goes out as a `Content` of its own."""
    options = types.HttpOptions(base_url=gemini_url)
    client = Client(api_key="test-key", vertexai=False, http_options=options)

    response = await client.aio.models.embed_content(model=SECOND.model, contents=list(TEXTS))

    assert len(response.embeddings or []) == 1
    await client.aio.aclose()
    client.close()


@pytest.mark.parametrize("choice", [FIRST, SECOND], ids=lambda c: c.model)
async def test_each_text_has_a_unit_vector_of_its_own(gemini: Gemini, choice: ModelChoice) -> None:
    found = await gemini.embed(TEXTS, "document", choice, 5)

    assert len(set(found.vectors)) == len(TEXTS)
    assert {len(v) for v in found.vectors} == {768}
    assert all(math.isclose(math.hypot(*v), 1) for v in found.vectors)
    assert found.model == choice.model
    assert found.usage.prompt


@pytest.mark.parametrize(
    ("purpose", "prefix"),
    [("document", "title: none | text: "), ("query", "task: search result | query: ")],
)
async def test_the_second_model_is_told_the_purpose_in_the_text(
    gemini: Gemini, script: Script, purpose: Purpose, prefix: str
) -> None:
    await gemini.embed(TEXTS, purpose, SECOND, 5)

    sent = requests_of(script)
    assert [r["content"]["parts"] for r in sent] == [[{"text": prefix + t}] for t in TEXTS]
    assert not any("taskType" in r for r in sent)
    assert {r["outputDimensionality"] for r in sent} == {768}


@pytest.mark.parametrize(
    ("purpose", "task_type"), [("document", "RETRIEVAL_DOCUMENT"), ("query", "RETRIEVAL_QUERY")]
)
async def test_the_first_model_is_told_the_purpose_in_a_field(
    gemini: Gemini, script: Script, purpose: Purpose, task_type: str
) -> None:
    await gemini.embed(TEXTS, purpose, FIRST, 5)

    sent = requests_of(script)
    assert [r["content"]["parts"] for r in sent] == [[{"text": t}] for t in TEXTS]
    assert {r["taskType"] for r in sent} == {task_type}


async def test_a_short_patience_is_not_passed_on_as_the_servers_deadline(
    gemini: Gemini, script: Script
) -> None:
    """A query has 0.6 s; Gemini refuses an X-Server-Timeout below 10 s."""
    await gemini.embed(TEXTS, "query", SECOND, 0.6)

    assert script.calls[0].headers["x-server-timeout"] == "10"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("429", ModelRateLimited),
        ("500", ModelUnavailable),
        ("fewer_vectors", ModelMalformed),
        ("one_vector", ModelMalformed),
        ("wrong_width", ModelMalformed),
        ("nan", ModelMalformed),
        ("zero", ModelMalformed),
    ],
)
async def test_each_fault_is_its_typed_error_after_one_request(
    gemini: Gemini, script: Script, fault: str, error: type[ModelError]
) -> None:
    script.fail("embed", fault)

    with pytest.raises(error) as caught:
        await gemini.embed(TEXTS, "document", SECOND, 5)

    assert type(caught.value) is error
    assert len(script.calls) == 1


async def test_missing_usage_is_none_and_never_zero(gemini: Gemini, script: Script) -> None:
    script.fail("embed", "no_usage")

    assert (await gemini.embed(TEXTS, "document", SECOND, 5)).usage == Usage()


async def test_one_try_is_bounded(gemini: Gemini, script: Script) -> None:
    script.fail("embed", "slow_start")

    with pytest.raises(ModelTimeout):
        await gemini.embed(TEXTS, "query", SECOND, 0.3)


async def test_another_width_can_be_asked_for(gemini_url: str, script: Script) -> None:
    gemini = Gemini("test-key", gemini_url, dimensions=1024)

    found = await gemini.embed(["하나"], "document", SECOND, 5)

    assert len(found.vectors[0]) == 1024
    await gemini.aclose()
