"""Relationship versions from before they told what they did, and quotes when they were said."""

import json
from typing import Any

from gieok.relationship.rules import completed, corrected, from_json, replayed
from gieok.types import Relationship
from tests.unit.test_relationship import SET_AT, window

CALLED = {"field": "user_called", "speaker": "user", "text": "민지라고 불러"}
MOVED = {"field": "affection", "speaker": "user", "text": "응"}


def older(
    made_from: Relationship, *, held: list[str], quotes: list[dict[str, str]], **state: Any
) -> Relationship:
    """A version that was made from another, with a body of then."""
    body = json.dumps({"state": state, "quotes": quotes, "held": held}, ensure_ascii=False)
    return completed(from_json(body.encode()), made_from, by_user=not quotes)


SET = older(Relationship(), held=["user_called"], quotes=[], user_called="지은")


def test_words_of_the_users_that_ended_a_hold_end_it_again() -> None:
    both = older(
        SET, held=["user_called", "affection"], quotes=[], user_called="지은", affection=50
    )
    renamed = older(both, held=["affection"], quotes=[CALLED], user_called="민지", affection=50)
    moved = older(renamed, held=[], quotes=[MOVED], user_called="민지", affection=55)
    left = replayed([SET, both, renamed, moved])
    assert (left.state, left.held) == (moved.state, {})


def test_a_hold_that_is_back_holds_against_a_characters_words() -> None:
    lost = older(SET, held=[], quotes=[CALLED], user_called="민지")
    after = older(lost, held=[], quotes=[CALLED | {"speaker": "하늘"}], user_called="애기")
    left = replayed([SET, after])
    assert (left.state.user_called, set(left.held)) == ("지은", {"user_called"})


def test_what_the_user_confirmed_was_given_though_it_changed_nothing() -> None:
    moved = older(Relationship(), held=[], quotes=[CALLED], user_called="민지")
    confirmed = older(moved, held=["user_called"], quotes=[], user_called="민지")
    left = replayed([confirmed])
    assert (left.state, left.held) == (confirmed.state, confirmed.held)


def test_a_version_that_tells_what_it_did_is_complete() -> None:
    said = window(Relationship(), affection=5)
    for version in (said, corrected(said, {"affection": 9}, SET_AT)):
        assert completed(version, SET, by_user=bool(version.given)) == version
