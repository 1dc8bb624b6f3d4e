"""Windows: nothing that may still change is taken, nothing passed over, nothing taken twice.

And none spans a memory that stands.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from gieok.generation.window import next_window
from gieok.policy import GenerationPolicy
from gieok.store.sealed import PendingTurn, SealedMessage, SealedTurn

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
POLICY = GenerationPolicy()
FRESH = timedelta(seconds=10)


def turn(
    position: int,
    *,
    session: int = 1,
    idle: timedelta = FRESH,
    age: timedelta = FRESH,
    followed: bool = True,
    closing: bool = False,
    running: bool = False,
    told: bool = True,
    answered: bool = True,
    ends_before: int | None = None,
) -> PendingTurn:
    """A pending turn; by default settled and recent."""
    user = SealedMessage(UUID(int=position), "user", None, b"u", NOW)
    reply = SealedMessage(UUID(int=position + 10**6), "assistant", UUID(int=9), b"r", NOW)
    return PendingTurn(
        session_id=UUID(int=session),
        position=position,
        running=running,
        followed=followed,
        closing=closing,
        last_active_at=NOW - idle,
        created_at=NOW - age,
        sealed=SealedTurn(user, reply if answered else None) if told else None,
        ends_before=ends_before,
    )


def turns_of(drawn: list[dict[str, Any]]) -> list[PendingTurn]:
    """Pending turns in order of position, about every fourth of which is in a standing memory."""
    standing = [i for i, kw in enumerate(drawn, 1) if kw["standing"]]
    return [
        turn(
            i,
            **{k: v for k, v in kw.items() if k != "standing"},
            ends_before=next((p for p in standing if p > i), None),
        )
        for i, kw in enumerate(drawn, 1)
        if not kw["standing"] and (kw["told"] or kw["running"])
    ]


ages = st.sampled_from([FRESH, timedelta(minutes=3), timedelta(hours=3), timedelta(hours=21)])
facts: dict[str, st.SearchStrategy[Any]] = {
    "session": st.integers(1, 3),
    "idle": ages,
    "age": ages,
    "followed": st.booleans(),
    "closing": st.booleans(),
    "running": st.booleans(),
    "told": st.booleans(),
    "answered": st.booleans(),
    "standing": st.integers(0, 3).map(lambda n: n == 0),
}
pending_turns = st.lists(st.fixed_dictionaries(facts), max_size=60).map(turns_of)


def is_settled(t: PendingTurn) -> bool:
    idle = NOW - t.last_active_at >= POLICY.settle_after
    return not t.running and (t.followed or t.closing or idle)


@given(pending_turns)
def test_a_window_is_a_run_of_settled_turns_from_the_start(pending: list[PendingTurn]) -> None:
    window = next_window(pending, NOW, POLICY)
    if window is None:
        return
    covered = [t for t in pending if t.position <= window.last_position]
    assert covered[0].position == window.first_position
    assert all(is_settled(t) for t in covered)
    assert len({t.ends_before for t in covered}) == 1, "no memory stands in between"
    assert [t.sealed for t in covered if t.sealed] == list(window.turns)
    assert set(window.session_ids) == {t.session_id for t in covered}


@given(pending_turns)
def test_a_window_holds_something_and_is_bounded(pending: list[PendingTurn]) -> None:
    window = next_window(pending, NOW, POLICY)
    if window is None:
        return
    messages = sum(1 + (t.reply is not None) for t in window.turns)
    assert 1 <= messages <= POLICY.window_messages


@given(pending_turns)
def test_what_must_not_wait_is_always_taken_once_settled(pending: list[PendingTurn]) -> None:
    taken = []
    rest = pending
    while window := next_window(rest, NOW, POLICY):
        taken += list(window.turns)
        rest = [t for t in rest if t.position > window.last_position]
    run = []
    for t in pending:
        if not is_settled(t):
            break
        run.append(t)
    urgent = [
        t
        for t in run
        if t.sealed
        and (
            t.closing
            or NOW - t.last_active_at >= POLICY.idle_after
            or NOW - t.created_at >= POLICY.flush_after
        )
    ]
    # A window may end on a count; whatever was urgent before its end went with it.
    left_urgent = [t for t in urgent if t.sealed not in taken]
    assert not left_urgent
    assert len(taken) == len({id(t) for t in taken})


def test_five_settled_messages_are_due_and_four_are_not() -> None:
    assert next_window([turn(i) for i in range(1, 5)], NOW, POLICY) is None
    window = next_window([turn(i) for i in range(1, 6)], NOW, POLICY)
    assert window is not None
    assert (window.first_position, window.last_position) == (1, 5)


def test_the_newest_exchange_of_an_active_session_does_not_count() -> None:
    turns = [turn(i) for i in range(1, 5)] + [turn(5, followed=False)]
    assert next_window(turns, NOW, POLICY) is None


def test_an_idle_session_settles_its_newest_exchange() -> None:
    turns = [turn(i, idle=POLICY.settle_after) for i in range(1, 5)]
    turns.append(turn(5, followed=False, idle=POLICY.settle_after))
    window = next_window(turns, NOW, POLICY)
    assert window is not None
    assert window.last_position == 5


def test_a_running_turn_holds_back_those_of_other_sessions_after_it() -> None:
    turns = [turn(1, session=1, running=True), *(turn(i, session=2) for i in range(2, 9))]
    assert next_window(turns, NOW, POLICY) is None


def test_an_ended_session_flushes_a_single_message() -> None:
    window = next_window([turn(1, followed=False, closing=True)], NOW, POLICY)
    assert window is not None
    assert len(window.turns) == 1


@given(pending_turns)
def test_a_rest_before_a_memory_is_taken_as_soon_as_it_is_settled(
    pending: list[PendingTurn],
) -> None:
    run = [t for t in pending if t.ends_before == pending[0].ends_before]
    window = next_window(pending, NOW, POLICY)
    if pending and pending[0].ends_before and all(is_settled(t) for t in run):
        assert window is not None
        assert window.first_position == pending[0].position


@given(pending_turns)
def test_every_settled_turn_before_a_memory_is_in_exactly_one_window(
    pending: list[PendingTurn],
) -> None:
    rest, taken = pending, list[SealedTurn]()
    while window := next_window(rest, NOW, POLICY):
        taken += window.turns
        rest = [t for t in rest if t.position > window.last_position]
    assert taken == [t.sealed for t in pending if t not in rest and t.sealed]
    first = [t for t in rest if t.ends_before == rest[0].ends_before]
    assert not rest or rest[0].ends_before is None or not all(map(is_settled, first))


def test_a_window_ends_where_a_memory_stands() -> None:
    before = [turn(i, ends_before=4) for i in (1, 2, 3)]
    after = [turn(i) for i in range(7, 14)]
    window = next_window([*before, *after], NOW, POLICY)
    assert window is not None
    assert (window.first_position, window.last_position) == (1, 3)
    assert next_window(after[:4], NOW, POLICY) is None, "the last run can still grow"


def says(*positions: int) -> Callable[[SealedTurn], bool]:
    """Only these turns call for a window."""
    return lambda sealed: sealed.user.id.int in positions


def test_a_statement_pulls_a_window_of_three_forward() -> None:
    turns = [turn(i) for i in range(1, 4)]
    assert next_window(turns, NOW, POLICY) is None
    window = next_window(turns, NOW, POLICY, says(2))
    assert window is not None
    assert window.last_position == 3


def test_at_most_every_third_turn_a_statement_pulls_a_window_forward() -> None:
    assert next_window([turn(1), turn(2)], NOW, POLICY, says(1, 2)) is None


def test_a_statement_that_may_still_change_pulls_nothing() -> None:
    turns = [*(turn(i) for i in range(1, 4)), turn(4, followed=False)]
    assert next_window(turns, NOW, POLICY, says(4)) is None


def test_a_window_has_the_zone_of_its_newest_turn_that_knows_one() -> None:
    zones = ["Asia/Seoul", "America/New_York", None, None, None]
    turns = [replace(turn(i), time_zone=z) for i, z in enumerate(zones, 1)]
    window = next_window(turns, NOW, POLICY)
    assert window is not None
    assert window.time_zone == "America/New_York"


def test_each_message_of_a_window_has_the_zone_of_its_own_turn() -> None:
    zones = ["Asia/Seoul", None, "America/New_York", None, None]
    turns = [replace(turn(i), time_zone=z) for i, z in enumerate(zones, 1)]
    window = next_window(turns, NOW, POLICY)
    assert window is not None
    assert window.zones == {
        UUID(int=1): "Asia/Seoul",
        UUID(int=1 + 10**6): "Asia/Seoul",
        UUID(int=3): "America/New_York",
        UUID(int=3 + 10**6): "America/New_York",
    }
