"""What words are about, in Korean, English and Japanese."""

import pytest

from gieok.relationship.mention import mentions
from gieok.types import StateField

BACK_CHANNELS = ("응", "그래", "안", "아니야", "ㅇㅇ", "ok", "yes", "うん", "응 오늘 날씨 좋네")


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ("이제 민 지라고 불러!", "user_called", "민지"),
        ("Call me Minji", "user_called", "minji"),
        ("널 하루야라고 부를게", "character_called", "하루야"),
        ("우리 이제 말 놓자", "speech_level", "반말"),
        ("다시 존댓말 써줘", "speech_level", "존댓말"),
        ("you can be casual with me", "speech_level", "반말"),
        ("敬語はやめて", "speech_level", "반말"),
        ("우리 다시 사귀자", "standing", "다시 사귀기로 한 연인"),
        ("let's just be friends", "standing", "close friends"),
        ("恋人になろう", "standing", "恋人同士"),
        ("이제 전 남친 얘기 해도 돼", "boundaries", "전 남친 이야기 금지"),
        ("술은 그만 물어봐", "boundaries", "술 권하지 않기"),
        ("별 보러 안 가도 돼", "promises", "같이 별 보기"),
        ("Let's not go camping", "promises", "a camping trip"),
        ("너 진짜 미워", "affection", "-10"),
        ("너 정말 좋아", "affection", "10"),
        ("I trust you", "affection", "10"),
        ("大好きだよ", "affection", "10"),
    ],
)
def test_words_about_a_value_are_told(words: str, field: StateField, value: str) -> None:
    assert mentions(words, field, value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("user_called", "민지"),
        ("speech_level", "존댓말"),
        ("standing", "헤어진 사이"),
        ("promises", "같이 별 보기"),
        ("boundaries", "전 남친 이야기 금지"),
        ("affection", "80"),
    ],
)
@pytest.mark.parametrize("words", BACK_CHANNELS)
def test_small_talk_is_about_nothing(words: str, field: StateField, value: str) -> None:
    assert not mentions(words, field, value)


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ("내가 너한테 한 말", "standing", "너와 나는 친구"),
        ("오늘 너무 좋아", "affection", "10"),
        ("사용자는 바빠", "standing", "사용자와 하루는 연인"),
        ("it is what it is", "standing", "it is over"),
        ("비가 와", "promises", "같이 별 보기"),
    ],
)
def test_words_of_every_sentence_are_about_nothing(
    words: str, field: StateField, value: str
) -> None:
    assert not mentions(words, field, value)
