"""Which messages ask about the past, and so are worth a rewriting."""

import pytest

from gieok.recall.past_questions import asks_about_the_past

ASKING = [
    "우리 처음 만난 날 뭐 먹었지?",
    "내가 무서워하는 동물 뭐라고 했더라ㅋㅋ",
    "동생 생일 언제였지",
    "나 어느 학교 다닌다고 했는지 기억나?",
    "나 땅콩 먹어도 되는 사람이야?",
    "우리집고양이이름뭐엿지",
    "그때 왜 울었냐",
    "내 꿈 뭐게ㅋㅋ",
    "밥 먹었어. 근데 나 이사 언제 간댔지?",
    "What's my sister's name?",
    "do you remember the name of my cat",
    "Where did we meet?",
    "私の誕生日いつだっけ",
    "昨日話した店、覚えてる?",
]
NOT_ASKING = [
    "안녕!",
    "ㅋㅋㅋㅋ",
    "나 오늘 회사에서 진짜 힘들었어",
    "너 지금 뭐 해?",
    "우리 내일 뭐 먹을까?",
    "이따가 전화해 줄래?",
    "내일 비 온대",
    "기억해 둬, 다음 주가 시험이야",
    "그 영화 재밌더라",
    "What are you doing?",
    "Shall we go out tomorrow?",
    "I bought a new lamp today.",
    "今日は疲れた",
    "明日、映画を見ようか?",
]


@pytest.mark.parametrize("message", ASKING)
def test_a_question_about_what_was_told_is_one(message: str) -> None:
    assert asks_about_the_past(message)


@pytest.mark.parametrize("message", NOT_ASKING)
def test_news_plans_and_small_talk_are_not(message: str) -> None:
    assert not asks_about_the_past(message)


def test_of_a_long_sentence_only_the_end_is_read() -> None:
    assert asks_about_the_past("나 " + "가나 " * 30 + "먹을 수 있어?")
    assert not asks_about_the_past("나 " + "가나 " * 3_000 + "먹을 수 있어?")
