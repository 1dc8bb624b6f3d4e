"""Windows do not depend on when the worker ran.

A conversation is played on a clock, and two workers read it: one that looks at every moment at
which anything can have changed, and one that comes when it likes and fails as it likes.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from gieok.generation.window import Window, next_window
from gieok.policy import GenerationPolicy
from gieok.store.sealed import PendingTurn, SealedMessage, SealedTurn

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
POLICY = GenerationPolicy()
ACTIVE = timedelta(hours=24)
LEASE = timedelta(seconds=150)
END = timedelta(days=9)
Range = tuple[int, int]


@dataclass
class Talk:
    """A session: when it was last added to, and when the client ended it."""

    active: list[datetime] = field(default_factory=list)
    ended_at: datetime | None = None

    def active_at(self, now: datetime) -> datetime:
        """When it was last added to, as it is known at a moment."""
        return max((a for a in self.active if a <= now), default=self.active[0])

    def ends_at(self, now: datetime) -> datetime:
        """When it ends, as it is known at a moment."""
        if self.ended_at and self.ended_at <= now:
            return self.ended_at
        return self.active_at(now) + ACTIVE


@dataclass
class Said:
    """A turn: when it began, when it was answered; `dies` before its message is kept."""

    talk: Talk
    position: int
    created_at: datetime
    answered_at: datetime
    dies: bool
    states: bool


@dataclass(frozen=True)
class Step:
    """What happens next, after a pause: a message in one of three sessions, or one of them ends."""

    pause_s: int
    session: int
    answer_s: int
    ends: bool
    dies: bool
    states: bool


steps = st.builds(
    Step,
    st.sampled_from([1, 1, 5, 60, 130, 600, 5_000, 7_150, 8_000, 30_000, 73_000, 90_000]),
    st.integers(0, 2),
    st.sampled_from([0, 3, 100]),
    st.integers(0, 7).map(lambda n: n == 0),
    st.integers(0, 9).map(lambda n: n == 0),
    st.integers(0, 5).map(lambda n: n == 0),
)
visits = st.lists(st.tuples(st.integers(0, 200_000), st.booleans()), max_size=20)


def played(script: Iterable[Step]) -> list[Said]:
    """What was said, in the order in which it began."""
    now, turns, talks, busy = START, list[Said](), dict[int, Talk](), dict[int, datetime]()
    for step in script:
        now = max(now + timedelta(seconds=step.pause_s), busy.get(step.session, START))
        talk = talks.get(step.session)
        if talk and step.ends:
            talk.ended_at = now
        if talk and talk.ends_at(now) <= now:
            del talks[step.session]
        if step.ends:
            continue
        talk = talks.setdefault(step.session, Talk([now]))
        answered = now + (LEASE if step.dies else timedelta(seconds=step.answer_s))
        if not step.dies:
            talk.active.append(answered)
        busy[step.session] = answered + timedelta(seconds=1)
        turns.append(Said(talk, len(turns) + 1, now, answered, step.dies, step.states))
    return turns


def pending_at(turns: list[Said], now: datetime, cursor: int) -> list[PendingTurn]:
    """What the worker reads at a moment."""
    known = [t for t in turns if t.created_at <= now and (now < t.answered_at or not t.dies)]
    waiting = [t for t in known if t.position > cursor]
    return [as_read(t, known, now) for t in waiting[: POLICY.threshold + 1]]


def as_read(t: Said, known: list[Said], now: datetime) -> PendingTurn:
    told = (n for n in known if n.talk is t.talk and n.position > t.position and not n.dies)
    following = next(told, None)
    running, active_at = now < t.answered_at, t.talk.active_at(now)
    added_at = t.created_at if running else t.answered_at
    due = [t.created_at + POLICY.flush_after, t.talk.ends_at(now)]
    if following is None:
        due.append(active_at + POLICY.idle_after)
    elif following.created_at >= added_at + POLICY.idle_after:
        due.append(added_at + POLICY.idle_after)
    return PendingTurn(
        session_id=UUID(int=id(t.talk)),
        position=t.position,
        running=running,
        followed=following is not None,
        closing=t.talk.ends_at(now) <= now,
        last_active_at=active_at,
        created_at=t.created_at,
        ended_at=added_at,
        due_at=min(due),
        sealed=None if t.dies else SealedTurn(_message(t), None),
    )


def _message(t: Said) -> SealedMessage:
    return SealedMessage(UUID(int=t.position), "user", None, b"", t.created_at)


def windows(
    turns: list[Said],
    looks: Iterable[tuple[datetime, bool]],
    policy: GenerationPolicy,
    calls: Callable[[SealedTurn], bool],
) -> list[Range]:
    """What a worker makes that comes at these moments; at some of them every extraction fails."""
    made, cursor = list[Range](), 0
    for now, works in looks:
        while works:
            found = next_window(pending_at(turns, now, cursor), now, policy, calls)
            if not isinstance(found, Window):
                break
            made.append((found.first_position, found.last_position))
            cursor = found.last_position
    return made


def every_moment(turns: list[Said]) -> list[tuple[datetime, bool]]:
    """Whenever anything begins, ends, settles or becomes due."""
    happened = {t.created_at for t in turns} | {t.answered_at for t in turns}
    happened |= {t.talk.ended_at for t in turns if t.talk.ended_at}
    passing = (timedelta(), POLICY.settle_after, POLICY.idle_after, POLICY.flush_after, ACTIVE)
    return [(at, True) for at in sorted({h + p for h in happened for p in passing})]


def check(script: list[Step], seen: list[tuple[int, bool]], *, early: bool) -> None:
    turns, policy = played(script), replace(POLICY, early_trigger=early)
    stating = {UUID(int=t.position) for t in turns if t.states and early}
    late = [(START + timedelta(seconds=at), works) for at, works in sorted(seen)]

    def calls(sealed: SealedTurn) -> bool:
        return sealed.user.id in stating

    prompt = windows(turns, every_moment(turns), policy, calls)
    last = max((t.answered_at for t in turns), default=START) + END
    assert windows(turns, [*late, (last, True)], policy, calls) == prompt
    covered = [p for first, through in prompt for p in range(first, through + 1)]
    assert {t.position for t in turns if not t.dies} <= set(covered)
    assert len(covered) == len(set(covered))


@given(st.lists(steps, max_size=40), visits)
def test_a_late_worker_cuts_as_a_prompt_one(
    script: list[Step], seen: list[tuple[int, bool]]
) -> None:
    check(script, seen, early=False)


@given(st.lists(steps, max_size=30), visits)
def test_a_late_worker_cuts_as_a_prompt_one_where_statements_pull_windows_forward(
    script: list[Step], seen: list[tuple[int, bool]]
) -> None:
    check(script, seen, early=True)


def test_three_messages_then_silence_and_three_more_are_two_windows() -> None:
    script = [Step(5, 0, 1, ends=False, dies=False, states=False)] * 3
    script += [replace(script[0], pause_s=10_000), *script[:2]]
    turns = played(script)
    late = [(turns[-1].answered_at + END, True)]
    assert windows(turns, late, POLICY, lambda turn: False) == [(1, 3), (4, 6)]
