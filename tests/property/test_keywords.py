"""Laws of the blind index, over any search terms and sentences."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.indexing import keywords
from gieok.language import korean
from tests.support.korean_text import NAME, PARTICLE, SYLLABLE, TEXT, with_particle

KEYS = st.binary(min_size=32, max_size=32)
KEY = b"i" * 32
COMPOUND = st.text(SYLLABLE, min_size=2, max_size=8)
TERMS = st.lists(TEXT, max_size=4)
CLOSED = SYLLABLE.filter(lambda syllable: (ord(syllable) - 0xAC00) % 28)  # ends in a consonant
_CARRIED = "이가 이는 이를 이랑 이한테 이네 이의 이도 이야 아 은 을 이 과 의 도 한테 이라고"
OF_A_NAME = st.sampled_from(_CARRIED.split())
OF_A_CODE = st.sampled_from(["", "이라", "은", "인데", "때", "이래"])


def found(stored: str, asked: str) -> bool:
    index = keywords.index_terms([stored], KEY)
    return not index.keys().isdisjoint(keywords.query_digests(asked, KEY))


def is_content(word: str) -> bool:
    return bool(keywords.asked_pieces(word))


@settings(deadline=None)
@given(NAME.filter(is_content), PARTICLE)
def test_a_noun_is_found_whatever_particle_either_side_carries(
    noun: str, forms: tuple[str, str]
) -> None:
    inflected = with_particle(noun, forms)
    if is_content(inflected):
        assert found(noun, inflected)
    assert found(inflected, noun)


@settings(deadline=None)
@given(CLOSED.filter(is_content), OF_A_NAME, OF_A_NAME, st.sampled_from(["", "그때 ", "오늘은 "]))
def test_a_name_of_one_syllable_is_found_whatever_it_carries(
    name: str, one: str, other: str, before: str
) -> None:
    if is_content(name + other):
        assert found(f"{before}{name}{one}", f"{before}{name}{other}")


@settings(deadline=None)
@given(CLOSED, CLOSED, OF_A_NAME, OF_A_NAME)
def test_names_of_one_syllable_are_not_taken_for_each_other(
    one: str, other: str, of_one: str, of_other: str
) -> None:
    held, asked = keywords.stored_pieces([one + of_one]), keywords.asked_pieces(other + of_other)
    assert one == other or held.keys().isdisjoint(piece for piece in asked if other in piece)


@settings(deadline=None)
@given(CLOSED.filter(is_content), st.integers(1, 99), st.sampled_from(["", " "]), OF_A_CODE)
def test_a_short_code_is_one_word_with_and_without_a_space(
    syllable: str, number: int, space: str, particle: str
) -> None:
    code = f"{syllable}{number}"
    assert keywords.stored_pieces([f"{syllable}{space}{number}{particle}"])[code] == "word"
    assert keywords.asked_pieces(f"{syllable}{space}{number}{particle}")[code] == keywords.WHOLE


@settings(deadline=None)
@given(COMPOUND, COMPOUND.filter(is_content), COMPOUND)
def test_a_part_is_found_in_a_compound(before: str, part: str, after: str) -> None:
    compound = before + part + after
    bare = korean.strip_particles(compound)
    # The last syllables of a compound may look like particles; what is left still holds the part.
    if part in bare:
        assert found(compound, part)


@settings(deadline=None)
@given(COMPOUND, COMPOUND.filter(is_content))
def test_spacing_does_not_decide(left: str, right: str) -> None:
    assert found(f"{left} {right}", right)
    if is_content(left + right):
        assert found(f"{left} {right}", left + right)


@settings(deadline=None)
@given(TEXT, st.integers(0, 30))
def test_a_sentence_takes_at_most_its_limit_and_repeats_nothing(text: str, limit: int) -> None:
    digests = keywords.query_digests(text * 5, KEY, limit)
    assert len(digests) <= limit
    everything = list(keywords.query_digests(text * 5, KEY, 10_000))
    assert list(digests) == everything[:limit]


@settings(deadline=None)
@given(TERMS)
def test_an_index_does_not_depend_on_order_or_repetition(terms: list[str]) -> None:
    index = keywords.index_terms(terms, KEY)
    assert keywords.index_terms([*reversed(terms), *terms], KEY) == index


@settings(deadline=None)
@given(TERMS, KEYS)
def test_an_index_fits_its_columns(terms: list[str], key: bytes) -> None:
    for digest, impact in keywords.index_terms(terms, key).items():
        assert -(2**63) <= digest < 2**63
        assert 1 <= impact <= 255


@settings(deadline=None)
@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_an_impact_falls_with_length_and_rises_with_the_kind(one: int, other: int) -> None:
    short, long = sorted((one, other))
    for kind in keywords.FREQUENCY:
        assert keywords.impact(kind, short) >= keywords.impact(kind, long)
    word, prefix, bigram = (keywords.impact(k, short) for k in keywords.FREQUENCY)
    assert word >= prefix >= bigram


@settings(deadline=None)
@given(TERMS, KEYS, KEYS)
def test_two_users_share_no_digest(terms: list[str], one: bytes, other: bytes) -> None:
    if one != other:
        ours, theirs = keywords.index_terms(terms, one), keywords.index_terms(terms, other)
        assert ours.keys().isdisjoint(theirs)
        assert len(ours) == len(theirs)


@settings(deadline=None)
@given(st.integers(1, 5_000))
def test_a_wall_of_letters_stays_small(length: int) -> None:
    assert len(keywords.stored_pieces(["a" * length])) <= keywords.LONGEST_PREFIX + 2
