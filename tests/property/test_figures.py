"""Laws of numbers in the blind index: however something is written, it has one digest."""

from collections.abc import Sequence
from datetime import date, time

from hypothesis import given
from hypothesis import strategies as st

from gieok.indexing import keywords
from gieok.indexing.figures import figures
from gieok.language import korean
from tests.support.korean_text import TEXT

LATIN = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8)
WORD = LATIN.filter(lambda word: len(word) == 1 or bool(keywords.asked_pieces(word)))
NUMBER = st.integers(0, 9_999).map(str)
PARTICLE = st.sampled_from(["", "에", "를", "도", "이었어", "쯤"])
HUNDREDS = st.integers(1, 9_999_999)
NUMERALS = st.text("0123456789년월일시분반원십백천만억삼 .,:/-ab", max_size=60)
DIGITS = "０１２３４５６７８９"


def all_share(piece: str, ways: Sequence[str]) -> None:
    """Each way is stored as this word, and asks for it."""
    for way in ways:
        assert keywords.stored_pieces([way])[piece] == "word"
        assert keywords.asked_pieces(way)[piece] == keywords.WHOLE


def spelt(number: int) -> str:
    """In Hangul, as it is read aloud: 18400 is 만팔천사백."""
    parts = []
    for myriad in ("", "만", "억"):
        number, below = divmod(number, 10_000)
        digits = zip(f"{below:04}", ("천", "백", "십", ""), strict=True)
        read = "".join("일이삼사오육칠팔구"[int(d) - 1] + unit for d, unit in digits if d != "0")
        parts.append(f"{'' if (read, myriad) == ('일', '만') else read}{myriad}" if below else "")
    return "".join(reversed(parts))


def in_myriads(number: int, space: str) -> str:
    """As prices are written: 18400 is 1만 8400."""
    parts = []
    for myriad in ("", "만", "억"):
        number, below = divmod(number, 10_000)
        parts.append(f"{below}{myriad}" if below else "")
    return space.join(part for part in reversed(parts) if part)


@given(WORD, NUMBER, PARTICLE)
def test_a_word_and_its_number_are_one_however_they_are_spaced(
    word: str, number: str, particle: str
) -> None:
    wide = number.translate(str.maketrans("0123456789", DIGITS))
    forms = [f"{word}{number}", f"{word} {number}", f"{word.upper()}-{number}", f"{word}{wide}"]
    all_share(f"{word}{number}", [form + particle for form in forms])


@given(NUMBER, LATIN.filter(lambda unit: len(unit) > 1 and bool(keywords.asked_pieces(unit))))
def test_a_number_and_its_unit_are_one_however_they_are_spaced(number: str, unit: str) -> None:
    all_share(f"{number}{unit}", [f"{number}{unit}", f"{number} {unit}", f"{number} {unit}를"])


@given(st.dates(min_value=date(1900, 1, 1)), PARTICLE)
def test_a_date_is_one_however_it_is_written(day: date, particle: str) -> None:
    y, m, d = day.year, day.month, day.day
    korean_ways = [f"{m}월 {d}일", f"{m}월{d}일", f"{y}년 {m}월 {d}일", f"{m:02}월 {d:02}일"]
    numeric = [f"{m}/{d}", f"{m:02}/{d:02}", f"{day}", f"{y}.{m}.{d}", f"{y}. {m}. {d}."]
    all_share(f"{m}월{d}일", [way + particle for way in (*korean_ways, *numeric)])


@given(st.times(), PARTICLE)
def test_a_time_is_one_on_either_clock(at: time, particle: str) -> None:
    told = (at.hour - 1) % 12 + 1
    ways = [
        f"{at:%H:%M}",
        f"{told}:{at:%M}",
        f"{at.hour}시 {at.minute}분",
        f"{told}시{at.minute}분",
    ]
    all_share(f"{told}시", [way + particle for way in ways])
    if at.minute:
        all_share(f"{told}시{at.minute}분", [way + particle for way in ways])


@given(HUNDREDS, PARTICLE)
def test_an_amount_of_money_is_one_however_it_is_written(hundreds: int, particle: str) -> None:
    amount = hundreds * 100
    ways = [f"{amount}원", f"{amount:,}원", f"{amount:,} 원", f"{spelt(amount)}원"]
    mixed = [f"{in_myriads(amount, space)} 원" for space in ("", " ")]
    all_share(str(amount), [way + particle for way in (*ways, *mixed)])


@given(
    st.from_regex(r"01[016789]-\d{4}-\d{4}", fullmatch=True, alphabet=st.characters(codec="ascii"))
)
def test_a_telephone_number_is_one_with_and_without_hyphens(number: str) -> None:
    digits = number.replace("-", "")
    all_share(digits, [number, digits, number.replace("-", " "), f"{number}로", f"{digits}로"])


@given(TEXT | NUMERALS)
def test_figures_of_a_text_are_few_and_words_of_their_own(text: str) -> None:
    found = figures(text)
    assert len(found) <= 4 * len(korean.tokens(text))
    for figure in found:
        assert keywords.stored_pieces([figure])[figure] == "word"


@given(NUMERALS)
def test_a_word_has_no_more_than_a_dozen_spellings(text: str) -> None:
    held = keywords.stored_pieces([text])
    words = [piece for piece, kind in held.items() if kind == "word"]
    assert len(words) <= 12 * len(korean.tokens(text))


@given(NUMERALS)
def test_an_edited_memory_keeps_the_figures_of_its_text(text: str) -> None:
    assert set(figures(text)) <= keywords.stored_pieces(keywords.terms_of(text)).keys()
