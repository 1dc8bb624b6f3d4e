"""Identifiers on the wire and inside."""

import time
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.errors import InvalidId
from gieok.ids import new_id, parse, show


def test_a_new_id_is_a_version_7_uuid_of_now() -> None:
    before = time.time_ns() // 1_000_000
    made = new_id()
    after = time.time_ns() // 1_000_000
    assert made.version == 7
    assert made.variant == "specified in RFC 4122"
    assert before <= made.int >> 80 <= after


@given(st.uuids())
def test_what_is_shown_is_read_back(value: UUID) -> None:
    assert parse("msg", show("msg", value)) == value


@given(st.text(max_size=40))
def test_anything_else_is_refused(text: str) -> None:
    try:
        value = parse("mem", text)
    except InvalidId:
        return
    assert show("mem", value) == text


@pytest.mark.parametrize("text", ["mem_" + "A" * 32, "msg_" + "0" * 32, "mem_" + "0" * 31, "mem_"])
def test_near_misses_are_refused(text: str) -> None:
    with pytest.raises(InvalidId):
        parse("mem", text)
