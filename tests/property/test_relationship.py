"""Limits that hold whatever a model proposes."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.relationship import (
    FIELDS,
    SPEECH_LEVELS,
    USERS_OWN,
    bounded,
    corrected,
    different,
    from_json,
    replayed,
    to_json,
    updated,
)
from gieok.types import Relationship, RelationshipState, StateQuote

TEXTS = st.text(st.characters(exclude_categories=()), max_size=700)
ITEMS = st.lists(TEXTS, max_size=8).map(tuple)
STATES = st.builds(
    RelationshipState,
    user_called=TEXTS,
    character_called=TEXTS,
    speech_level=st.sampled_from(SPEECH_LEVELS),
    standing=TEXTS,
    promises=ITEMS,
    boundaries=ITEMS,
    affection=st.integers(),
)


@settings(deadline=None)
@given(STATES, st.none() | STATES.map(lambda s: bounded(s, None)))
def test_every_state_is_within_its_limits(
    proposed: RelationshipState, previous: RelationshipState | None
) -> None:
    kept = bounded(proposed, previous)
    assert len(kept.standing) <= 600
    assert max(len(kept.user_called), len(kept.character_called)) <= 40
    assert len(kept.promises) <= 5
    assert len(kept.boundaries) <= 5
    assert all(0 < len(i) <= 100 for i in kept.promises + kept.boundaries)
    assert -100 <= kept.affection <= 100
    assert abs(kept.affection - (previous.affection if previous else 0)) <= 10


@settings(deadline=None)
@given(STATES, st.none() | STATES.map(lambda s: bounded(s, None)))
def test_bounding_twice_changes_nothing_and_rest_is_lossless(
    proposed: RelationshipState, previous: RelationshipState | None
) -> None:
    kept = bounded(proposed, previous)
    assert bounded(kept, previous) == kept
    assert from_json(to_json(Relationship(kept))) == Relationship(kept)


WITHIN = STATES.map(lambda s: bounded(s, None))
FIELD = st.sampled_from(FIELDS)
QUOTES = st.lists(
    st.builds(StateQuote, FIELD, st.sampled_from(["user", "하늘"]), st.text(max_size=20)),
    max_size=8,
)
VERSIONS = st.builds(
    Relationship,
    WITHIN,
    QUOTES.map(tuple),
    st.sets(FIELD).map(lambda held: tuple(f for f in FIELDS if f in held)),
)


@given(VERSIONS, STATES, QUOTES)
def test_no_field_changes_without_words_of_one_who_may_change_it(
    before: Relationship, proposed: RelationshipState, quotes: list[StateQuote]
) -> None:
    after = updated(before, proposed, quotes)
    changed = different(before.state, after.state)
    assert changed == {q.field for q in after.quotes}
    for field in changed:
        words = [q for q in quotes if q.field == field]
        assert words
        if field in USERS_OWN or field in before.held:
            assert any(q.speaker == "user" for q in words)
    assert set(after.held) == set(before.held) - changed
    assert bounded(after.state, before.state) == after.state
    assert from_json(to_json(after)) == after


@given(st.lists(VERSIONS, max_size=4))
def test_a_history_without_losses_adds_up_to_its_newest_state(chain: list[Relationship]) -> None:
    newest = replayed(pairwise([Relationship(), *chain]))
    last = chain[-1] if chain else Relationship()
    assert set(newest.state.promises) == set(last.state.promises)
    assert set(newest.state.boundaries) == set(last.state.boundaries)
    assert replace(newest.state, promises=(), boundaries=()) == replace(
        last.state, promises=(), boundaries=()
    )
    assert newest.held == last.held


@given(VERSIONS, st.sets(FIELD), WITHIN)
def test_corrected_fields_are_the_users_and_held(
    before: Relationship, fields: set[str], wanted: RelationshipState
) -> None:
    made = corrected(before, {f: getattr(wanted, f) for f in FIELDS if f in fields})
    assert all(getattr(made.state, f) == getattr(wanted, f) for f in fields)
    assert set(made.held) == set(before.held) | fields
