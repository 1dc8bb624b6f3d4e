"""What was said whole is always found, and nothing that was not."""

from hypothesis import given
from hypothesis import strategies as st

from gieok.extraction.quotes import Transcript
from gieok.language.letters import letters
from tests.support.prompt_samples import message

WORDS = st.sampled_from(
    [
        "나는",
        "커피를",
        "안",
        "좋아해",
        "못",
        "않아",
        "don't",
        "like",
        "no",
        "ㅋㅋ",
        "12,000원",
        "好き",
    ]
)
TEXT = st.text(max_size=40) | st.lists(WORDS, max_size=8).map(" ".join)


@given(TEXT)
def test_a_whole_message_stands_whatever_it_says(text: str) -> None:
    assert bool(Transcript([message(text)]).find(text, {"user"})) == bool(letters(text))


@given(TEXT, TEXT)
def test_letters_that_were_not_said_are_never_found(said: str, quote: str) -> None:
    found = Transcript([message(said)]).find(quote, {"user"})
    assert not found or letters(quote) in letters(said)


@given(TEXT, TEXT)
def test_of_two_sentences_each_stands(one: str, other: str) -> None:
    window = Transcript([message(f"{one}.\n{other}")])
    assert bool(window.find(f"{one}.", {"user"})) == bool(letters(one))
