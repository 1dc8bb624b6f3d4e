"""A database whose failures say which one it is, for commands that are given two."""

from typing import Any

from gieok.errors import DatabaseUnavailable
from gieok.store.database import Database, Query, Results
from gieok.types import UserId

OPERATORS = "the operator's database"


class NamedDatabase(Database):
    """A `Database` with a name for people, such as "the operator's database"."""

    def __init__(self, name: str, url: str, limit: int) -> None:
        super().__init__(url, limit)
        self._name = name

    async def run(self, user_id: UserId | None, /, *queries: Query[Any]) -> Results:
        """See `Database.run`. What it raises names the database, and nothing of its URL."""
        try:
            return await super().run(user_id, *queries)
        except DatabaseUnavailable as error:
            # A SQLSTATE is the server's own word; the name of a class is all there is without one.
            says = "does not answer" if str(error).endswith("Error") else "refused"
            raise DatabaseUnavailable(f"{self._name} {says} ({error})") from error
