"""Time that passes for one user: what lies behind grows older, and hints arrive in their time."""

from dataclasses import dataclass, field
from datetime import timedelta

from gieok.generation.generate import generate
from gieok.types import Scope, UserId
from tests.support.world import World

_OLDER = {
    "chat.turns": ("created_at", "lease_until"),
    "chat.messages": ("created_at",),
    "chat.sessions": ("last_active_at", "expires_at"),
    "memory.pairs": ("retry_at", "look_again_at"),
}


@dataclass
class PassingTime:
    """A clock of seconds that the test moves, with a worker at the queue's other end.

    `made` are the moments at which a memory was written; `looks` counts the worker's calls.
    """

    world: World
    user: UserId
    now: float = 0.0
    made: list[float] = field(default_factory=list)
    looks: int = 0
    _queued: list[tuple[float, Scope]] = field(default_factory=list)

    async def go_on(self, seconds: float) -> None:
        """Let time pass; the worker gets every hint at its moment."""
        until = self.now + seconds
        self._collect()
        while self._queued and self._queued[0][0] <= until:
            at, scope = self._queued.pop(0)
            await self._move(at)
            self.looks += 1
            outcomes = await generate(self.world.worker, scope)
            self.made += [self.now] * outcomes.count("written")
            self._collect()
        await self._move(until)

    def _collect(self) -> None:
        """Take over what was sent by now."""
        mine = [(s, delay) for s, delay in self.world.hints.sent if s.user_id == self.user]
        self._queued += [(self.now + delay, scope) for scope, delay in mine]
        self._queued.sort(key=lambda one: one[0])
        self.world.hints.sent.clear()

    async def _move(self, to: float) -> None:
        by = timedelta(seconds=to - self.now)
        for table, columns in _OLDER.items() if by else ():
            older = ", ".join(f"{c} = {c} - %s" for c in columns)
            change = f"UPDATE {table} SET {older} WHERE user_id = %s"
            await self.world.sql(change, *[by] * len(columns), self.user)
        self.now = to
