"""Laws of Korean normal form, tokens and particles, over any text."""

from unicodedata import category, normalize

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gieok.language import korean

JAMO = st.sampled_from("ㄱㄲㄳㄴㅋㅎㅇㅏㅐㅠㅡㅣ")
CONJOINING = st.characters(min_codepoint=0x1100, max_codepoint=0x11FF)
HALF_WIDTH = st.characters(min_codepoint=0xFFA0, max_codepoint=0xFFDC)
SYLLABLE = st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3)
TRICKY = st.sampled_from("\u200b\u200d\u202e\u3164\ufe0f\u00adßİǅ①㎏㉠㈀Ａ’ㆍ\U000e0041")
ANY = st.characters(exclude_categories=())
TEXT = st.lists(JAMO | CONJOINING | HALF_WIDTH | SYLLABLE | TRICKY | ANY, max_size=12).map("".join)
HANGUL = st.text(SYLLABLE, min_size=1, max_size=6)
NAME = st.text(SYLLABLE, min_size=2, max_size=4)
CASES = "에 에서 에게 한테 께서 도 만 부터 까지 처럼 보다 의"
PARTICLE = st.sampled_from(
    [
        ("이", "가"),
        ("은", "는"),
        ("을", "를"),
        ("과", "와"),
        ("으로", "로"),
        ("이랑", "랑"),
        ("이라고", "라고"),
        ("이었는데", "였는데"),
        *((p, p) for p in CASES.split()),
    ]
)


def with_particle(noun: str, forms: tuple[str, str]) -> str:
    """The noun with the form of a particle that its last letter asks for."""
    final = (ord(noun[-1]) - 0xAC00) % 28
    takes_vowel_form = final == 0 or (final == 8 and forms[1] == "로")
    return noun + forms[takes_vowel_form]


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
