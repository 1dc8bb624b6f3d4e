"""Taking a user's text apart, by rules."""

import pytest

from gieok.providers.offline.sentences import (
    LONGEST,
    actions,
    asks_back,
    ends_of,
    is_question,
    search_terms,
    sentences,
    topics,
    worth,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("좋아! 내일 봐", ["좋아!", "내일 봐"]),
        ("힘들다.. 진짜로", ["힘들다..", "진짜로"]),
        ("갔다.왔다", ["갔다.왔다"]),
        ("한 줄\n\n두 줄", ["한 줄", "두 줄"]),
        ("크기가 1.2센치래. 괜찮대", ["크기가 1.2센치래.", "괜찮대"]),
        ("see www.example.com now. Mr. Kim came!", ["see www.example.com now.", "Mr. Kim came!"]),
        ("뭐?! 정말?", ["뭐?!", "정말?"]),
        ("*웃는다* 안녕", ["안녕"]),
        ("  ", []),
    ],
)
def test_a_text_is_split_where_its_sentences_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_very_long_sentence_is_kept_up_to_a_word() -> None:
    [kept] = sentences("가나다라 " * 100)

    assert len(kept) <= LONGEST
    assert kept.endswith("가나다라")


def test_actions_stand_between_asterisks() -> None:
    assert actions("*웃으며* 안녕 *손을 흔든다*") == ["웃으며", "손을 흔든다"]


def test_topics_leave_out_particles_stopwords_and_called_names() -> None:
    assert topics("하루야 나는 어제 부산에서 친구를 만났어", ["하루"]) == [
        "부산",
        "친구",
        "만났어",
    ]


@pytest.mark.parametrize(
    "question",
    ["뭐 먹을까", "이름이 뭐야?", "거기 어디더라", "what did I say", "다시 말해줘", "Do you know?"],
)
def test_questions_are_seen_without_a_mark_too(question: str) -> None:
    assert is_question(question)


@pytest.mark.parametrize(
    "statement", ["부산에 갔다 왔어", "맛있더라", "I like tea.", "배고프니까 먹자"]
)
def test_statements_are_no_questions(statement: str) -> None:
    assert not is_question(statement)


@pytest.mark.parametrize(
    "question",
    [
        "아까 힘들었다고 한 거 기억해?",
        "내 생일 언제였지",
        "걔 누구랬어?",
        "Do you remember my dog?",
    ],
)
def test_asking_what_was_said_before_tells_nothing(question: str) -> None:
    assert asks_back(question)
    assert worth(question) == 0


@pytest.mark.parametrize("told", ["그거 꼭 기억해줘 내 생일은 5월 1일", "내가 뭐라도 사 갈게"])
def test_a_wish_or_an_offer_is_not_a_question(told: str) -> None:
    assert not asks_back(told)
    assert worth(told) > 0


@pytest.mark.parametrize(
    "small", ["안녕", "ㅋㅋㅋㅋ", "응 그래~", "하..", "ok thanks!", "하루야", "ㅠㅠ"]
)
def test_small_talk_is_worth_nothing(small: str) -> None:
    assert worth(small, ["하루"]) == 0


def test_what_tells_more_is_worth_more() -> None:
    assert (
        worth("다음 주 화요일 3시에 강남에서 면접 봐") > worth("면접 봤어") > worth("면접이 뭐야?")
    )


def test_terms_are_what_was_named() -> None:
    assert search_terms("iPhone을 강남에서 120만원에 샀어") == ["iphone", "강남", "120만원"]
    assert search_terms("키스했다고 했어") == ["친밀"]


def test_of_a_long_message_its_beginning_and_its_end_are_read() -> None:
    text = "나는 지은이야. " + "음… " * 3_000 + "죽고 싶어."
    read = ends_of(text)
    assert read.startswith("나는 지은이야.")
    assert read.endswith("죽고 싶어.")
    assert len(read) < 2_100
    assert ends_of(text[:2_000]) == text[:2_000]
