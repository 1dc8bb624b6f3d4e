"""Remove the memories that a reset took every place from."""

from uuid import UUID

from gieok.store import retention
from gieok.store.database import Database
from gieok.store.retention import Removal
from gieok.types import UserId

BATCH = 1_000
"""Memories that go in one transaction: a fifth of a second, whatever the relationship holds."""
_FIRST = UUID(int=0)


async def remove(database: Database, acting: UserId | None, removal: Removal) -> None:
    """Remove all of them, some at a time, as the user or (None) as the database's role for all.

    Of two that share a memory the last one to be reset removes it. Raises `DatabaseUnavailable`;
    then the sweep goes on with what is left.
    """
    last: UUID | None = _FIRST
    while last is not None:
        some = retention.remove_memories(removal, last, BATCH)
        last = (await database.run(acting, some))[some]
    await database.run(acting, retention.end_removal(removal))
