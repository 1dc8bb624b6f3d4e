"""Turns whose process was killed."""

from gieok.types import UserId
from tests.support.world import World


async def die(world: World, user: UserId, client_message_id: str, *, told: bool = True) -> None:
    """What is left of a turn whose process was killed; its lease has ended."""
    turn = "(SELECT id FROM chat.turns WHERE user_id = %s AND client_message_id = %s)"
    roles = "('assistant')" if told else "('user', 'assistant')"
    await world.sql(
        f"DELETE FROM chat.messages WHERE turn_id = {turn} AND role IN {roles}",
        user,
        client_message_id,
    )
    await world.sql(
        "UPDATE chat.sessions s SET message_count = (SELECT count(*) FROM chat.messages m"
        " JOIN chat.turns t ON t.id = m.turn_id WHERE t.session_id = s.id) WHERE s.user_id = %s",
        user,
    )
    await world.sql(
        f"UPDATE chat.turns SET state = 'running', outcome = NULL,"
        f" lease_until = now() - interval '1 s' WHERE id = {turn}",
        user,
        client_message_id,
    )
