"""What a rewriting asks a model, and what of its answer is used."""

import json

import msgspec
import pytest

from gieok.recall import rewriting
from gieok.recall.rewriting import Rewrite
from gieok.types import Locale


@pytest.mark.parametrize("locale", ["ko", "en", "ja"])
def test_nothing_but_the_question_travels(locale: Locale) -> None:
    made = rewriting.request("내 고양이 이름 뭐였지 \ud83d", locale)
    assert made.task == "QUERY"
    assert json.loads(made.payload) == {"question": "내 고양이 이름 뭐였지 ?"}
    assert "\\u" not in made.payload
    assert made.schema["required"] == ["statements", "terms"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"statements": ["가", "나"], "terms": ["다"]}', Rewrite(("가", "나"), ("다",))),
        (
            '<think>음</think>```json\n{"statements": [], "terms": ["다",]}\n```',
            Rewrite((), ("다",)),
        ),
        ('{"statements": ["가", "가", "나", "다"], "terms": [" "]}', Rewrite(("가", "나"), ())),
        ('{"statements": ["가\\n나\\ud83d\\u202e"], "terms": []}', Rewrite(("가 나",), ())),
        ('{"statements": null, "terms": ["가"]}', Rewrite((), ("가",))),
        ("{}", Rewrite()),
    ],
)
def test_an_answer_is_read_as_models_write_it(answer: str, expected: Rewrite) -> None:
    assert rewriting.read(answer) == expected


def test_an_answer_is_bounded() -> None:
    many = json.dumps({"statements": ["가" * 999] * 9, "terms": [f"{n}" * 99 for n in range(99)]})
    found = rewriting.read(many)
    assert found.statements == ("가" * rewriting.STATEMENT_CHARS,)
    assert len(found.terms) == rewriting.TERMS
    assert {len(term) for term in found.terms} == {rewriting.TERM_CHARS}


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "모르겠어요",
        "[]",
        '{"statements": "가"}',
        '{"terms": [1]}',
        '{"statements": "\\ud800"}',
        '{"terms": [{"\\ud800": 1}]}',
    ],
)
def test_an_answer_of_another_form_is_refused(answer: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        rewriting.read(answer)
