"""What a user writes into a memory is found by any of its content words, particles or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.indexing import keywords
from gieok.language import korean

KEY = b"k" * 32
NOUNS = st.sampled_from(
    ["고양이", "한시우", "위스키", "부산역", "재즈바", "생일", "whisky", "iphone"]
)
PARTICLES = st.sampled_from(["", "가", "를", "에서", "한테", "랑", "도"])
SENTENCES = st.lists(st.builds(str.__add__, NOUNS, PARTICLES), min_size=1, max_size=12)


def found(text: str, asked: str) -> bool:
    """Whether a question meets the index of a text."""
    index = keywords.index_terms(keywords.terms_of(text), KEY)
    return not index.keys().isdisjoint(keywords.query_digests(asked, KEY))


@given(SENTENCES, PARTICLES)
def test_every_noun_of_a_sentence_is_found_whatever_follows_it(
    words: list[str], particle: str
) -> None:
    for word in words:
        noun = korean.strip_particles(word)
        assert found(" ".join(words), noun + particle)


@given(st.text(max_size=400))
def test_terms_of_any_text_are_distinct_bounded_and_never_noise(text: str) -> None:
    terms = keywords.terms_of(text)
    assert len(set(terms)) == len(terms) <= keywords.MOST_TERMS
    assert all(terms)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("한시우가 위스키를 좋아해", ("한시우", "위스키", "좋아해")),
        ("나는 그때 부산에서 한시우를 만났어", ("부산", "한시우", "만났어")),
        ("Mina moved to Busan with the cat", ("mina", "moved", "busan", "cat")),
        ("위스키, 위스키가, 위스키를!", ("위스키",)),
        ("ㅋㅋㅋ 그래 그거", ()),
    ],
)
def test_terms_are_content_words_without_particles(text: str, terms: tuple[str, ...]) -> None:
    assert keywords.terms_of(text) == terms


def test_words_that_were_not_written_are_not_found() -> None:
    assert not found("한시우가 위스키를 좋아해", "부산역 기억나?")


@given(st.text(max_size=200))
def test_the_stored_order_tells_nothing_of_the_text(text: str) -> None:
    index = keywords.index_terms([text], KEY)
    assert list(index) == sorted(index)
