"""Laws of the check on users' text."""

import re
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.errors import InvalidText
from gieok.language.text import clean

TEXT = st.text(st.characters(exclude_categories=()), max_size=30)


def cleaned(text: str, limit: int = 100) -> str | None:
    try:
        return clean(text, limit)
    except InvalidText:
        return None


@settings(deadline=None, max_examples=300)
@given(TEXT)
def test_what_is_accepted_can_be_stored_and_sent(text: str) -> None:
    accepted = cleaned(text)
    if accepted is not None:
        assert accepted.encode().decode() == accepted
        assert "\0" not in accepted
        assert accepted.strip()


@settings(deadline=None)
@given(TEXT)
def test_what_is_accepted_is_accepted_again_unchanged(text: str) -> None:
    accepted = cleaned(text)
    if accepted is not None:
        ended = re.sub("\r\n|[\r\x0b\x0c]", "\n", text)
        assert clean(accepted, 100) == accepted == normalize("NFC", ended)


@settings(deadline=None)
@given(TEXT, st.integers(0, 30))
def test_nothing_over_the_limit_is_accepted(text: str, limit: int) -> None:
    assert len(cleaned(text, limit) or "") <= limit


@settings(deadline=None)
@given(TEXT)
def test_an_error_never_repeats_the_text(text: str) -> None:
    with pytest.raises(InvalidText) as caught:
        clean(f"秘密{text}\0", 100)
    assert "秘密" not in str(caught.value)
