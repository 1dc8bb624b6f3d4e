"""Rows that are sealed open again as they were, and what is damaged says so without a word."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from gieok.errors import DecryptionFailed
from gieok.ids import new_id
from gieok.privacy.cells import (
    details_cell,
    open_memory,
    open_relationship,
    relationship_cell,
    seal_details,
    seal_relationship,
    seal_summary,
    summary_cell,
)
from gieok.privacy.cipher import UserCipher
from gieok.store.sealed import SealedMemory, SealedRelationship
from gieok.types import KeyDetail, Relationship, RelationshipState, StateQuote, UserId

CIPHER = UserCipher(UserId("one"), bytes(32))
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
WINDOW = Relationship(
    RelationshipState(user_called="민지", standing="오랜 친구", promises=("별 보기",), affection=9),
    (StateQuote("standing", "user", '"state" 친구', NOON),),
    {"affection": NOON},
    RelationshipState(affection=4),
)
CORRECTION = Relationship(
    RelationshipState(affection=7), held={"affection": NOON}, given=("affection",)
)


def stored(body: str) -> SealedRelationship:
    """A version with this body."""
    version = new_id()
    return SealedRelationship(
        version, UUID(int=1), 1, CIPHER.seal(relationship_cell(version), body)
    )


@pytest.mark.parametrize("version", [WINDOW, CORRECTION, Relationship()])
def test_a_relationship_is_read_back_as_it_was_written(version: Relationship) -> None:
    sealed = seal_relationship(CIPHER, UUID(int=1), version)
    found = SealedRelationship(sealed.id, sealed.character_id, 1, sealed.body)
    assert open_relationship(CIPHER, found) == version


def test_fields_that_a_later_release_adds_to_a_body_are_passed_over() -> None:
    found = open_relationship(CIPHER, stored('{"state":{"standing":"친구","mood":3},"x":1}'))
    assert found == Relationship(RelationshipState(standing="친구"))


@pytest.mark.parametrize(
    "body", ["", "[]", "비밀", '{"state":5}', '{"state":{"speech_level":"비밀"}}']
)
def test_damage_is_an_error_that_does_not_repeat_the_content(body: str) -> None:
    with pytest.raises(DecryptionFailed) as caught:
        open_relationship(CIPHER, stored(body))
    assert str(caught.value) == "not as it was written"
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("details", ["", "{}", "비밀", '[{"kind":"비밀"}]'])
def test_damaged_details_are_an_error_that_does_not_repeat_them(details: str) -> None:
    memory, at = new_id(), NOON
    summary = CIPHER.seal(summary_cell(memory), "산책")
    sealed = CIPHER.seal(details_cell(memory), details)
    row = SealedMemory(memory, (), summary, sealed, 5, (), at, at, at, pinned=False, muted=False)
    with pytest.raises(DecryptionFailed) as caught:
        open_memory(CIPHER, row)
    assert "비밀" not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("to", [None, "하늘"])
def test_details_are_read_back_as_they_were_written(to: str | None) -> None:
    memory_id, detail = new_id(), KeyDetail("quote", "user", "위스키 받았어", "선물", to)
    summary = seal_summary(CIPHER, memory_id, "위스키")
    sealed = seal_details(CIPHER, memory_id, [detail])
    at = NOON
    row = SealedMemory(memory_id, (), summary, sealed, 5, (), at, at, at, pinned=False, muted=False)

    assert open_memory(CIPHER, row).details == (detail,)
