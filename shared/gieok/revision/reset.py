"""Begin a relationship anew: all that one character and the user had together goes."""

from uuid import UUID

from gieok.engine import Engine
from gieok.errors import NotFound
from gieok.store import revision, sessions
from gieok.types import Scope, UserId

BATCH = 1_000
"""Memories that go in one transaction: a fifth of a second, whatever the relationship holds."""


async def reset(engine: Engine, user_id: UserId, character_id: UUID) -> None:
    """Remove conversations, memories (pinned too), facts and relationship of one character.

    A memory shared with another character only loses its place in this relationship, and
    conversations with several characters stay. A turn that runs meanwhile is interrupted, an
    extraction superseded. The two begin anew at once; then the memories go, some at a time, and
    one that dies in between is simply repeated. Resetting again changes nothing. Raises `NotFound`.
    """
    known = sessions.read_characters((character_id,))
    begun = revision.reset_character(user_id, character_id)
    got = await engine.database.run(
        user_id,
        revision.raise_fences(Scope(user_id, (character_id,))),
        revision.drop_index(user_id, character_id),
        begun,
        revision.close_reset_turns(user_id, character_id),
        known,
    )
    if not got[known]:
        raise NotFound("character")
    last: int | None = 0
    while last is not None:
        some = revision.remove_memories(user_id, character_id, last, got[begun], BATCH)
        last = (await engine.database.run(user_id, some))[some]
