"""Windows: nothing that may still change is taken, nothing is passed over, nothing taken twice."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from gieok.policy import GenerationPolicy
from gieok.sealed import PendingTurn, SealedMessage, SealedTurn
from gieok.window import next_window

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
    )


def turns_of(drawn: list[dict[str, Any]]) -> list[PendingTurn]:
    """Pending turns in order of position."""
    return [turn(i + 1, **kw) for i, kw in enumerate(drawn)]


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


def test_a_turn_whose_message_never_came_is_passed_over_but_not_taken() -> None:
    turns = [turn(1, told=False), *(turn(i) for i in range(2, 7))]
    window = next_window(turns, NOW, POLICY)
    assert window is not None
    assert (window.first_position, len(window.turns)) == (1, 5)
