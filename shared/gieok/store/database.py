"""Connections to PostgreSQL, and batches of queries that cost one round trip.

A batch is one simple-protocol message: the scope is set, then its queries run, all in one implicit
transaction. That needs no prepared statements, no session state and no pipeline, so it works
through RDS Proxy without pinning a connection.
"""

import asyncio
import os
import socket
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Generic, LiteralString, TypeVar

import psycopg
from psycopg.rows import dict_row

from gieok.errors import DatabaseUnavailable
from gieok.store.kept import Kept, kept
from gieok.types import UserId

Row = dict[str, Any]
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

CONNECT_S = 20
"""Seconds to wait for a connection: an Aurora cluster at zero answers after about 15."""
STATEMENT_S = 5.0
"""Seconds that a statement may take. No query of ours takes as long; a connection that is silent
for longer is given up."""
STALE_S = 30.0
"""Seconds after which an idle connection is asked whether it still lives before it is used."""

_SET_SCOPE: LiteralString = "SELECT set_config('gieok.user_id', %(user_id)s, true);\n"


@dataclass(frozen=True, slots=True, eq=False)
class Query(Generic[T_co]):
    """One .sql file with its parameters, and how its rows are read.

    Must be safe to run twice with the same parameters: a lost connection leaves it unknown whether
    the first run was committed.
    """

    name: str
    params: Mapping[str, object]
    read: Callable[[list[Row]], T_co]


class Results:
    """What a batch returned: `results[query]` is that query's own result."""

    def __init__(self, queries: Sequence[Query[Any]], rows: Sequence[list[Row]]) -> None:
        self._rows = dict(zip(queries, rows, strict=True))

    def __getitem__(self, query: Query[T]) -> T:
        return query.read(self._rows[query])


@cache
def _sql_files() -> Mapping[str, Traversable]:
    """Every query's file by name; its folder is the store module that has its function."""
    folders = files("gieok.store").joinpath("sql").iterdir()
    return {f.name.removesuffix(".sql"): f for folder in folders for f in folder.iterdir()}


@cache
def text_of(name: str) -> LiteralString:
    """The SQL of a query, which is a file of ours that ships with the code."""
    return _sql_files()[name].read_text().strip().rstrip(";")


@cache
def statement_of(name: str) -> LiteralString:
    """What is sent for a query: its text, or the call of the function that keeps its plan."""
    function = kept(name, text_of(name))
    return function.call if function else text_of(name)


def kept_queries() -> list[Kept]:
    """All queries whose plan is kept; the database must have them before they are sent."""
    return [f for name in sorted(_sql_files()) if (f := kept(name, text_of(name)))]


class Database:
    """At most `limit` connections, opened when first needed and kept while they are healthy.

    One that is silent for `statement_s` seconds is given up.
    """

    def __init__(self, url: str, limit: int, statement_s: float = STATEMENT_S) -> None:
        self._url = url
        self._statement_s = statement_s
        self._slots = asyncio.Semaphore(limit)
        self._idle: list[tuple[psycopg.AsyncConnection[Row], float]] = []

    async def run(self, user_id: UserId | None, /, *queries: Query[Any]) -> "Results":
        """Run the queries in order, in one round trip and one transaction.

        They see and touch rows of `user_id` only; with None the role's own policies decide.
        A lost connection is replaced and the batch run again, once.
        Without a query nothing is asked. Raises `DatabaseUnavailable` when that fails too, or when
        the database refuses (read-only, out of space, a statement over its time).
        """
        if not queries:
            return Results((), [])
        async with self._slots:
            try:
                return await self._attempt(user_id, queries)
            except (psycopg.OperationalError, psycopg.InterfaceError):
                await self._drop_idle()
            except psycopg.Error as error:
                raise DatabaseUnavailable(_kind(error)) from error
            try:
                return await self._attempt(user_id, queries)
            except psycopg.Error as error:
                raise DatabaseUnavailable(_kind(error)) from error

    async def close(self) -> None:
        """Close the connections that nobody is using."""
        await self._drop_idle()

    async def _attempt(self, user_id: UserId | None, queries: Sequence[Query[Any]]) -> "Results":
        connection = await self._take()
        try:
            work = partial(_execute, connection, user_id, queries)
            results = await _bounded(connection, work, self._statement_s)
        except BaseException:
            await _discard(connection)
            raise
        self._idle.append((connection, time.monotonic()))
        return Results(queries, results)

    async def _take(self) -> psycopg.AsyncConnection[Row]:
        while self._idle:
            connection, since = self._idle.pop()
            if time.monotonic() - since < STALE_S or await _alive(connection):
                return connection
            await _discard(connection)
        return await psycopg.AsyncConnection.connect(
            self._url,
            autocommit=True,
            prepare_threshold=None,
            row_factory=dict_row,
            cursor_factory=psycopg.AsyncClientCursor,
            connect_timeout=CONNECT_S,
            tcp_user_timeout=int(self._statement_s * 1000),
        )

    async def _drop_idle(self) -> None:
        idle, self._idle = self._idle, []
        for connection, _ in idle:
            await connection.close()


async def _execute(
    connection: psycopg.AsyncConnection[Row],
    user_id: UserId | None,
    queries: Sequence[Query[Any]],
) -> list[list[Row]]:
    cursor = psycopg.AsyncClientCursor(connection)
    parts = [cursor.mogrify(statement_of(q.name), q.params) for q in queries]
    if user_id is not None:
        parts.insert(0, cursor.mogrify(_SET_SCOPE, {"user_id": user_id}))
    # Every part is one of our files with its values quoted by libpq.
    await cursor.execute(";\n".join(parts))
    results = []
    while True:
        columns = cursor.pgresult.nfields if cursor.pgresult else 0
        results.append(await cursor.fetchall() if columns else [])
        if not cursor.nextset():
            break
    return results[-len(queries) :]


async def _bounded(
    connection: psycopg.AsyncConnection[Row],
    work: Callable[[], Coroutine[Any, Any, T]],
    seconds: float = STATEMENT_S,
) -> T:
    """Do the work, but give up a peer that went silent: psycopg alone would wait for ever."""
    task = asyncio.create_task(work())
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        _cut(connection)
        await asyncio.wait({task})
        raise
    if not done:
        _cut(connection)
    return await task


async def _alive(connection: psycopg.AsyncConnection[Row]) -> bool:
    try:
        await _bounded(connection, partial(connection.execute, "SELECT 1"))
    except psycopg.Error:
        return False
    return True


async def _discard(connection: psycopg.AsyncConnection[Row]) -> None:
    """Close without asking the server: it may be the one that does not answer."""
    _cut(connection)
    await connection.close()


def _cut(connection: psycopg.AsyncConnection[Row]) -> None:
    """End the connection's socket at once, so that whoever waits on it wakes with an error."""
    if connection.closed:
        return
    with suppress(OSError), socket.socket(fileno=os.dup(connection.pgconn.socket)) as peer:
        peer.shutdown(socket.SHUT_RDWR)


def _kind(error: psycopg.Error) -> str:
    """The error's SQLSTATE or class, and not its text, which may hold parts of a statement."""
    return error.sqlstate or type(error).__name__
