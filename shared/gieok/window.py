"""Which turns the next memory is made of: settled ones, oldest first, when enough or due."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok.policy import GenerationPolicy
from gieok.sealed import PendingTurn, SealedTurn


@dataclass(frozen=True, slots=True)
class Window:
    """Turns for one memory, oldest first. Positions are those of the first and last turn."""

    turns: tuple[SealedTurn, ...]
    first_position: int
    last_position: int
    session_ids: tuple[UUID, ...]


def next_window(
    pending: Sequence[PendingTurn], now: datetime, policy: GenerationPolicy
) -> Window | None:
    """The next window of a scope's pending turns (in order of position), or None.

    It is the run of settled turns at the start: one that may still change holds back all that came
    after it, so that the cursor never passes it. The run is due at the policy's threshold of user
    messages, or when any of its turns must not wait longer.
    """
    settled = list(_settled_run(pending, now, policy))
    told = [t for t in settled if t.sealed]
    due = len(told) >= policy.threshold or any(_must_not_wait(t, now, policy) for t in told)
    if not told or not due:
        return None
    taken = list(_first_messages(settled, policy.window_messages))
    return Window(
        turns=tuple(t.sealed for t in taken if t.sealed),
        first_position=taken[0].position,
        last_position=taken[-1].position,
        session_ids=tuple(dict.fromkeys(t.session_id for t in taken)),
    )


def _settled_run(
    pending: Iterable[PendingTurn], now: datetime, policy: GenerationPolicy
) -> Iterable[PendingTurn]:
    for turn in pending:
        idle = now - turn.last_active_at >= policy.settle_after
        if turn.running or not (turn.followed or turn.closing or idle):
            return
        yield turn


def _must_not_wait(turn: PendingTurn, now: datetime, policy: GenerationPolicy) -> bool:
    return (
        turn.closing
        or now - turn.last_active_at >= policy.idle_after
        or now - turn.created_at >= policy.flush_after
    )


def _first_messages(turns: Iterable[PendingTurn], most: int) -> Iterable[PendingTurn]:
    """Whole turns, as many as hold at most `most` messages; at least one that holds any."""
    count = 0
    for turn in turns:
        size = 0 if turn.sealed is None else 1 + (turn.sealed.reply is not None)
        if count and count + size > most:
            return
        count += size
        yield turn
