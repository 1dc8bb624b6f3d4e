"""Which turns the next memory is made of: settled ones, oldest first, when enough or due."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from uuid import UUID

from gieok.policy import GenerationPolicy
from gieok.store.sealed import PendingTurn, SealedTurn


@dataclass(frozen=True, slots=True)
class Window:
    """Turns for one memory, oldest first. Positions are those of the first and last turn.

    `oldest_at`: when the first of the raw messages was sent, and so when they begin to go.
    `zones` has the user's time zone of each message, by id, where it is known; `time_zone` is that
    of the newest turn which has one.
    """

    turns: tuple[SealedTurn, ...]
    first_position: int
    last_position: int
    session_ids: tuple[UUID, ...]
    oldest_at: datetime
    zones: Mapping[UUID, str]
    time_zone: str | None


def next_window(
    pending: Sequence[PendingTurn],
    now: datetime,
    policy: GenerationPolicy,
    calls_for_one: Callable[[SealedTurn], bool] = lambda turn: False,
) -> Window | None:
    """The next window of a scope's pending turns (in order of position), or None.

    It is taken from the run of settled turns at the start. One that may still change holds back all
    that came after it, so that the cursor never passes it; what `ends_before` names ends the run,
    so that no two memories overlap. The run is due at the policy's threshold of user messages, when
    any of its turns must not wait longer, when it ends before something (then it cannot grow any
    more), or when it has `early_trigger_turns` and `calls_for_one` says so of any of them.
    """
    run = _first_run(pending)
    settled = list(takewhile(lambda t: _is_settled(t, now, policy), run))
    told = [t.sealed for t in settled if t.sealed]
    due = (
        len(told) >= policy.threshold
        or any(_must_not_wait(t, now, policy) for t in settled if t.sealed)
        or (len(settled) == len(run) and any(t.ends_before is not None for t in run))
        or (len(told) >= policy.early_trigger_turns and any(map(calls_for_one, told)))
    )
    if not told or not due:
        return None
    return _window(list(_first_messages(settled, policy.window_messages)))


def _first_run(pending: Sequence[PendingTurn]) -> list[PendingTurn]:
    """The turns at the start that may be in one window: it would end before the same for all."""
    return [t for t in pending if t.ends_before == pending[0].ends_before]


def _is_settled(turn: PendingTurn, now: datetime, policy: GenerationPolicy) -> bool:
    idle = now - turn.last_active_at >= policy.settle_after
    return not turn.running and (turn.followed or turn.closing or idle)


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


def _window(taken: Sequence[PendingTurn]) -> Window:
    zones = _zones(taken)
    return Window(
        turns=tuple(t.sealed for t in taken if t.sealed),
        first_position=taken[0].position,
        last_position=taken[-1].position,
        session_ids=tuple(dict.fromkeys(t.session_id for t in taken)),
        oldest_at=min(t.created_at for t in taken),
        zones=zones,
        time_zone=next(reversed(zones.values()), None),
    )


def _zones(taken: Iterable[PendingTurn]) -> dict[UUID, str]:
    told = [(t.sealed, t.time_zone) for t in taken if t.sealed and t.time_zone]
    return {m.id: zone for turn, zone in told for m in (turn.user, turn.reply) if m}
