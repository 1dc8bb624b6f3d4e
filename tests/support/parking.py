"""Windows that fail, again and again."""

from datetime import timedelta
from uuid import UUID

from gieok.types import UserId
from tests.support.world import World, somebody

WAITS = [timedelta(minutes=m) for m in (2, 10, 50, 250)]


async def one_message(world: World, message: str = "할 말이 있어") -> tuple[UserId, UUID]:
    """A user with a window that is due, by the worker's clock."""
    haru, user = await world.character(), somebody()
    await world.say(user, haru, message)
    world.clock.ahead = timedelta(hours=3)
    return user, haru


async def fail(world: World, user: UserId, haru: UUID, times: int) -> None:
    """Fail a window, each time when it may be tried again."""
    world.speaker.extract = lambda p: "[]"
    for wait in WAITS[:times]:
        assert await world.generate(user, haru) == ["failed"]
        world.clock.ahead += wait
