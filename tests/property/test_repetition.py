"""Laws of repetition, over any texts."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gieok.language.repetition import near_repeat, repeats
from tests.support.korean_text import NAME, PARTICLE, TEXT, with_particle

TOWARDS = ("에서", "에게", "한테", "께", "께서", "부터", "까지", "보다", "로")
NOUNS = st.lists(NAME, min_size=2, max_size=6, unique=True)


@settings(deadline=None)
@given(TEXT)
def test_a_text_repeats_itself(text: str) -> None:
    assert near_repeat(text, text)


@settings(deadline=None)
@given(st.lists(TEXT, max_size=8))
def test_what_stands_for_a_text_is_newer_and_stands_for_itself(texts: list[str]) -> None:
    stand = repeats(texts)
    assert all(newest <= place for place, newest in enumerate(stand))
    assert all(stand[newest] == newest for newest in stand)


@settings(deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=4, unique=True), st.integers(2, 4))
def test_copies_never_take_a_place_of_their_own(texts: list[str], times: int) -> None:
    assert set(repeats(texts * times)) == set(repeats(texts))


@settings(deadline=None)
@given(NOUNS, st.integers(1, 9), st.integers(10, 99))
def test_another_number_is_another_thing(nouns: list[str], one: int, other: int) -> None:
    said = " ".join(nouns)
    assert not near_repeat(f"{said} {one}층", f"{said} {other}층")


@settings(deadline=None)
@given(NOUNS)
def test_what_is_denied_is_another_thing(nouns: list[str]) -> None:
    said = " ".join(nouns)
    assert not near_repeat(f"{said} 먹었어", f"{said} 안 먹었어")
    assert not near_repeat(f"{said} 안 먹었어", f"{said} 먹었어")


@settings(deadline=None)
@given(NOUNS, PARTICLE)
def test_another_particle_on_the_last_noun_is_the_same_thing(
    nouns: list[str], forms: tuple[str, str]
) -> None:
    *before, last = nouns
    assume(not last.endswith(TOWARDS))  # as a noun nobody could tell it from an addressee
    if forms[1] not in TOWARDS:
        older, newer = (" ".join([*before, noun]) for noun in (last, with_particle(last, forms)))
        assert near_repeat(older, newer)
