"""Laws of Korean normal form, tokens and particles, over any text."""

from unicodedata import category, normalize

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gieok.language import korean
from tests.support.korean_text import NAME, PARTICLE, SYLLABLE, TEXT, with_particle

HANGUL = st.text(SYLLABLE, min_size=1, max_size=6)


@settings(deadline=None, max_examples=500)
@given(TEXT)
@example("ㄱㅏㅋㅋㅏ")
@example("\u11abㅏ")
@example("ᄀㅏㄴ\u11abㅣ")
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = korean.normalise(text)
    assert korean.normalise(once) == once


@settings(deadline=None)
@given(TEXT)
def test_nothing_invisible_is_left(text: str) -> None:
    assert not any(category(c) == "Cf" for c in korean.normalise(text))


@settings(deadline=None)
@given(TEXT)
def test_canonically_equal_texts_have_one_form(text: str) -> None:
    assert korean.normalise(normalize("NFD", text)) == korean.normalise(normalize("NFC", text))


@settings(deadline=None)
@given(HANGUL)
def test_syllables_stay_and_come_back_from_their_conjoining_jamo(word: str) -> None:
    assert korean.normalise(word) == korean.normalise(normalize("NFD", word)) == word


@settings(deadline=None)
@given(TEXT)
def test_tokens_are_normalised_and_tokenise_to_themselves(text: str) -> None:
    for token in korean.tokens(text):
        assert token
        assert korean.normalise(token) == token
        assert korean.tokens(token) == [token]


@settings(deadline=None)
@given(TEXT)
def test_tokens_of_the_normal_form_are_the_tokens_of_the_text(text: str) -> None:
    assert korean.tokens(korean.normalise(text)) == korean.tokens(text)


@settings(deadline=None)
@given(HANGUL | TEXT.filter(bool))
def test_stripping_leaves_a_beginning_and_never_nothing(token: str) -> None:
    candidates = korean.candidates(token)
    assert candidates[0] == token
    assert all(c and token.startswith(c) for c in candidates)
    assert sorted(candidates, key=len, reverse=True) == candidates
    assert len(set(candidates)) == len(candidates)
    assert korean.strip_particles(token) in candidates


@settings(deadline=None)
@given(NAME, PARTICLE)
def test_a_particle_that_fits_comes_off_whole(noun: str, forms: tuple[str, str]) -> None:
    # A longer one may reach into the noun ("…하"+"는"), a shorter one never stays behind.
    assert noun.startswith(korean.candidates(with_particle(noun, forms))[1])


@settings(deadline=None)
@given(NAME, st.sampled_from(["를", "을", "는", "가"]))
def test_a_particle_of_the_wrong_shape_stays_on(noun: str, particle: str) -> None:
    closed = (ord(noun[-1]) - 0xAC00) % 28 != 0
    fits = closed == (particle == "을")
    assert (noun in korean.candidates(noun + particle)[1:2]) <= fits


@settings(deadline=None)
@given(HANGUL)
def test_a_hangul_word_of_n_syllables_has_n_minus_one_bigrams(word: str) -> None:
    bigrams = korean.bigrams(word)
    assert len(bigrams) == len(word) - 1
    assert all(pair in word for pair in bigrams)
