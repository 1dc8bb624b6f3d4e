"""What the blind index finds, and what it looks like."""

from unicodedata import normalize

import pytest

from gieok import keywords

KEY = keywords.derive_index_key(b"k" * 32)


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
    ],
)
def test_a_memory_is_not_found_by_another_word(stored: str, asked: str) -> None:
    assert not found(stored, asked)


@pytest.mark.parametrize(
    "sentence",
    [
        "ㅋㅋㅋ",
        "응",
        "ㅇㅇ",
        "그거 기억해?",
        "아까 내가 뭐라고 했지?",
        "what did you say?",
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


def test_a_digest_is_eight_keyed_bytes_as_a_signed_integer() -> None:
    digests = keywords.index_terms(["부산"], KEY)
    assert list(digests.values()) == [keywords.impact("word", 1)]
    assert all(-(2**63) <= digest < 2**63 for digest in digests)
    assert digests.keys().isdisjoint(keywords.index_terms(["부산"], b"x" * 32))


def test_the_index_key_is_not_the_data_key_and_never_changes() -> None:
    assert KEY.hex() == "1d1d741e692dd792c4688a862d3fe941bdd1f22ee3bd0716d64e19153ed1b878"
