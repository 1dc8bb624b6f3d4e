"""Limits that hold whatever a model proposes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.relationship import SPEECH_LEVELS, bounded, from_json, to_json
from gieok.types import RelationshipState

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
    assert from_json(to_json(kept)) == kept
