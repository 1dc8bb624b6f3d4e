"""Begin a relationship anew: all that one character and the user had together goes."""

from uuid import UUID

from gieok.engine import Engine
from gieok.errors import NotFound
from gieok.retention.removal import remove
from gieok.store import revision, sessions
from gieok.types import Scope, UserId


async def reset(engine: Engine, user_id: UserId, character_id: UUID) -> None:
    """Remove conversations, memories (pinned too), facts and relationship of one character.

    A memory shared with another character only loses its place in this relationship, and
    conversations with several characters stay. A turn that runs meanwhile is interrupted, an
    extraction superseded. All is out of reach at once; then the memories are removed, some at a
    time, and the sweep goes on where one died in between. Resetting again changes nothing. Raises
    `NotFound`.
    """
    known = sessions.read_characters((character_id,))
    begun = revision.reset_character(user_id, character_id)
    got = await engine.database.run(
        user_id,
        revision.raise_fences(Scope(user_id, (character_id,))),
        revision.drop_places(user_id, character_id),
        revision.drop_index(user_id, character_id),
        begun,
        revision.close_reset_turns(user_id, character_id),
        known,
    )
    if not got[known]:
        raise NotFound("character")
    await remove(engine.database, user_id, got[begun])
