"""Limits that hold whatever a model proposes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gieok.ids import new_id
from gieok.privacy.cells import open_relationship, seal_relationship
from gieok.privacy.cipher import UserCipher
from gieok.relationship.mention import mentions
from gieok.relationship.rules import (
    FIELDS,
    SPEECH_LEVELS,
    USERS_OWN,
    bounded,
    corrected,
    different,
    replayed,
    restored,
    updated,
    without,
)
from gieok.store.sealed import SealedRelationship
from gieok.types import Relationship, RelationshipState, StateField, StateQuote, UserId
from tests.support.examples import examples

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
def test_bounding_twice_changes_nothing(
    proposed: RelationshipState, previous: RelationshipState | None
) -> None:
    kept = bounded(proposed, previous)
    assert bounded(kept, previous) == kept


WITHIN = STATES.map(lambda s: bounded(s, None))
FIELD = st.sampled_from(FIELDS)
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
TIMES = st.integers(-3, 3).map(lambda hours: NOON + timedelta(hours=hours))
WORDS = ("응", "좋아해, 말 놓자", "ㄱ")
"""About nothing, about feelings and the speech level, and a name that texts are full of."""
QUOTES = st.lists(
    st.builds(
        StateQuote,
        FIELD,
        st.sampled_from(["user", "하늘"]),
        st.sampled_from(WORDS) | st.text(max_size=20),
        TIMES,
    ),
    max_size=8,
)
VERSIONS = st.builds(
    Relationship,
    WITHIN,
    QUOTES.map(tuple),
    st.dictionaries(FIELD, TIMES).map(lambda held: {f: held[f] for f in FIELDS if f in held}),
)


def new_texts(field: StateField, before: RelationshipState, after: RelationshipState) -> set[str]:
    """What has come or gone of a field, each for itself."""
    old, new = getattr(before, field), getattr(after, field)
    if isinstance(old, tuple):
        return set(old) ^ set(new)
    return {f"{old} {new}" if field == "standing" else str(new)}


CIPHER = UserCipher(UserId("one"), bytes(32))


def at_rest_and_back(version: Relationship) -> Relationship:
    """The version as it is read after it was stored."""
    sealed = seal_relationship(CIPHER, new_id(), version)
    return open_relationship(
        CIPHER, SealedRelationship(sealed.id, sealed.character_id, 1, sealed.body)
    )


def founded(before: Relationship, after: Relationship, quotes: Sequence[StateQuote]) -> None:
    """Asserts that no field changed without words of one who may change it."""
    changed = different(before.state, after.state)
    assert changed == {q.field for q in after.quotes}
    assert abs(after.state.affection - before.state.affection) <= 10
    for field in changed:
        words = [q for q in quotes if q.field == field]
        assert words
        if field in USERS_OWN or field in before.held:
            words = [q for q in words if q.speaker == "user"]
            assert words
        if since := before.held.get(field):
            later = [q for q in words if q.said_at > since]
            for text in new_texts(field, before.state, after.state):
                assert any(mentions(q.text, field, text) for q in later)
    ended = set(before.held) - set(after.held)
    assert ended == changed & set(before.held) - {"promises", "boundaries", "affection"}
    assert all(after.held[f] == before.held[f] for f in after.held)


@given(VERSIONS, STATES, QUOTES)
def test_whatever_a_model_proposes_no_field_changes_without_words(
    before: Relationship, proposed: RelationshipState, quotes: list[StateQuote]
) -> None:
    after = updated(before, proposed, quotes)
    founded(before, after, quotes)
    assert bounded(after.state, before.state) == after.state
    assert at_rest_and_back(after) == after


@given(VERSIONS, st.sets(FIELD), WITHIN)
def test_corrected_fields_are_the_users_and_held(
    before: Relationship, fields: set[StateField], wanted: RelationshipState
) -> None:
    given = {f: getattr(wanted, f) for f in FIELDS if f in fields}
    made = corrected(before, given, NOON)
    assert all(getattr(made.state, f) == given[f] for f in given)
    assert made.held == {**before.held, **dict.fromkeys(given, NOON)}
    assert at_rest_and_back(made) == made


MANY = settings(max_examples=examples(200))
LOST = st.sets(st.integers(0, 4), min_size=1)
LISTS = ("promises", "boundaries")
SOME = st.frozensets(FIELD, min_size=4)


@dataclass(frozen=True)
class Says:
    """A window: every field anew, of lists the oldest item for another, affection by a step.

    In whose words, whether they are about it, and whether said before all else.
    """

    fields: frozenset[StateField]
    step: int
    speaker: str
    about_them: bool
    long_ago: bool

    def on(self, now: Relationship, number: int) -> Relationship:
        """The version that it leaves."""
        state, at = now.state, NOON + timedelta(hours=0 if self.long_ago else number)
        proposed, quotes = state, []
        for field in self.fields:
            new = fresh(field, number, state.affection + self.step)
            if field in LISTS:
                new = (*getattr(state, field)[1:], *new)
            proposed = replace(proposed, **{field: new})
            text = f"{new} {getattr(state, field)} 좋아해 말 놓자" if self.about_them else "응"
            quotes.append(StateQuote(field, self.speaker, text, at))
        return updated(now, proposed, quotes)


@dataclass(frozen=True)
class Sets:
    """The user's correction."""

    fields: frozenset[StateField]
    affection: int

    def on(self, now: Relationship, number: int) -> Relationship:
        """The version that it leaves."""
        values = {f: fresh(f, number, self.affection) for f in self.fields}
        return corrected(now, values, NOON + timedelta(hours=number))


def fresh(field: StateField, number: int, affection: int) -> Any:
    """A value of a field that no other step has, as far as there are so many."""
    if field == "affection":
        return affection
    if field == "speech_level":
        return SPEECH_LEVELS[number % 3]
    text = "가나다라마바"[number] * 2
    return (text,) if field in LISTS else text


STEPS = st.lists(
    st.builds(
        Says,
        SOME,
        st.integers(-10, 10),
        st.sampled_from(["user", "user", "하늘"]),
        st.sampled_from([True, True, False]),
        st.sampled_from([False, False, True]),
    )
    | st.builds(Sets, SOME, st.integers(-40, 40))
    | st.integers(0, 9),  # restores one of the versions so far
    min_size=2,
    max_size=5,
)
"""So few that no list is ever full and affection never at its end."""


def lived(steps: list[Says | Sets | int]) -> list[Relationship]:
    """The versions that steps leave, one each."""
    versions: list[Relationship] = []
    for number, step in enumerate(steps, 1):
        now = versions[-1] if versions else Relationship()
        if not isinstance(step, int):
            made = step.on(now, number)
        elif versions:
            earlier = versions[step % len(versions)]
            made = restored(now, earlier, NOON + timedelta(hours=number))
        else:
            continue
        if (made.state, made.held) != (now.state, now.held):  # else it is not written
            versions.append(made)
    return versions


def heard_again(now: Relationship, version: Relationship) -> Relationship:
    """What the same window would have left here: the model proposes the same changes."""
    proposed, was = now.state, version.before or RelationshipState()
    for field in different(was, version.state):
        here, old, new = (getattr(s, field) for s in (now.state, was, version.state))
        if field in LISTS:
            new = (
                *(i for i in here if i not in old or i in new),
                *(i for i in new if i not in old),
            )
        elif field == "affection":
            new = here + new - old
        proposed = replace(proposed, **{field: new})
    return updated(now, proposed, version.quotes)


@MANY
@given(STEPS)
def test_in_no_life_a_field_changes_without_words(steps: list[Says | Sets | int]) -> None:
    for before, after in pairwise([Relationship(), *lived(steps)]):
        if not after.given:
            founded(before, after, after.quotes)


@MANY
@given(STEPS, LOST)
def test_what_is_left_is_what_would_have_been_without_what_is_lost(
    steps: list[Says | Sets | int], lost: set[int]
) -> None:
    versions = lived(steps)
    left = [v for i, v in enumerate(versions) if i not in lost or (v.given and not v.quotes)]
    would_be = Relationship()
    for version in left:
        if version.given:
            values = {f: getattr(version.state, f) for f in version.given}
            would_be = corrected(would_be, values, max(version.held.values()))
        else:
            would_be = heard_again(would_be, version)
    found = replayed(left)
    assert (found.state, found.held) == (would_be.state, would_be.held)


@MANY
@given(STEPS)
def test_a_history_without_losses_adds_up_to_its_newest_version(
    steps: list[Says | Sets | int],
) -> None:
    versions = lived(steps)
    newest = versions[-1] if versions else Relationship()
    found = replayed(versions)
    assert (found.state, found.held) == (newest.state, newest.held)


@MANY
@given(STEPS, LOST)
def test_what_the_user_set_last_stands_whatever_is_lost(
    steps: list[Says | Sets | int], lost: set[int]
) -> None:
    versions = lived(steps)
    settings_of = {f: i for i, v in enumerate(versions) for f in v.given}
    left = [v for i, v in enumerate(versions) if i not in lost or i in settings_of.values()]
    found = replayed(left)
    for field, place in settings_of.items():
        later = {q.field for v in versions[place + 1 :] if not v.given for q in v.quotes}
        if field not in later:
            assert getattr(found.state, field) == getattr(versions[place].state, field)
            assert found.held[field] == versions[place].held[field]


@MANY
@given(STEPS, st.integers(0, 4))
def test_a_lost_version_can_be_taken_out_of_a_later_one(
    steps: list[Says | Sets | int], place: int
) -> None:
    versions = [Relationship(), *lived(steps)]
    assume(len(versions) > 2)
    place = 1 + place % (len(versions) - 2)
    was, lost, *later = versions[place - 1 :]
    assume(not lost.given or lost.quotes)  # the user's own are never lost
    left = [*versions[1:place], *later]
    found, would_be = without(versions[-1], lost, was), replayed(left)
    moved = set().union(
        *(different(a.state, b.state) | {*b.given} for a, b in pairwise([lost, *later]))
    )
    for field in set(FIELDS) - moved:
        assert getattr(found.state, field) == getattr(would_be.state, field)
        assert found.held.get(field) == would_be.held.get(field)
    for items in LISTS:
        brought = {*getattr(lost.state, items)} - {*getattr(was.state, items)}
        told = set().union(*(getattr(v.state, items) for v in later if items in v.given))
        assert not ({*getattr(found.state, items)} & brought) - told


@MANY
@given(STEPS, st.integers(0, 4))
def test_what_the_user_set_last_stands_whatever_is_taken_out(
    steps: list[Says | Sets | int], place: int
) -> None:
    versions = [Relationship(), *lived(steps)]
    assume(len(versions) > 2)
    place = 1 + place % (len(versions) - 2)
    was, lost, *later = versions[place - 1 :]
    found = without(versions[-1], lost, was)
    settings_of = {f: i for i, v in enumerate(later) for f in v.given}
    for field, at in settings_of.items():
        if field in {q.field for v in later[at + 1 :] if not v.given for q in v.quotes}:
            continue
        assert getattr(found.state, field) == getattr(versions[-1].state, field)
        assert found.held.get(field) == versions[-1].held.get(field)
