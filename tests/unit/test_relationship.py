"""The limits of a relationship state."""

from dataclasses import fields, replace
from itertools import pairwise

import msgspec
import pytest

from gieok.errors import DecryptionFailed
from gieok.relationship import (
    FIELDS,
    bounded,
    corrected,
    from_json,
    replayed,
    restored,
    to_json,
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


def words(field: StateField, text: str = "그러자", speaker: str = "user") -> StateQuote:
    return StateQuote(field, speaker, text)


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
    assert made == Relationship(BEFORE)


def test_a_correction_holds_against_the_character_until_the_user_says_otherwise() -> None:
    held = corrected(Relationship(BEFORE), {"speech_level": "반말", "promises": ()})
    assert held.held == ("speech_level", "promises")
    assert held.state.promises == ()
    character = [words(f, speaker="하늘") for f in held.held]
    kept = updated(held, WANTED, character)
    assert (kept.state, kept.held) == (held.state, held.held)
    gone = updated(held, WANTED, [words("promises")])
    assert (gone.state.promises, gone.held) == (("영화 보기",), ("speech_level",))


def test_a_held_name_gives_way_only_to_words_that_say_the_new_one() -> None:
    held = corrected(Relationship(BEFORE), {"user_called": "지은"})
    assert updated(held, WANTED, [words("user_called", "안녕")]).state.user_called == "지은"
    renamed = updated(held, WANTED, [words("user_called", "이제 민 지라고 불러!")])
    assert (renamed.state.user_called, renamed.held) == ("민지", ())


def test_a_correction_is_made_once_and_only_of_what_is_given() -> None:
    once = corrected(Relationship(BEFORE), {"affection": -80})
    assert corrected(once, {"affection": -80}) == once
    assert once.state == replace(BEFORE, affection=-80)


def test_a_restored_state_holds_what_it_changed() -> None:
    now = Relationship(replace(BEFORE, user_called="민지", affection=10), held=("standing",))
    earlier = Relationship(BEFORE, (words("user_called"),))
    made = restored(now, earlier)
    assert made.state == BEFORE
    assert made.held == ("user_called", "standing", "affection")
    assert made.quotes == earlier.quotes


def test_what_a_lost_version_brought_in_is_gone_and_the_rest_stays() -> None:
    first = RelationshipState(user_called="지은", promises=("별 보기",), affection=10)
    lost = replace(first, promises=("별 보기", "비밀"), boundaries=("전 남친",), affection=15)
    after = replace(lost, promises=("비밀", "영화"), affection=18)
    steps = [
        (Relationship(), Relationship(first)),
        (Relationship(lost), Relationship(after, held=("promises",))),
    ]
    assert replayed(steps) == Relationship(
        replace(first, promises=("영화",), affection=13), held=("promises",)
    )


def test_nothing_lost_is_the_newest_version_again() -> None:
    chain = [
        Relationship(),
        Relationship(BEFORE),
        corrected(Relationship(BEFORE), {"promises": ()}),
    ]
    assert replayed(pairwise(chain)) == chain[-1]


def test_a_version_is_read_back_as_it_was_written_with_real_hangul() -> None:
    version = Relationship(BEFORE, (words("standing", '"state" 친구'),), ("affection",))
    assert from_json(to_json(version)) == version
    assert "오랜 친구".encode() in to_json(version)


def test_a_state_from_before_quotes_were_kept_is_read() -> None:
    bare = msgspec.json.encode(replace(BEFORE, standing='"state":'))
    assert from_json(bare) == Relationship(replace(BEFORE, standing='"state":'))


def test_a_state_of_another_version_keeps_what_is_understood() -> None:
    understood = Relationship(RelationshipState(standing="친구"))
    assert from_json('{"standing": "친구", "mood": 3}'.encode()) == understood
    assert from_json('{"state":{"standing":"친구","mood":3},"x":1}'.encode()) == understood


def test_every_field_of_a_state_is_named() -> None:
    assert [f.name for f in fields(RelationshipState)] == list(FIELDS)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"\xff", '{"speech_level": "비밀"}'.encode(), b'{"state":5}']
)
def test_damage_is_an_error_that_does_not_repeat_the_content(body: bytes) -> None:
    with pytest.raises(DecryptionFailed) as caught:
        from_json(body)
    assert str(caught.value) == "not a relationship state"
    assert caught.value.__suppress_context__
