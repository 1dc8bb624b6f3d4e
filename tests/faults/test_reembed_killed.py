"""A re-embedding killed again and again: recall is whole all along, and in the end it is done."""

import signal
from dataclasses import replace

from gieok.providers.router import Models
from tests.support.assignments import OLD, assign
from tests.support.killing import run_killed
from tests.support.speakers import Hashes
from tests.support.stack import AT_ONCE, Stack
from tests.support.vectors import VECTORS
from tests.support.world import World, somebody
from tests.support.world import world as world_on

EVERY = 5
"""A run lives this many steps longer than the one before."""


async def vectors(world: World) -> dict[str, int]:
    found = await world.sql(f"SELECT model, count(*) FROM {VECTORS} GROUP BY model")
    return dict(found)


async def test_a_reembedding_killed_again_and_again_loses_nothing(stack: Stack) -> None:
    own = replace(stack, database=stack.services.database())
    given = {**own.world_arguments(), "operator_url": own.url("gieok_operator")}
    async with world_on(**own.world_arguments(), policy=AT_ONCE) as world:
        await assign(world, OLD)
        models = Models({"test": world.speaker}, {"test": world.embedder, "next": Hashes()})
        world.engine = replace(world.engine, models=models)
        world.worker = replace(world.worker, models=models)
        haru, users = await world.character(), []
        ended, fatal, seen = -signal.SIGKILL, EVERY, list[tuple[str, ...]]()
        while ended == -signal.SIGKILL:
            users.append(somebody())
            await world.talk_and_generate(users[-1], haru, "강아지 콩이를 입양했어")
            await world.sql("DELETE FROM memory.recent_postings")
            death = await run_killed("tests.faults.dying_reembed", fatal, given)
            ended = death.status
            for user in users:
                told = await world.say(user, haru, "강아지 콩이")
                assert (told.meta.recall, told.meta.memory_hit_count) == ("ok", 1), seen
            seen.append(tuple(sorted(await vectors(world))))
            fatal += EVERY
        assert ended == 0
        assert await vectors(world) == {"next-1": len(users)}
        assert ("next-1", "test-1") in seen, "it was killed when both were there"
