"""When a message is searched with what was said before it, and when not."""

import pytest

from gieok.policy import RecallPolicy
from gieok.recall.question import SHORT, WIDENED, retrieval_query

POLICY = RecallPolicy()
BEFORE = ["겨울에 삿포로 다녀왔어", "눈축제가 정말 예뻤어"]


@pytest.mark.parametrize(
    "message",
    [
        "그거 어땠더라?",
        "그거",
        "걔 이름 뭐였지",
        "걔네랑 갔었나?",
        "그때는 왜 그랬지",
        "아까 그 얘기",
        "그 사람 누구야?",
        "그렇게 하자",
        "거기 어디야",
        "그런 거 좋아해?",
        "지난번에는",
        "이게 뭐야",
        "둘 다 좋아",
        "응",
        "응응",
        "ㅇㅇ",
        "ㅋㅋㅋ",
        "ㄱㄱ",
        "네네네",
        "그래 좋아!",
        "왜?",
        "언제였지",
        "ok",
        "Yeah, sure!",
        "???",
        "😂😂",
        "what about him?",
        "is that ok?",
        "do you remember it?",
    ],
)
def test_a_short_message_that_points_back_brings_its_context(message: str) -> None:
    assert retrieval_query(message, BEFORE, POLICY) == f"{BEFORE[0]} {BEFORE[1]} {message}"


@pytest.mark.parametrize(
    "message",
    [
        "부산 여행!",
        "떡볶이",
        "응 부산 여행!",
        "그럼 부산 가자",
        "그런데 부산은?",
        "그거 말고 부산",
        "그것말고 제주도 얘기",
        "아까 그거 대신 재즈",
        "걔 아니고 민준이",
        "not that, Busan",
        "instead of it, jazz",
        "아까운 케이크",
        "그네 타고 싶어",
        "그림 그렸어",
        "그늘에서 쉬자",
        "내 생일 언제야?",
        "고양이 이름이 뭐지",
        "회사 얘기",
        "얘기 좀 하자",
        "이번 주 토요일",
        "is there a cafe?",
        "there's a cat",
        "hi busan trip",
    ],
)
def test_a_short_message_with_a_topic_of_its_own_stays_alone(message: str) -> None:
    assert len(message) < SHORT
    assert retrieval_query(message, BEFORE, POLICY) == message


def test_a_message_of_twenty_characters_stays_alone_whatever_it_says() -> None:
    message = "그거 걔 아까 그때 거기 그 사람 왜"
    assert len(message) == SHORT
    assert retrieval_query(message, BEFORE, POLICY) == message
    assert retrieval_query(message[:-2], BEFORE, POLICY).startswith(BEFORE[0])


def test_only_the_last_two_messages_are_looked_back_to() -> None:
    assert retrieval_query("응", ["하나", "둘째", "셋째"], POLICY) == "둘째 셋째 응"
    assert retrieval_query("응", ["하나"], POLICY) == "하나 응"
    assert retrieval_query("응", [], POLICY) == "응"


@pytest.mark.parametrize("message", ["그거", "그거?", "그거??", "그거???"])
def test_a_long_context_gives_its_end_from_a_whole_word_on(message: str) -> None:
    query = retrieval_query(message, ["첫말 " + "가나다라 " * 40, "끝말"], POLICY)
    assert WIDENED - 5 <= len(query) <= WIDENED
    assert query.startswith("가나다라 ")
    assert query.endswith(f"끝말 {message}")


def test_a_long_paste_is_capped() -> None:
    policy = RecallPolicy(query_chars=50)
    assert retrieval_query("가" * 400, BEFORE, policy) == "가" * 50
