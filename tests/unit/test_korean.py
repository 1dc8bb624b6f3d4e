"""Korean spelling and grammar, case by case."""

from unicodedata import normalize

import pytest

from gieok.language import korean


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        (normalize("NFD", "한시우"), "한시우"),
        ("ㅎㅏㄴㅅㅣㅇㅜ", "한시우"),
        ("ﾾￂﾤ", "한"),  # half-width
        ("ㄱㅏㄱㅏ", "가가"),  # a consonant before a vowel opens the next syllable
        ("ㅎㅐ ㅋㅋㅋ", "해 ㅋㅋㅋ"),
        ("해ㅋㅋㅋ", "해ㅋㅋㅋ"),
        ("ㅋㅋㅠㅠ", "ㅋㅋㅠㅠ"),
        ("ㅎㅠㅠ", "ㅎㅠㅠ"),
        ("ㅎㅏㅋㅋㅋ", "하ㅋㅋㅋ"),
        ("\u1112\u1161", "하"),
        ("Ｉｐｈｏｎｅ １５", "iphone 15"),
        ("STRASSE Straße", "strasse strasse"),
        ("위\u200b스\ufeff키", "위스키"),
        ("\u202e위스키\u2069", "위스키"),
        ("위\u3164스키\ufe0f", "위스키"),
        ("㉮㉠", "가ㄱ"),
        ("바나나ㆍ사과", "바나나·사과"),
        ("①㎏", "1kg"),
    ],
)
def test_two_spellings_of_a_text_become_one(typed: str, normal: str) -> None:
    assert korean.normalise(typed) == normal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("한시우가 위스키를 샀다.", ["한시우가", "위스키를", "샀다"]),
        ("iPhone을 2호선에서", ["iphone을", "2호선에서"]),
        ("3월 15일에", ["3월", "15일에"]),
        ("3월15일에", ["3월", "15일에"]),
        ("아이폰15랑 갤럭시S24", ["아이폰", "15랑", "갤럭시", "s24"]),
        ("2026-11-30 12,000원 3.5km", ["2026", "11", "30", "12000원", "3.5km"]),
        ("Caroline's don’t O'Brien", ["caroline", "don't", "o'brien"]),
        ("日本語を", ["日本語を"]),
        ("힘들어ㅠㅠ", ["힘들어", "ㅠㅠ"]),
        ("카카오_톡 #부산!여행", ["카카오", "톡", "부산", "여행"]),
        ("Привет, café", ["привет", "café"]),
        ("😂 … \u200b", []),
    ],
)
def test_tokens_are_words_numbers_and_dates(text: str, expected: list[str]) -> None:
    assert korean.tokens(text) == expected


@pytest.mark.parametrize(
    ("token", "noun"),
    [
        ("한시우가", "한시우"),
        ("위스키를", "위스키"),
        ("생일을", "생일"),
        ("회사에서는", "회사"),
        ("친구들이랑", "친구"),
        ("은영이한테도", "은영이"),
        ("선생님께서는", "선생님"),
        ("서울로", "서울"),
        ("부산으로", "부산"),
        ("2호선을", "2호선"),
        ("iphone을", "iphone"),
        ("iphone를", "iphone"),
        ("생일이었는데", "생일"),
        ("친구였어", "친구"),
        ("이사했어", "이사"),
        ("나는", "나"),
        ("집에", "집"),
        ("고양이가", "고양이"),
        ("고양이", "고양이"),
        ("마을", "마을"),  # 을 never follows a vowel
        ("나를", "나"),
        ("지도", "지도"),
        ("바나나", "바나나"),
        ("는", "는"),
        ("부산", "부산"),
    ],
)
def test_particles_come_off_where_grammar_allows_them(token: str, noun: str) -> None:
    assert korean.strip_particles(token) == noun


@pytest.mark.parametrize(
    ("token", "wanted"),
    [
        ("정은이가", ["정은이가", "정은이", "정은", "정"]),
        ("하은이", ["하은이", "하은"]),
        ("지은이랑", ["지은이랑", "지은"]),
        ("민준이는", ["민준이는", "민준이", "민준"]),
        ("제주도에서", ["제주도에서", "제주도", "제주"]),
        ("힘들었다고", ["힘들었다고", "힘들", "힘"]),
        ("먹었다", ["먹었다"]),  # one syllable is too little of a verb
        ("가", ["가"]),
    ],
)
def test_a_name_that_ends_like_a_particle_stays_among_the_candidates(
    token: str, wanted: list[str]
) -> None:
    assert korean.candidates(token) == wanted


def test_bigrams_are_of_hangul_and_ideographs_only() -> None:
    assert korean.bigrams("위스키") == ["위스", "스키"]
    assert korean.bigrams("2호선") == ["호선"]
    assert korean.bigrams("日本酒") == ["日本", "本酒"]
    assert korean.bigrams("iphone을") == []
    assert korean.bigrams("술") == []


@pytest.mark.parametrize(
    ("final", "in_it", "not_in_it"),
    [
        ("ㄹ", "갈을홀", "가강값"),
        ("ㅆ", "갔었했", "갓각하"),
        ("ㄱ", "각국", "가갂"),
        ("ㅎ", "좋놓", "조종"),
    ],
)
def test_syllables_are_known_by_their_final_consonant(
    final: str, in_it: str, not_in_it: str
) -> None:
    ending = korean.ending_in(final)
    assert len(ending) == len(set(ending)) == 19 * 21
    assert set(in_it) <= set(ending)
    assert set(not_in_it).isdisjoint(ending)
