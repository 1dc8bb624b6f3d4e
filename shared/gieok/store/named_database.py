"""A database whose failures say which one it is, for commands that are given two."""

import re
from typing import Any

from gieok.errors import DatabaseUnavailable
from gieok.store.database import STATEMENT_S, Database, Query, Results
from gieok.types import UserId

OWNERS = "the owner's database"
OPERATORS = "the operator's database"
WORKERS = "the worker's database"

_SQLSTATE = re.compile(r"[0-9A-Z]{5}")


def describe(name: str, kind: str) -> str:
    """What a database did, for people. `kind` is its SQLSTATE, which only one that answers has, or
    the name of an error's class."""
    says = "refused" if _SQLSTATE.fullmatch(kind) else "does not answer"
    return f"{name} {says} ({kind})"


class NamedDatabase(Database):
    """A `Database` with a name for people, such as "the operator's database"."""

    def __init__(self, name: str, url: str, limit: int, statement_s: float = STATEMENT_S) -> None:
        super().__init__(url, limit, statement_s)
        self._name = name

    async def run(self, user_id: UserId | None, /, *queries: Query[Any]) -> Results:
        """See `Database.run`. What it raises names the database, and nothing of its URL."""
        try:
            return await super().run(user_id, *queries)
        except DatabaseUnavailable as error:
            raise DatabaseUnavailable(describe(self._name, str(error))) from error
