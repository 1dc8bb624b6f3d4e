"""Of whom a sentence speaks."""

import pytest

from gieok.extraction.third_person import about_another, mentions_another


@pytest.mark.parametrize(
    ("sentence", "person"),
    [
        ("내 친구 민수는 진짜 게을러", "친구"),
        ("친구가 게을러", "친구"),
        ("우리 엄마는 부산에 사셔", "엄마"),
        ("팀장님이 또 화내셨어", "팀장"),
        ("전 남자친구는 담배를 피웠어", "남자친구"),
        ("저 선배도 커피를 못 마신대", "선배"),
        ("My best friend loves cilantro", "friend"),
        ("my sister works at a bank", "sister"),
        ("友達の健は納豆が好き", "友達"),
        ("妹がピアノを習ってる", "妹"),
    ],
)
def test_somebody_else_is_the_subject(sentence: str, person: str) -> None:
    assert about_another(sentence) == person


@pytest.mark.parametrize(
    "sentence",
    [
        "나는 친구가 많아",
        "친구랑 싸웠어",
        "내 친구는 게으른데 나는 부지런해",
        "팀장님이 나 승진시켜 준대",
        "우리는 친구가 많아",
        "저 오늘 동생이 생겼어요",
        "매운 떡볶이는 못 먹어",
        "형편이 어려워",
        "I told my mom about it",
        "haven't talked to my dad in 6 years",
        "私は姉が好き",
        "",
    ],
)
def test_the_speaker_is_or_may_be_the_subject(sentence: str) -> None:
    assert about_another(sentence) == ""


def test_a_name_counts_when_the_caller_knows_it() -> None:
    assert about_another("지호는 커피를 좋아해") == ""
    assert about_another("지호는 커피를 좋아해", ["지호"]) == "지호"
    assert about_another("Minsu is lazy", ["Minsu"]) == "Minsu"
    assert about_another("나는 지호를 좋아해", ["지호"]) == ""


def test_a_text_names_somebody_by_word_or_by_name() -> None:
    assert mentions_another("사용자의 어머니는 부산에 산다")
    assert mentions_another("지호는 게으르다", ["지호"])
    assert not mentions_another("사용자는 게으르다", ["지호"])
