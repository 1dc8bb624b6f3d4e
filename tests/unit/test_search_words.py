"""What an answer adds for the search: bounded, clean, and never worth a repair."""

import json

import pytest

from gieok.extraction.answer import ALLUSION_CHARS, ALLUSIONS, RELATED_TERMS, read
from tests.support.prompt_samples import context_of, message

SAID = [message("우리 강아지 콩이랑 산책했어"), message("좋았겠다", "assistant", "하루")]
WHOLE = {
    "worth_keeping": True,
    "summary": "사용자는 강아지 콩이와 산책했다.",
    "importance": 5,
    "key_details": [],
    "search_terms": ["콩이"],
    "facts": [],
    "relationship_states": [],
}
FIELDS = ("related_terms", "asked_as")


def found(field: str, value: object) -> tuple[str, ...]:
    answer = json.dumps(WHOLE | {field: value}, ensure_ascii=False)
    terms: tuple[str, ...] = getattr(read(answer, context_of(SAID, ["하루"])), field)
    return terms


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(
    "value", [None, "반려동물", [1, 2], [None, "가"], {"가": 1}, [["가"]], ["  "], []]
)
def test_what_cannot_be_read_is_left_out_and_nothing_else(field: str, value: object) -> None:
    assert found(field, value) == ()


@pytest.mark.parametrize("field", FIELDS)
def test_it_is_cleaned(field: str) -> None:
    assert found(field, ["강아\u202e지\u0000", "강아지"]) == ("강아지",)


def test_it_is_bounded() -> None:
    many = [f"{n}번 낱말" for n in range(99)]
    assert len(found("related_terms", many)) == RELATED_TERMS
    assert len(found("asked_as", many)) == ALLUSIONS
    assert found("asked_as", ["가" * (ALLUSION_CHARS + 1)]) == ()
