"""After any sequence of talking, remembering and taking back: nothing is recalled that did not
happen or was changed, and nothing else is lost. On the real database, through the real recall."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gieok.policy import COMPANION
from gieok.providers.router import Models
from gieok.types import RequestKind, Scope, UserId
from tests.property.life import Doing, Interrupting, Life, Said, everything
from tests.support.examples import examples
from tests.support.stack import Stack, world_in
from tests.support.world import World

some = st.integers(0, 60)
"""Chooses one of what there is, by remainder."""
casts, talks, parts = st.integers(0, 2), st.integers(0, 1), st.sampled_from(["user", "assistant"])
doings = st.sampled_from(["pin", "unpin", "mute", "mute", "correct", "weigh"])
takes = st.sampled_from(["rewind", "rewind", "edit", "edit", "reroll", "reroll", "reset"])


class Unlimited:
    """Nobody is counted, and nobody waits for anybody."""

    async def check(self, user_id: UserId, kind: RequestKind) -> None:
        """See `ports.RateLimiter`."""

    @asynccontextmanager
    async def hold(self, scope: Scope) -> AsyncIterator[bool]:
        """See `ports.Lock`."""
        yield True


class Lives(RuleBasedStateMachine):
    """Sequences of steps of one life."""

    runner: asyncio.Runner
    world: World
    speaker: Interrupting

    def do(self, step: Coroutine[Any, Any, None]) -> None:
        self.runner.run(step)

    def turn(self, which: int) -> Said:
        return self.life.turns[which % len(self.life.turns)]

    @initialize()
    def begin(self) -> None:
        async def meet() -> Life:
            one, other = await self.world.character(), await self.world.character("바다")
            return Life(self.world, (one, other))

        self.life = self.runner.run(meet())
        for cast in (0, 2, 0):
            self.make_a_memory(cast=cast, talk=0, messages=2)

    def talked(self) -> bool:
        return bool(self.life.turns)

    @rule(cast=casts, talk=talks)
    def say(self, cast: int, talk: int) -> None:
        self.do(self.life.say(cast, talk))

    @rule(cast=casts, talk=talks, messages=st.integers(1, 3))
    def make_a_memory(self, cast: int, talk: int, messages: int) -> None:
        for _ in range(messages):
            self.do(self.life.say(cast, talk))
        self.do(self.life.generate(cast))

    @rule(cast=casts, talk=talks)
    def crash(self, cast: int, talk: int) -> None:
        self.do(self.life.crash(cast, talk))

    @rule(cast=casts)
    def generate(self, cast: int) -> None:
        self.do(self.life.generate(cast))

    @precondition(talked)
    @rule(which=some)
    def retry(self, which: int) -> None:
        turn = self.turn(which)
        if turn.session in self.life.talks.values():
            self.do(self.life.retry(turn))

    @precondition(talked)
    @rule(take=takes, which=some, part=parts)
    def take_back(self, take: str, which: int, part: str) -> None:
        self.do(self.taken_back(take, which, part))
        self.do(self.life.nothing_untrue())

    @precondition(talked)
    @rule(cast=casts, take=takes, which=some, part=parts)
    def take_back_while_a_worker_reads(self, cast: int, take: str, which: int, part: str) -> None:
        self.speaker.meanwhile = lambda: self.taken_back(take, which, part)
        self.do(self.life.generate(cast))
        self.speaker.meanwhile = None
        self.do(self.life.nothing_untrue())

    async def taken_back(self, take: str, which: int, part: Any) -> None:
        turn = self.turn(which)
        if take == "rewind":
            await self.life.rewind(turn, part)
        elif take == "edit":
            await self.life.edit(turn, part)
        elif take == "reset":
            await self.life.reset(which % 2)
        elif turn.session in self.life.talks.values():
            await self.life.reroll(turn)

    @precondition(talked)
    @rule(which=some)
    def end(self, which: int) -> None:
        self.do(self.life.end(self.turn(which)))

    @rule(which=some, what=doings)
    def decide(self, which: int, what: Doing) -> None:
        self.do(self.life.change_memory(which, what))

    @rule(which=some)
    def delete(self, which: int) -> None:
        self.do(self.life.change_memory(which, "delete"))

    def teardown(self) -> None:
        self.do(self.life.nothing_untrue(every_branch=True))
        self.do(self.life.nothing_lost())
        self.do(self.life.nothing_untrue(every_branch=True))


def test_only_what_happened_is_recalled_and_all_of_it(stack: Stack) -> None:
    with asyncio.Runner() as runner, world_in(runner, stack) as world:
        speaker = Interrupting()
        speaker.extract = everything
        models = Models({"test": speaker}, {"test": world.embedder})
        world.speaker = speaker
        patient = replace(COMPANION, recall=replace(COMPANION.recall, deadline_s=60))
        free = Unlimited()
        world.engine = replace(world.engine, models=models, limiter=free, policy=patient)
        world.worker = replace(world.worker, models=models, lock=free)

        class Here(Lives):
            def __init__(self) -> None:
                super().__init__()
                self.runner, self.world, self.speaker = runner, world, speaker

        steps = settings(max_examples=examples(25), stateful_step_count=20)
        run_state_machine_as_test(Here, settings=steps)
