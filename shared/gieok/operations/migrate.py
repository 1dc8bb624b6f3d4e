"""Bring a database to the newest schema: `python -m gieok.operations.migrate`.

It reads GIEOK_DATABASE_URL. Numbered SQL files run once each, in order, every one in a transaction
of its own, under one advisory lock. An applied file that has changed since is refused. Then the
queries whose plans are kept become functions (`gieok.store.kept`); those of earlier releases stay
for whoever still runs.
"""

import asyncio
import hashlib
import sys
from dataclasses import dataclass
from importlib.resources import files
from typing import LiteralString

import psycopg

from gieok import settings
from gieok.errors import MadeByPreRelease, Misconfigured
from gieok.store.database import CONNECT_S, kept_queries
from gieok.store.named_database import OWNERS, describe

LOCK_KEY = 0x6769656F6B  # "gieok"

WIDEST = 3_072
"""Dimensions: a vector lies in its row, beside its user's id (255 bytes at most) and its model's
name, and a row of PostgreSQL's lies in a page of 8 KB (docs/decisions/10)."""

_BOOKKEEPING: LiteralString = """
CREATE SCHEMA IF NOT EXISTS ops;
CREATE TABLE IF NOT EXISTS ops.migrations (
    version integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    vector_width integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file `NNNN_verb_object.sql`."""

    version: int
    name: str
    sql: LiteralString

    @property
    def checksum(self) -> str:
        """SHA-256 of the file's text, in hex."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def known() -> list[Migration]:
    """All migrations this version of the code ships, in order."""
    folder = files("gieok.store").joinpath("migrations")
    found = sorted((f.name, f.read_text()) for f in folder.iterdir() if f.name.endswith(".sql"))
    return [Migration(int(name[:4]), name.removesuffix(".sql"), sql) for name, sql in found]


async def migrate(database_url: str, vector_width: int = 768) -> list[str]:
    """Apply what is missing; returns the names applied, oldest first.

    Raises `Misconfigured` when an applied file was changed or is unknown here, when the database's
    vectors have another width than `vector_width`, or when no page could hold that width; and
    `MadeByPreRelease`.
    """
    if not 1 <= vector_width <= WIDEST:
        raise Misconfigured(
            f"GIEOK_VECTOR_WIDTH is {vector_width}: a page holds vectors of 1 to {WIDEST}"
            " dimensions; ask the model for shorter ones, or store a projection of them"
        )
    connection = await psycopg.AsyncConnection.connect(
        database_url, autocommit=True, connect_timeout=CONNECT_S
    )
    async with connection:
        await connection.execute("SELECT pg_advisory_lock(%s)", (LOCK_KEY,))
        await connection.execute(_BOOKKEEPING)
        done = await _applied(connection, vector_width)
        pending = [m for m in known() if m.version not in done]
        for migration in pending:
            await _apply(connection, migration, vector_width)
        for function in kept_queries():
            await connection.execute(function.definition)
        return [m.name for m in pending]


async def _applied(connection: psycopg.AsyncConnection, vector_width: int) -> set[int]:
    ours = {m.version: m for m in known()}
    rows = await connection.execute(
        "SELECT version, name, checksum, vector_width FROM ops.migrations"
    )
    versions, found = set(), sorted(await rows.fetchall())
    if found and found[0][1] != known()[0].name:
        raise MadeByPreRelease(
            "the database was made by a pre-release of Gieok, which no migration brings up to date:"
            " start with an empty database"
        )
    for version, name, checksum, width in found:
        if version not in ours:
            raise Misconfigured(f"the database has migration {name}, which this version lacks")
        if ours[version].checksum != checksum:
            raise Misconfigured(f"migration {name} was changed after it was applied")
        if width != vector_width:
            raise Misconfigured(
                f"the database holds vectors of {width} dimensions, GIEOK_VECTOR_WIDTH is"
                f" {vector_width}: set it to {width}, or write a migration that rebuilds"
                " memory.vector_blocks.embeddings and re-embeds"
            )
        versions.add(version)
    return versions


async def _apply(
    connection: psycopg.AsyncConnection, migration: Migration, vector_width: int
) -> None:
    async with connection.transaction():
        await connection.execute(
            "SELECT set_config('gieok.vector_width', %s, true)", (str(vector_width),)
        )
        # Our own files, shipped with the code: the one place where text becomes SQL.
        await connection.execute(migration.sql)
        await connection.execute(
            "INSERT INTO ops.migrations (version, name, checksum, vector_width)"
            " VALUES (%s, %s, %s, %s)",
            (migration.version, migration.name, migration.checksum, vector_width),
        )


def main() -> int:
    """Migrate the database of the environment and print what was applied."""
    try:
        applied = asyncio.run(migrate(*settings.read_migration()))
    except (Misconfigured, psycopg.Error) as error:
        print(f"migrate: {_why(error)}", file=sys.stderr)
        return 1
    print("\n".join(f"applied {name}" for name in applied) or "nothing to apply")
    return 0


def _why(error: Misconfigured | psycopg.Error) -> str:
    """One line. What a database says of our own SQL is told, what is said of its URL is not."""
    if isinstance(error, Misconfigured):
        return str(error)
    said = describe(OWNERS, error.sqlstate or type(error).__name__)
    return f"{said}: {error.diag.message_primary}" if error.sqlstate else said


if __name__ == "__main__":
    sys.exit(main())
