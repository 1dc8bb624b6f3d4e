"""The limits of a relationship state."""

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gieok.relationship.rules import (
    FIELDS,
    HELD_ON,
    bounded,
    corrected,
    replayed,
    restored,
    updated,
)
from gieok.types import Relationship, RelationshipState, StateField, StateQuote

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


Given = Mapping[StateField, Any]
SET_AT = datetime(2026, 11, 30, 9, tzinfo=UTC)
BEFORE_THAT, AFTER_THAT = SET_AT - timedelta(hours=1), SET_AT + timedelta(hours=1)


def words(
    field: StateField, text: str = "그러자", speaker: str = "user", said_at: datetime = AFTER_THAT
) -> StateQuote:
    return StateQuote(field, speaker, text, said_at)


WANTED = RelationshipState(
    user_called="민지",
    character_called="하루",
    speech_level="존댓말",
    standing="연인",
    promises=("영화 보기",),
    boundaries=(),
    affection=45,
)


def test_a_field_changes_only_where_words_stand_behind_it() -> None:
    made = updated(Relationship(BEFORE), WANTED, [words("standing"), words("promises")])
    assert made.state == replace(BEFORE, standing="연인", promises=("영화 보기",))
    assert [q.field for q in made.quotes] == ["standing", "promises"]
    assert updated(Relationship(BEFORE), WANTED, []).state == BEFORE


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("user_called", True),
        ("speech_level", True),
        ("promises", True),
        ("character_called", False),
        ("standing", False),
        ("boundaries", False),
        ("affection", False),
    ],
)
def test_a_characters_own_words_change_what_it_does_and_never_what_the_user_feels(
    field: StateField, changes: bool
) -> None:
    said = [words(field, "이제부터 민지라고 부를게", "하늘")]
    made = updated(Relationship(BEFORE), WANTED, said)
    assert (getattr(made.state, field) != getattr(BEFORE, field)) == changes
    assert bool(made.quotes) == changes


def test_words_behind_what_did_not_change_are_not_kept() -> None:
    made = updated(Relationship(BEFORE), BEFORE, [words("standing")])
    assert (made.state, made.quotes) == (BEFORE, ())


def test_a_correction_holds_against_the_character_and_against_words_about_something_else() -> None:
    given: Given = {
        "speech_level": "반말",
        "promises": (),
        "standing": "헤어진 사이",
        "affection": 80,
    }
    held = corrected(Relationship(BEFORE), given, SET_AT)
    assert tuple(held.held) == held.given == ("speech_level", "standing", "promises", "affection")
    for speaker, text in (("하늘", "반말 하지 말고 연인 하자, 영화 보자, 좋아해"), ("user", "응")):
        kept = updated(held, WANTED, [words(f, text, speaker) for f in held.held])
        assert (kept.state, kept.held, kept.quotes) == (held.state, held.held, ())


@pytest.mark.parametrize(
    ("field", "given", "said", "becomes"),
    [
        ("user_called", "지은", "이제 민 지라고 불러!", "민지"),
        ("speech_level", "반말", "다시 존댓말 써줘", "존댓말"),
        ("standing", "헤어진 사이", "우리 이제 연인이야", "연인"),
        ("promises", (), "영화 보기로 했잖아", ("영화 보기",)),
        ("boundaries", ("전 남친 얘기",), "이제 전 남친 얘기 해도 돼", ()),
        ("affection", 80, "너 진짜 미워", 70),
    ],
)
def test_a_correction_outranks_the_model_until_the_users_later_words_contradict_it(
    field: StateField, given: object, said: str, becomes: object
) -> None:
    held = corrected(Relationship(BEFORE), {field: given}, SET_AT)
    for said_at in (BEFORE_THAT, SET_AT):
        kept = updated(held, WANTED, [words(field, said, said_at=said_at)])
        assert (kept.state, kept.held) == (held.state, held.held)
    made = updated(held, WANTED, [words(field, said)])
    assert getattr(made.state, field) == becomes
    assert tuple(made.held) == ((field,) if field in HELD_ON else ())


def test_held_items_come_and_go_one_by_one() -> None:
    given: Given = {"promises": ("별 보기", "편지 쓰기")}
    held = corrected(Relationship(BEFORE), given, SET_AT)
    proposed = replace(BEFORE, promises=("영화 보기", "바다 가기"))
    said = [words("promises", "별 보러는 안 가도 돼. 영화나 보자")]
    made = updated(held, proposed, said)
    assert made.state.promises == ("편지 쓰기", "영화 보기")
    assert made.held == held.held
    assert updated(made, proposed, [words("promises", "응")]).state == made.state


def test_what_the_user_holds_is_not_pushed_out_by_what_is_new() -> None:
    five = tuple(f"약속 {n}호" for n in "가나다라마")
    held = corrected(Relationship(BEFORE), {"promises": five}, SET_AT)
    more = replace(BEFORE, promises=(*five[1:], "영화 보기"))
    assert updated(held, more, [words("promises", "영화 보자")]).state.promises == five


def test_a_correction_is_made_once_and_only_of_what_is_given() -> None:
    once = corrected(Relationship(BEFORE), {"affection": -80}, SET_AT)
    assert corrected(once, {"affection": -80}, SET_AT) == once
    assert once.state == replace(BEFORE, affection=-80)


def test_what_is_set_again_outranks_what_was_said_before_it_was() -> None:
    held = corrected(Relationship(BEFORE), {"user_called": "지은"}, SET_AT)
    again = corrected(held, {"user_called": "지은"}, AFTER_THAT)
    said = [words("user_called", "민지라고 불러", said_at=SET_AT + timedelta(minutes=1))]
    assert updated(held, WANTED, said).state.user_called == "민지"
    assert updated(again, WANTED, said).state.user_called == "지은"


def test_a_restored_state_holds_what_it_changed() -> None:
    now = Relationship(
        replace(BEFORE, user_called="민지", affection=10), held={"standing": BEFORE_THAT}
    )
    earlier = Relationship(BEFORE, (words("user_called"),))
    made = restored(now, earlier, SET_AT)
    assert made.state == BEFORE
    assert made.held == {"user_called": SET_AT, "standing": BEFORE_THAT, "affection": SET_AT}
    assert made.given == ("user_called", "affection")
    assert made.quotes == earlier.quotes


def window(before: Relationship, *said: StateQuote, **changes: Any) -> Relationship:
    """The next version by a window that changes these fields by these words, or by some."""
    quotes = said or [words(f) for f in changes]  # type: ignore[arg-type]
    return updated(before, replace(before.state, **changes), quotes)


def test_what_a_lost_version_brought_in_is_gone_and_the_rest_stays() -> None:
    first = window(Relationship(), user_called="지은", promises=("별 보기",), affection=10)
    lost = window(
        first, promises=("별 보기", "비밀"), boundaries=("전 남친",), standing="연인", affection=15
    )
    after = window(lost, promises=("비밀", "영화"), affection=18)
    left = replayed([first, after])
    assert left.state == replace(first.state, promises=("영화",), affection=13)
    assert left.quotes == after.quotes


def test_what_the_user_gave_is_as_it_was_given_whatever_was_lost() -> None:
    warm = window(Relationship(), user_called="지은", promises=("별 보기",), affection=10)
    given: Given = {"user_called": "지은", "promises": ("별 보기",), "affection": 80}
    confirmed = corrected(warm, given, SET_AT)
    later = window(confirmed, words("affection", "고마워"), affection=85)
    assert replayed([confirmed]).state == confirmed.state
    assert replayed([confirmed]).held == confirmed.held
    assert replayed([confirmed, later]).state == later.state


def test_what_was_restored_is_as_it_was_restored_whatever_was_lost() -> None:
    first = window(Relationship(), affection=10)
    second = window(first, affection=20)
    back = restored(second, first, SET_AT)
    assert replayed([first, back]).state == first.state


def test_a_hold_that_a_lost_window_ended_is_back_and_holds_against_what_came_after() -> None:
    held = corrected(Relationship(), {"user_called": "지은"}, SET_AT)
    lost = window(held, words("user_called", "민지라고 불러"), user_called="민지")
    after = window(lost, words("user_called", "애기야", "하늘"), user_called="애기")
    assert after.state.user_called == "애기"
    left = replayed([held, after])
    assert (left.state.user_called, left.held) == ("지은", held.held)


def test_nothing_lost_is_the_newest_version_again() -> None:
    first = window(Relationship(), promises=("별 보기",), affection=9)
    chain = [first, corrected(first, {"promises": ()}, SET_AT)]
    left = replayed(chain)
    assert (left.state, left.held) == (chain[-1].state, chain[-1].held)


def test_every_field_of_a_state_is_named() -> None:
    assert [f.name for f in fields(RelationshipState)] == list(FIELDS)
