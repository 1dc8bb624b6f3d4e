"""The characters of the service."""

from gieok.engine import Engine
from gieok.store.sessions import read_characters
from gieok.types import Character, UserId


async def list_characters(engine: Engine, user_id: UserId) -> list[Character]:
    """All characters, by name."""
    every = read_characters(None)
    return (await engine.database.run(user_id, every))[every]
