"""Windows: nothing that may still change is taken, nothing passed over, nothing taken twice.

And none spans a memory that stands.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from gieok.generation.window import Unsettled, Window, next_window
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
        ended_at=NOW - age,
        due_at=NOW + min(POLICY.idle_after - idle, POLICY.flush_after - age),
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


def window_of(pending: Sequence[PendingTurn], **kw: Any) -> Window | None:
    """The window that may be read now."""
    found = next_window(pending, NOW, POLICY, **kw)
    return found if isinstance(found, Window) else None


def windows_of(pending: Sequence[PendingTurn]) -> tuple[list[Window], list[PendingTurn]]:
    """All windows that may be read now, and what they leave."""
    taken, rest = list[Window](), list(pending)
    while window := window_of(rest):
        taken.append(window)
        rest = [t for t in rest if t.position > window.last_position]
    return taken, rest


@given(pending_turns)
def test_a_window_is_a_run_of_settled_turns_from_the_start(pending: list[PendingTurn]) -> None:
    window = window_of(pending)
    if window is None:
        return
    covered = [t for t in pending if t.position <= window.last_position]
    assert covered[0].position == window.first_position
    assert all(is_settled(t) for t in covered)
    assert len({t.ends_before for t in covered}) == 1, "no memory stands in between"
    assert [t.sealed for t in covered if t.sealed] == list(window.turns)
    assert set(window.session_ids) == {t.session_id for t in covered}


@given(pending_turns)
def test_a_window_holds_something_and_at_most_five_messages_of_the_user(
    pending: list[PendingTurn],
) -> None:
    window = window_of(pending)
    assert window is None or 1 <= len(window.turns) <= POLICY.threshold


@given(pending_turns)
def test_no_turn_is_in_a_window_with_one_that_was_due_before_it_was_over(
    pending: list[PendingTurn],
) -> None:
    for window in windows_of(pending)[0]:
        covered = [
            t for t in pending if window.first_position <= t.position <= window.last_position
        ]
        for place, t in enumerate(covered):
            assert all(t.ended_at < before.due_at for before in covered[:place] if before.sealed)


@given(pending_turns)
def test_what_must_not_wait_is_taken_once_all_is_settled(pending: list[PendingTurn]) -> None:
    pending = [t for t in pending if is_settled(t)]
    _, rest = windows_of(pending)
    assert not [t for t in rest if t.sealed and (t.closing or t.due_at <= NOW)]


@given(pending_turns)
def test_a_window_that_is_whole_but_not_settled_says_when_it_may_be(
    pending: list[PendingTurn],
) -> None:
    found = next_window(pending, NOW, POLICY)
    if isinstance(found, Unsettled):
        assert not all(is_settled(t) for t in pending[: POLICY.threshold + 1])
        assert NOW < found.until <= NOW + POLICY.settle_after


def test_five_settled_messages_are_due_and_four_are_not() -> None:
    assert next_window([turn(i) for i in range(1, 5)], NOW, POLICY) is None
    window = window_of([turn(i) for i in range(1, 6)])
    assert window is not None
    assert (window.first_position, window.last_position) == (1, 5)


def test_a_backlog_is_cut_into_windows_of_five_and_the_rest_waits() -> None:
    windows, rest = windows_of([turn(i) for i in range(1, 24)])
    assert [w.last_position for w in windows] == [5, 10, 15, 20]
    assert [t.position for t in rest] == [21, 22, 23]


def test_what_fell_silent_is_not_joined_by_what_came_later() -> None:
    before = [turn(i, idle=timedelta(hours=3), age=timedelta(hours=3)) for i in (1, 2, 3)]
    windows, rest = windows_of([*before, *(turn(i) for i in (4, 5, 6))])
    assert [w.last_position for w in windows] == [3]
    assert [t.position for t in rest] == [4, 5, 6]


def test_the_newest_exchange_of_an_active_session_waits_until_it_is_settled() -> None:
    turns = [turn(i) for i in range(1, 5)] + [turn(5, followed=False)]
    assert next_window(turns, NOW, POLICY) == Unsettled(NOW - FRESH + POLICY.settle_after)


def test_an_idle_session_settles_its_newest_exchange() -> None:
    turns = [turn(i, idle=POLICY.settle_after) for i in range(1, 5)]
    turns.append(turn(5, followed=False, idle=POLICY.settle_after))
    window = window_of(turns)
    assert window is not None
    assert window.last_position == 5


def test_a_running_turn_holds_back_those_of_other_sessions_after_it() -> None:
    turns = [turn(1, session=1, running=True), *(turn(i, session=2) for i in range(2, 9))]
    assert next_window(turns, NOW, POLICY) == Unsettled(NOW + POLICY.settle_after)


def test_an_ended_session_flushes_a_single_message() -> None:
    window = window_of([turn(1, followed=False, closing=True)])
    assert window is not None
    assert len(window.turns) == 1


@given(pending_turns)
def test_a_rest_before_a_memory_is_taken_as_soon_as_it_is_settled(
    pending: list[PendingTurn],
) -> None:
    run = [t for t in pending if t.ends_before == pending[0].ends_before]
    window = window_of(pending)
    told = any(t.sealed for t in run)
    if pending and told and pending[0].ends_before and all(is_settled(t) for t in run):
        assert window is not None
        assert window.first_position == pending[0].position


@given(pending_turns)
def test_every_settled_turn_before_a_memory_is_in_exactly_one_window(
    pending: list[PendingTurn],
) -> None:
    windows, rest = windows_of(pending)
    taken = [t for w in windows for t in w.turns]
    assert taken == [t.sealed for t in pending if t not in rest and t.sealed]
    first = [t for t in rest if t.ends_before == rest[0].ends_before]
    assert not rest or rest[0].ends_before is None or not all(map(is_settled, first))


def test_a_window_ends_where_a_memory_stands() -> None:
    before = [turn(i, ends_before=4) for i in (1, 2, 3)]
    after = [turn(i) for i in range(7, 14)]
    window = window_of([*before, *after])
    assert window is not None
    assert (window.first_position, window.last_position) == (1, 3)
    assert window_of(after[:4]) is None, "the last run can still grow"


def says(*positions: int) -> Callable[[SealedTurn], bool]:
    """Only these turns call for a window."""
    return lambda sealed: sealed.user.id.int in positions


def test_a_statement_pulls_a_window_of_three_forward() -> None:
    turns = [turn(i) for i in range(1, 4)]
    assert next_window(turns, NOW, POLICY) is None
    for place in (1, 2, 3):
        window = window_of(turns, calls_for_one=says(place))
        assert window is not None
        assert window.last_position == 3


def test_a_statement_ends_its_window_however_late_it_is_read() -> None:
    turns = [turn(i) for i in range(1, 9)]
    window = window_of(turns, calls_for_one=says(4))
    assert window is not None
    assert window.last_position == 4


def test_at_most_every_third_turn_a_statement_pulls_a_window_forward() -> None:
    assert next_window([turn(1), turn(2)], NOW, POLICY, says(1, 2)) is None


def test_a_statement_that_may_still_change_pulls_nothing() -> None:
    turns = [*(turn(i) for i in range(1, 4)), turn(4, followed=False)]
    found = next_window(turns, NOW, POLICY, says(4))
    assert found == Unsettled(NOW - FRESH + POLICY.settle_after)


def test_a_window_has_the_zone_of_its_newest_turn_that_knows_one() -> None:
    zones = ["Asia/Seoul", "America/New_York", None, None, None]
    turns = [replace(turn(i), time_zone=z) for i, z in enumerate(zones, 1)]
    window = window_of(turns)
    assert window is not None
    assert window.time_zone == "America/New_York"


def test_each_message_of_a_window_has_the_zone_of_its_own_turn() -> None:
    zones = ["Asia/Seoul", None, "America/New_York", None, None]
    turns = [replace(turn(i), time_zone=z) for i, z in enumerate(zones, 1)]
    window = window_of(turns)
    assert window is not None
    assert window.zones == {
        UUID(int=1): "Asia/Seoul",
        UUID(int=1 + 10**6): "Asia/Seoul",
        UUID(int=3): "America/New_York",
        UUID(int=3 + 10**6): "America/New_York",
    }
