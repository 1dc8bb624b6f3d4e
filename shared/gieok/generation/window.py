"""Which turns the next memory is made of: settled ones, oldest first, when enough or due."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
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


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A window that is due once its turns are settled, which is not before `until`."""

    until: datetime


def next_window(
    pending: Sequence[PendingTurn],
    now: datetime,
    policy: GenerationPolicy,
    calls_for_one: Callable[[SealedTurn], bool] = lambda turn: False,
) -> Window | Unsettled | None:
    """The next window of a scope's pending turns (in order of position), if one is due.

    Which turns it takes, the conversation decides and not when it is looked at: the policy's
    threshold of user messages; fewer where one of them was due before the next one was over, where
    `ends_before` parts them, or where `early_trigger_turns` are reached and `calls_for_one` says so
    of any. Until one of these holds or one of them is due, more may join. A turn that may still
    change holds the whole window back, and so all that comes after it.
    """
    taken, whole = _first_turns(pending, now, policy, calls_for_one)
    told = [t for t in taken if t.sealed]
    if not told or not (whole or any(t.closing or t.due_at <= now for t in told)):
        return None
    until = max(_settles_at(t, now, policy) for t in taken)
    return Unsettled(until) if until > now else _window(taken)


def _first_turns(
    pending: Sequence[PendingTurn],
    now: datetime,
    policy: GenerationPolicy,
    calls_for_one: Callable[[SealedTurn], bool],
) -> tuple[list[PendingTurn], bool]:
    """The turns that the first window can have by now, and whether no other one may join them."""
    taken, told, called = list[PendingTurn](), 0, False
    for turn in pending:
        if taken and _parted(taken, turn, now):
            return taken, True
        taken.append(turn)
        if turn.sealed:
            told, called = told + 1, called or calls_for_one(turn.sealed)
        if told == policy.threshold or (called and told >= policy.early_trigger_turns):
            return taken, True
    return taken, any(t.ends_before is not None for t in taken)


def _parted(taken: Sequence[PendingTurn], turn: PendingTurn, now: datetime) -> bool:
    """Whether the window ends before a turn: one that was not over when another was due is late."""
    ended_at = now if turn.running else turn.ended_at
    due = any(t.sealed and t.due_at <= ended_at for t in taken)
    return due or turn.ends_before != taken[0].ends_before


def _settles_at(turn: PendingTurn, now: datetime, policy: GenerationPolicy) -> datetime:
    """When a turn cannot change any more, as far as can be told now."""
    if turn.running:
        return now + policy.settle_after
    if turn.followed or turn.closing:
        return now
    return turn.last_active_at + policy.settle_after


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
