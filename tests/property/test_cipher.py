"""Sealed cells open where they were sealed, and nowhere else."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.errors import DecryptionFailed
from gieok.privacy.cipher import Cell, UserCipher
from gieok.types import UserId

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
KEY = bytes(range(32))
CELL = Cell("chat.messages", "body", UUID(int=1))


def cipher(user: str = "somebody", key: bytes = KEY) -> UserCipher:
    return UserCipher(UserId(user), key)


@given(texts)
def test_what_is_sealed_opens_to_the_same_text(text: str) -> None:
    assert cipher().open(CELL, cipher().seal(CELL, text)) == text


def test_what_an_earlier_release_sealed_still_opens() -> None:
    """Such bytes are in databases, whatever changes here."""
    sealed = bytes.fromhex(
        "01d0c3eeb15640d0a711035c756891ec7bbffedfab62ad79bdad0ddae11e1119d98632314f34297830e5b0bc"
        "e310466da45e655c"
    )
    cell = Cell("memory.memories", "summary", UUID(int=7))
    assert cipher("사용자-1").open(cell, sealed) == "콩이와 산책했다."


@given(texts)
def test_a_sealed_cell_shows_nothing_of_its_text_and_never_repeats(text: str) -> None:
    first, second = cipher().seal(CELL, text), cipher().seal(CELL, text)
    assert first != second
    if len(text.encode()) >= 4:
        assert text.encode() not in first


@pytest.mark.parametrize(
    "elsewhere",
    [
        (cipher("another"), CELL),
        (cipher(key=bytes(32)), CELL),
        (cipher(), Cell("chat.messages", "body", UUID(int=2))),
        (cipher(), Cell("chat.messages", "other", UUID(int=1))),
        (cipher(), Cell("chat.message", "sbody", UUID(int=1))),
    ],
)
def test_a_cell_moved_to_another_place_does_not_open(elsewhere: tuple[UserCipher, Cell]) -> None:
    sealed = cipher().seal(CELL, "비밀")
    other, cell = elsewhere
    with pytest.raises(DecryptionFailed):
        other.open(cell, sealed)


@given(st.integers(0, 40), st.integers(1, 255))
def test_any_changed_byte_is_noticed(at: int, flip: int) -> None:
    sealed = bytearray(cipher().seal(CELL, "열네 글자보다는 긴 한 문장"))
    sealed[at % len(sealed)] ^= flip
    with pytest.raises(DecryptionFailed):
        cipher().open(CELL, bytes(sealed))


@given(st.binary(max_size=40))
def test_bytes_that_were_never_sealed_do_not_open(junk: bytes) -> None:
    with pytest.raises(DecryptionFailed):
        cipher().open(CELL, junk)
