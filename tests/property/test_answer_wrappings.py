"""An answer reads the same however a model wraps it, and hostile ones are refused at once."""

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.errors import ModelMalformed
from gieok.extraction.answer import read
from gieok.loose_json import objects
from tests.support.prompt_samples import answer, context_of, fact, message, state

WINDOW = context_of([message("나 어제 싱글몰트 위스키 선물 받았어!!")])
PLAIN = answer(facts=[fact()], relationship_states=[state()])
READ = read(PLAIN, WINDOW)
PROSE = st.sampled_from(
    ["", "정리했습니다.\n", "대화 {강아지}를 정리하면: ", '{"a": 1} 다음과 같습니다 ', "}{ ", '"{']
)
THOUGHTS = st.sampled_from(
    ["", "<think>{…}</think>", '<think>{"worth_keeping": false}</think>', "<think>{}\n</think>\n"]
)
FENCES = st.sampled_from([("", ""), ("```json\n", "\n```"), ("\ufeff", ""), ("[", "]")])


def _loosely(value: Any, draw: st.DrawFn) -> str:
    """A value as JSON with commas too many, null for what is empty, and whole numbers as floats."""
    comma = draw(st.sampled_from(["", ",", " ,\n"]))
    if isinstance(value, dict):
        items = [f"{json.dumps(k)}: {_loosely(v, draw)}" for k, v in value.items()]
        return "{" + ", ".join(items) + comma + "}"
    if isinstance(value, list) and not value:
        return draw(st.sampled_from(["[]", "null"]))
    if isinstance(value, list):
        return "[" + ",\n".join(_loosely(v, draw) for v in value) + comma + "]"
    if isinstance(value, int) and not isinstance(value, bool):
        return draw(st.sampled_from([str(value), f"{value}.0"]))
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


@st.composite
def wrapped(draw: st.DrawFn) -> str:
    before, after = draw(FENCES)
    loose = _loosely(json.loads(PLAIN), draw)
    return draw(THOUGHTS) + draw(PROSE) + before + loose + after + draw(PROSE)


@settings(deadline=None)
@given(wrapped())
def test_a_wrapped_answer_reads_like_a_plain_one(text: str) -> None:
    assert read(text, WINDOW) == READ


def test_a_raw_line_break_in_a_string_is_one_in_the_text() -> None:
    assert read(PLAIN.replace("지은이 ", "지은이\n"), WINDOW).summary == READ.summary


def test_commas_and_brackets_in_strings_stay() -> None:
    (found,) = objects('{"a": "1,] 2,}", "b": [1, 2,],}')
    assert found == {"a": "1,] 2,}", "b": [1, 2]}


HOSTILE = st.sampled_from(
    [
        '{"a":',
        "[",
        "{",
        "}",
        '"',
        "\\",
        ",",
        " ",
        "null",
        '{"worth_keeping": true,',
        "<think>",
        "1e999",
    ]
)


@settings(deadline=timedelta(seconds=3), max_examples=60)
@given(st.lists(st.tuples(HOSTILE, st.sampled_from([1, 3_000, 20_000])), min_size=1, max_size=4))
def test_hostile_answers_are_malformed_and_cost_little(parts: list[tuple[str, int]]) -> None:
    text = "".join(part * count for part, count in parts)[:100_000]
    with pytest.raises(ModelMalformed):
        read(text, WINDOW)
