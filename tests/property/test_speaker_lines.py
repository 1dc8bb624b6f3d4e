"""What must hold of cutting an answer by who speaks, whatever is said."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gieok.prompt.speaker_lines import OwnLabel, spoken_parts

CAST = ("하늘", "바다", "Ann", "Ann Lee")
ANYBODY = st.sampled_from((*CAST, "별", "사용자", "system"))
SOME = st.text(max_size=12) | ANYBODY
LINE = st.lists(SOME | st.sampled_from((": ", "：", "**", "\n")), max_size=6).map("".join)
TEXT = st.lists(LINE, max_size=6).map("\n".join)
SAID = st.sampled_from(("안녕!", "*웃는다*", "3:00에 봐", "별: 응", "그래\n\n좋아"))


@given(st.lists(st.tuples(st.sampled_from(CAST), SAID), min_size=1, max_size=8))
def test_what_was_written_line_by_line_is_read_back(script: list[tuple[str, str]]) -> None:
    parts = spoken_parts("\n".join(f"{name}: {words}" for name, words in script), CAST, "")
    assert "\n".join(words for _, words in parts) == "\n".join(words for _, words in script)
    assert [name for name, _ in parts] == [
        name for i, (name, _) in enumerate(script) if i == 0 or script[i - 1][0] != name
    ]


@given(TEXT, st.sets(st.sampled_from(CAST)))
def test_only_the_cast_speaks_and_nothing_is_lost_but_labels(text: str, cast: set[str]) -> None:
    parts = spoken_parts(text, sorted(cast), "somebody")
    assert {name for name, _ in parts} <= {*cast, "somebody"}
    assert all(one != other for (one, _), (other, _) in pairwise(parts))
    rest = iter(text)
    assert all(char in rest for char in "".join(words for _, words in parts) if not char.isspace())


@given(TEXT)
def test_a_text_without_the_casts_names_is_of_one_and_unchanged(text: str) -> None:
    assert spoken_parts(text, ("하루", "유나"), "하루") == (("하루", text),)


@given(TEXT, st.lists(st.integers(1, 5), max_size=20))
def test_a_stream_says_the_same_however_it_is_cut(text: str, sizes: Sequence[int]) -> None:
    whole, cut = OwnLabel("하늘"), OwnLabel("하늘")
    told, rest = "", text
    for size in sizes:
        told += cut.feed(rest[:size])
        rest = rest[size:]
    told += cut.feed(rest) + cut.rest()
    assert told.strip() == (whole.feed(text) + whole.rest()).strip()
    assert text.endswith(told)
