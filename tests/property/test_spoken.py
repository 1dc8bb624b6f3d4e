"""What is said of an answer does not depend on how a server cuts it into pieces."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gieok.language.text import is_blank
from gieok.providers.spoken import Spoken

MARKS = (
    *("<think>", "</think>", "<|im_start|>", "<|im_end|>", "assistant\n", "</s>", "<", "|>", " "),
    *(
        "<memories 0123456789012345>",
        "</memories 0123456789012345>",
        "\ud83d",
        "\ude00",
        "안녕",
        "\n",
    ),
)
answers = st.lists(st.sampled_from(MARKS) | st.text(max_size=4), max_size=12).map("".join)


def said(pieces: list[str]) -> str:
    spoken = Spoken()
    return "".join([*map(spoken.feed, pieces), spoken.rest()])


@given(answers, st.lists(st.integers(0, 60), max_size=8))
def test_pieces_make_no_difference(answer: str, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(answer)) for cut in cuts), len(answer)]
    pieces = [answer[a:b] for a, b in pairwise(edges)]
    assert said(pieces) == said([answer]) == said(list(answer))


@given(answers)
def test_what_is_said_can_be_sent_and_shows_something(answer: str) -> None:
    heard = said([answer])
    assert heard.encode().decode() == heard
    assert not heard or not is_blank(heard)


@given(st.text(st.characters(blacklist_characters="<", blacklist_categories=["Cs"])))
def test_plain_text_is_said_as_it_is(answer: str) -> None:
    assert said([answer]) == ("" if is_blank(answer) else answer.lstrip())
