"""What the blind index finds, and what it looks like."""

from unicodedata import normalize

import pytest

from gieok.indexing import keywords
from gieok.privacy.cipher import derive_index_key

KEY = derive_index_key(b"k" * 32)


def found(stored: str, asked: str) -> bool:
    index = keywords.index_terms([stored], KEY)
    return not index.keys().isdisjoint(keywords.query_digests(asked, KEY))


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("한시우", "한시우가 뭐랬지?"),
        ("한시우가", "한시우"),
        ("한시우", "시우야 기억해?"),
        ("싱글몰트위스키", "위스키를 샀던가?"),
        ("싱글몰트위스키", "싱글몰트"),
        ("생일 선물", "생일선물 뭐였지"),
        ("생일선물", "생일 선물 뭐였지"),
        ("정은", "정은이가 그랬어"),
        ("정은이", "정은"),
        ("하은이네", "하은이"),
        ("제주도", "제주도에서는"),
        ("고양이", "고양이가"),
        ("고양이가", "고양이"),
        ("집", "집에 언제 갔지"),
        ("집에서", "집"),
        ("술", "술을 마셨어"),
        ("3월 15일", "3월15일에 뭐했지"),
        ("2호선", "2호선을 탔어"),
        ("아이폰 15", "아이폰15를"),
        ("iPhone", "IPHONE을 잃어버렸어"),
        ("12,000원", "12000원이었나"),
        ("힘들었던 하루", "아까 힘들었다고 한 거 기억해?"),
        ("이사", "이사했던 날"),
        ("camping", "when did we go camped"),
        ("日本酒", "日本酒を"),
        (normalize("NFC", "위스키"), normalize("NFD", "위스키")),
        ("위스키", "ㅇㅟㅅㅡㅋㅣ"),
        ("위스키", "위\u200b스키"),
        ("iPhone을", "iphone"),
        ("콩을 가족으로 맞이했다", "콩이가 아파"),
        ("콩을 가족으로 맞이했다", "콩이를 병원에 데려갔어"),
        ("콩을 가족으로 맞이했다", "콩아 산책 가자"),
        ("콩이는 자다가 일어났다", "콩한테 뭐 먹였지"),
        ("봄의 졸업식", "봄이랑 사진 찍었나"),
        ("솔", "솔이네 가게 이름"),
        ("2층이고 남향이다", "우리 집 몇층이야?"),
        ("2층이고 남향이다", "우리 집 몇 층이야?"),
        ("7살", "7살짜리가 뭐랬지"),
        ("B형", "B형이래"),
        ("F", "나 F야"),
        ("강남역 근처 살아", "나 어디 살아?"),
    ],
)
def test_a_memory_is_found_by(stored: str, asked: str) -> None:
    assert found(stored, asked)


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("부산", "제주"),
        ("한시우", "김민준이"),
        ("위스키", "와인을"),
        ("camp", "concert"),
        ("집", "집념"),
        ("콩", "공이가"),
        ("콩", "콩나물이"),
        ("봄", "봉이랑"),
        ("콩", "고양이가"),
        ("몇이었지", "2층이었지"),
    ],
)
def test_a_memory_is_not_found_by_another_word(stored: str, asked: str) -> None:
    assert not found(stored, asked)


WAYS = {
    "iphone15": "iPhone 15|iphone15|iPhone15를|IPHONE 15랑|iPhone-15|ｉＰｈｏｎｅ１５|"
    "iphone 15프로",
    "windows11": "windows 11|Windows11|windows11에서",
    "s24": "갤럭시S24|갤럭시 s 24|갤럭시s24를|s 24|S24|s24울트라",
    "10km": "10km|10 km|10㎞를|10 km쯤",
    "고3": "고3|고 3|고3이라|고3때|고3이래요|고３",
    "중2": "중2|중 2|중2병|중2라서",
    "3년차": "3년차|3년차라서|3년차인데|３년차",
    "2호기": "2호기|2호기가|2 호기|2호기에서는",
    "401호": "401호|401 호|401호에|401 호에|４０１호",
    "2호선": "2호선|2 호선|2 호선을|2호선을",
    "12월25일": "2026-12-25|2026.12.25|2026. 12. 25.|2026/12/25|2026년 12월 25일에|12월25일|12/25|"
    "12월 25일|１２／２５|１２월 ２５일이었지",
    "3월5일": "3/5|3월 5일|03/05|3월5일부터|2026-03-05|03월 05일",
    "30000": "30000원|30,000원|3만 원|3만원|삼만원|삼만 원|30000|３만원|3만원짜리|3만",
    "1500": "천오백원|1,500원|1천5백 원",
    "18400": "1만 8천 4백 원|18,400원|1만8천4백원|1만 8400원|만 팔천사백원|18400",
    "120000000": "1억 2천만 원|120,000,000원|1.2억|1억2000만원|일억 이천만 원",
    "01012345678": "010-1234-5678|01012345678|010 1234 5678|010.1234.5678로|"
    "０１０－１２３４－５６７８",
    "15881234": "1588-1234|15881234",
    "3시": "오후 3시|15시|15:00|3시|3시에|１５：００",
    "3시30분": "오후 3시 반|15:30|3시 30분|15시30분에|3:30",
}


@pytest.mark.parametrize(
    ("piece", "way"), [(piece, way) for piece, ways in WAYS.items() for way in ways.split("|")]
)
def test_every_way_to_write_something_has_one_word(piece: str, way: str) -> None:
    assert keywords.stored_pieces([way])[piece] == "word"
    assert keywords.asked_pieces(f"{way} 기억나?")[piece] == keywords.WHOLE
    assert keywords.stored_pieces(keywords.terms_of(f"나는 {way}"))[piece] == "word"


@pytest.mark.parametrize(
    ("stored", "asked", "common"),
    [
        ("12월 25일", "12/26", {"12월"}),
        ("3만 원", "30,001원", set()),
        ("고3", "고2", {"고"}),
        ("고3", "중3", {"3"}),
        ("2호기", "3호기", set()),
        ("고 2005년", "고20", {"고"}),
        ("2층", "몇 칸", set()),
        ("오후 3시 반", "4:30", set()),
        ("010-1234-5678", "01012345679", set()),
        ("010-1234-5678", "010-1234-5679", {"010", "1234"}),
        ("s 24", "s25", set()),
        ("3시간", "15:00", set()),
        ("version 3.12", "3/12", set()),
        ("사과 3만 12월", "30012", set()),
        ("이사", "24", set()),
        ("13/13", "13월 13일", set()),
        ("25:00", "25시", set()),
        ("1/12/25", "12월 25일", set()),
        ("3만 2026년", "32026", set()),
        ("둘사이만 원해", "20000", set()),
        ("2005", "2005년", set()),
    ],
)
def test_another_number_has_another_word(stored: str, asked: str, common: set[str]) -> None:
    held, wanted = keywords.stored_pieces([stored]), keywords.asked_pieces(asked)
    assert {piece for piece in wanted if held.get(piece) == "word"} == common


@pytest.mark.parametrize(
    "sentence",
    [
        "ㅋㅋㅋ",
        "응",
        "ㅇㅇ",
        "그거 기억해?",
        "아까 내가 뭐라고 했지?",
        "what did you say?",
        "ok라고 했지",
        "",
        "!?😂",
    ],
)
def test_function_words_are_not_looked_up(sentence: str) -> None:
    assert set(keywords.asked_pieces(sentence)) == set()


def test_a_question_about_a_feeling_spends_its_digests_on_it() -> None:
    assert next(iter(keywords.asked_pieces("아까 힘들었다고 한 거 기억해?"))) == "힘들"


def test_a_whole_word_outweighs_a_prefix_and_a_prefix_a_bigram() -> None:
    pieces = keywords.stored_pieces(["싱글몰트", "몰트"])
    whole, prefixes, bigrams = {"싱글몰트", "몰트"}, {"싱글", "싱글몰"}, {"글몰"}
    assert {piece for piece, weight in pieces.items() if weight == "word"} == whole
    assert {piece for piece, weight in pieces.items() if weight == "prefix"} == prefixes
    assert {piece for piece, weight in pieces.items() if weight == "bigram"} == bigrams


def test_the_seam_between_two_words_is_a_piece_on_both_sides() -> None:
    assert keywords.stored_pieces(["생일 선물"])["일선"] == "bigram"
    assert keywords.asked_pieces("생일 선물")["일선"] == keywords.BIGRAM
    assert "일선" not in keywords.stored_pieces(["생일", "선물"])


def test_bare_words_are_looked_up_before_bigrams() -> None:
    weights = list(keywords.asked_pieces("싱글몰트위스키를 좋아하는 한시우가 집에").values())
    assert weights == sorted(weights, reverse=True)
    assert set(weights) == {keywords.WHOLE, keywords.SYLLABLE, keywords.BIGRAM}


def test_a_digest_is_25_keyed_bits_as_a_signed_integer() -> None:
    digests = keywords.index_terms(["부산"], KEY)
    assert list(digests.values()) == [keywords.impact("word", 1)]
    many = list(keywords.index_terms(map(str, range(1_000)), KEY))
    assert -(2**24) <= min(many) < -(2**23), "the first bit is the sign"
    assert 2**23 <= max(many) < 2**24
    assert digests.keys().isdisjoint(keywords.index_terms(["부산"], b"x" * 32))


def test_the_index_key_is_not_the_data_key_and_never_changes() -> None:
    assert KEY.hex() == "1d1d741e692dd792c4688a862d3fe941bdd1f22ee3bd0716d64e19153ed1b878"


FIRST_RULES = {
    "word": "iphone15를 iphone15 3만 3 원에 원",
    "prefix": "ip iph ipho iphon iphone iphone1",
    "bigram": "만원",
}
"""What the first release stored of "iPhone15를 3만 원에"; such rows are never written anew."""


def test_pieces_stored_by_older_rules_are_stored_and_asked_for_as_ever() -> None:
    held = keywords.stored_pieces(["iPhone15를 3만 원에"])
    asked = keywords.asked_pieces("iPhone15를 3만 원에")
    for kind, pieces in FIRST_RULES.items():
        for piece in pieces.split():
            # The beginning of a word may count as a word of its own by now.
            assert held[piece] in {kind, "word"}
    assert asked.keys() >= {"iphone15", "3만", "3", "원에", "원", "만원"}
