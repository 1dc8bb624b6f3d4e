"""Which words tell something, and how they meet those that were said."""

import pytest

from gieok.extraction.content_words import Said, content_words, says_something


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("사용자는 위스키를 선물로 받았다고 말했다.", {"위스키", "선물", "받았다고"}),
        ("하루는 지은이에게 내 친구 얘기를 했다.", set()),
        ("지은은 하루에게 두부를 자랑했다.", {"두부", "자랑"}),
        ("The user said that she was camping with a friend.", {"camp"}),
        ("ㅋㅋㅋ 응 ㅠㅠ", set()),
        ("12월 3일", {"12월", "3일"}),
        ("東京に", {"東京", "京に"}),
    ],
)
def test_function_words_names_persons_and_endings_tell_nothing(text: str, words: set[str]) -> None:
    assert content_words(text, ["하루", "지은"]) == words


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("싱글몰트위스키를 샀어", "위스키"),
        ("싱글몰트 위스키를 샀어", "싱글몰트위스키"),
        ("어제 마셨어", "마셨다"),
        ("we camped there", "camp"),
        ("54만 원 썼어", "54만원"),
        ("술 끊었어", "술"),
    ],
)
def test_a_word_meets_itself_in_another_form(said: str, word: str) -> None:
    assert word in Said([said])


@pytest.mark.parametrize(
    ("said", "word"),
    [("예술가", "술"), ("154만 원", "54만원"), ("위스키", "위장"), ("a cat", "at")],
)
def test_other_words_do_not_meet(said: str, word: str) -> None:
    assert word not in Said([said])


def test_dates_and_single_syllables_are_not_counted() -> None:
    assert Said(["내일 술 마신대"]).count("사용자는 12월 3일에 술을 마신다.") == (1, 1)
    assert Said(["안녕"]).count("12월 3일, 2026") == (0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "응",
        "응 그래",
        "웅웅",
        "hell yeah",
        "of course",
        "네 맞아요",
        "ㅇㅇ",
        "ㅋㅋㅋ",
        "yes",
        "OK",
        "…",
        "",
    ],
)
def test_back_channels_say_nothing(text: str) -> None:
    assert not says_something(text)


@pytest.mark.parametrize("text", ["응 서울", "25", "술", "Yes, Rome", "はい東京"])
def test_one_word_or_number_says_something(text: str) -> None:
    assert says_something(text)


def test_persons_are_told_of_when_asked_for() -> None:
    assert content_words("애인이 없다") == set()
    assert content_words("애인이 없다", persons=True) == {"애인"}
