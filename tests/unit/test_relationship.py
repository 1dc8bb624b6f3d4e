"""The limits of a relationship state."""

import pytest

from gieok.errors import DecryptionFailed
from gieok.relationship import bounded, from_json, to_json
from gieok.types import RelationshipState

BEFORE = RelationshipState(
    user_called="지은",
    character_called="하늘이",
    speech_level="반말",
    standing="오랜 친구",
    promises=("별 보기",),
    boundaries=("전 남친 얘기",),
    affection=40,
)


def test_affection_moves_at_most_ten_a_window() -> None:
    assert bounded(RelationshipState(affection=100), BEFORE).affection == 50
    assert bounded(RelationshipState(affection=-100), BEFORE).affection == 30
    assert bounded(RelationshipState(affection=45), BEFORE).affection == 45
    assert bounded(RelationshipState(affection=90), None).affection == 10


def test_affection_stops_at_its_ends() -> None:
    assert (
        bounded(RelationshipState(affection=9999), RelationshipState(affection=98)).affection == 100
    )


def test_a_blank_field_keeps_what_was_known() -> None:
    kept = bounded(RelationshipState(promises=BEFORE.promises, affection=40), BEFORE)
    assert kept.user_called == "지은"
    assert kept.character_called == "하늘이"
    assert kept.speech_level == "반말"
    assert kept.standing == "오랜 친구"


def test_promises_and_boundaries_are_replaced_so_that_a_kept_promise_goes() -> None:
    kept = bounded(RelationshipState(promises=("생일 축하",)), BEFORE)
    assert kept.promises == ("생일 축하",)
    assert kept.boundaries == ()


def test_long_texts_are_cut_at_their_limit_and_say_so() -> None:
    kept = bounded(RelationshipState(standing="가" * 601, promises=("나" * 101,)), None)
    assert kept.standing == "가" * 599 + "…"
    assert kept.promises == ("나" * 99 + "…",)


def test_no_more_than_five_items_blank_and_repeated_ones_not_counted() -> None:
    wanted = ("", " 하나", "하나", "둘", "셋", "넷", "다섯", "여섯")
    assert bounded(RelationshipState(boundaries=wanted), None).boundaries == (
        "하나",
        "둘",
        "셋",
        "넷",
        "다섯",
    )


def test_a_state_is_read_back_as_it_was_written_with_real_hangul() -> None:
    assert from_json(to_json(BEFORE)) == BEFORE
    assert "오랜 친구".encode() in to_json(BEFORE)


def test_a_state_of_another_version_keeps_what_is_understood() -> None:
    assert from_json('{"standing": "친구", "mood": 3}'.encode()) == RelationshipState(
        standing="친구"
    )


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", '{"speech_level": "비밀"}'.encode()])
def test_damage_is_an_error_that_does_not_repeat_the_content(body: bytes) -> None:
    with pytest.raises(DecryptionFailed) as caught:
        from_json(body)
    assert str(caught.value) == "not a relationship state"
    assert caught.value.__suppress_context__
