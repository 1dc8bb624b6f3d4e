"""Of whom a sentence speaks."""

import pytest

from gieok.language.third_person import about_another, mentions_another


@pytest.mark.parametrize(
    "sentence",
    [
        "내 친구 민수는 진짜 게을러",
        "친구가 게을러",
        "우리 엄마는 부산에 사셔",
        "팀장님이 또 화내셨어",
        "전 남자친구는 담배를 피웠어",
        "저 선배도 커피를 못 마신대",
        "My best friend loves cilantro",
        "my sister works at a bank",
        "友達の健は納豆が好き",
        "妹がピアノを習ってる",
    ],
)
def test_somebody_else_is_the_subject(sentence: str) -> None:
    assert about_another(sentence)


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
    assert not about_another(sentence)


def test_a_name_counts_when_the_caller_knows_it() -> None:
    assert not about_another("지호는 커피를 좋아해")
    assert about_another("지호는 커피를 좋아해", ["지호"])
    assert about_another("Minsu is lazy", ["Minsu"])
    assert not about_another("나는 지호를 좋아해", ["지호"])


@pytest.mark.parametrize(
    "clause",
    ["she's a lawyer", "걔가 더 팬이거든", "엄마 환갑이라", "우리 사촌오빠야", "彼女は医者だ"],
)
def test_a_pronoun_and_a_bare_word_for_a_person_are_subjects(clause: str) -> None:
    assert about_another(clause)


def test_who_only_describes_a_noun_is_no_subject() -> None:
    assert not about_another("걔가 준 목도리 못 버렸어")


def test_a_word_that_begins_like_one_for_a_person_names_nobody() -> None:
    assert not mentions_another("사용자는 형사다")
    assert mentions_another("사용자의 형이랑")


def test_a_text_names_somebody_by_word_or_by_name() -> None:
    assert mentions_another("사용자의 어머니는 부산에 산다")
    assert mentions_another("지호는 게으르다", ["지호"])
    assert not mentions_another("사용자는 게으르다", ["지호"])
