"""Users whose conversations grew old, and what a sweep did about them."""

from gieok.types import Scope, UserId
from tests.support.world import World


async def aged(world: World, user: UserId, hours: float) -> None:
    """Make all that a user did that much older."""
    await world.sql(
        "UPDATE chat.turns SET created_at = created_at - make_interval(secs => %s)"
        " WHERE user_id = %s",
        hours * 3600,
        user,
    )
    await world.sql(
        "UPDATE chat.sessions SET last_active_at = last_active_at - make_interval(secs => %s),"
        " expires_at = expires_at - make_interval(secs => %s) WHERE user_id = %s",
        hours * 3600,
        hours * 3600,
        user,
    )


def hinted(world: World, user: UserId) -> list[Scope]:
    return [scope for scope, _ in world.hints.sent if scope.user_id == user]


async def left(world: World, user: UserId) -> tuple[int, int]:
    """A user's turns and messages."""
    (row,) = await world.sql(
        "SELECT (SELECT count(*) FROM chat.turns WHERE user_id = %s),"
        " (SELECT count(*) FROM chat.messages WHERE user_id = %s)",
        user,
        user,
    )
    return int(row[0]), int(row[1])
