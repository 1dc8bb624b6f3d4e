"""The services and databases that are measured on."""

import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gieok.calls import Embeddings, ModelChoice, Purpose, Usage, Vector
from gieok.engine import Engine
from gieok.privacy.cipher import NONCE_BYTES
from gieok.providers.router import Models
from gieok.types import UserId
from infra.local.stack import Database, Services, services
from tests.support.bulk import rows
from tests.support.speakers import Provider
from tests.support.stack import Stack, make_world
from tests.support.world import World

CACHE = "4GB"
"""PostgreSQL's own, as in a deployment whose working set fits in memory."""
WRAPPING_KEY = bytes(32)


@dataclass(slots=True)
class Given(Provider):
    """An embedder that answers at once with the vector it was given."""

    vector: Vector = ()
    calls: int = 0

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """See `ports.Embedder`."""
        self.calls += 1
        return Embeddings((self.vector,) * len(texts), Usage(), choice.model)


@dataclass(frozen=True, slots=True)
class House:
    """Running services, each group of figures in a database of its own."""

    services: Services
    folder: Path

    def stack(self) -> Stack:
        """A new database whose tasks are all served by the tests' speakers."""
        database = self.services.database()
        with connected(database) as connection:
            connection.execute(
                "UPDATE ops.llm_task_assignments SET provider = 'test', model = 'test-1',"
                " fallback_provider = NULL, fallback_model = NULL"
            )
        return Stack(self.services, database, self.folder, self.folder / "key")

    def drop(self, stack: Stack) -> None:
        """Give its disk back."""
        with psycopg.connect(self.services.postgres.url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {stack.database.name} WITH (FORCE)".encode())


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """Start everything; stop it in the end."""
    (folder / "key").write_text(WRAPPING_KEY.hex())
    with services(folder / "services", memory=CACHE) as running:
        with psycopg.connect(running.postgres.url(), autocommit=True) as connection:
            # Vacuum comes when the harness says so, checkpoints when they are due by size.
            for setting in ("autovacuum = off", "max_wal_size = '8GB'"):
                connection.execute(f"ALTER SYSTEM SET {setting}".encode())
            connection.execute("SELECT pg_reload_conf()")
        yield House(running, folder)


@contextmanager
def connected(database: Database) -> Iterator[psycopg.Connection]:
    """As superuser, past every policy, each statement a transaction."""
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        yield connection


def fill(database: Database, pairs: Sequence[rows.Pair]) -> None:
    """Write pairs with their characters and keys, vacuum and analyse."""
    with connected(database) as connection:
        connection.cursor().executemany(
            "INSERT INTO privacy.user_keys (user_id, wrapped) VALUES (%s, %s)",
            [(p.scope.user_id, _wrapped(p.scope.user_id)) for p in pairs],
        )
        connection.cursor().executemany(
            "INSERT INTO chat.characters (id, name, persona, fallback_line)"
            " VALUES (%s, '하루', '다정하다', '음…') ON CONFLICT DO NOTHING",
            [(p.scope.character_ids[0],) for p in pairs],
        )
        rows.write(connection, pairs)
        connection.execute("VACUUM ANALYZE")


def _wrapped(user: UserId) -> bytes:
    """The bulk data key as `FileKeyService` wraps it."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(WRAPPING_KEY).encrypt(nonce, rows.DATA_KEY, user.encode())


@asynccontextmanager
async def recalling(stack: Stack) -> AsyncIterator[tuple[Engine, Given]]:
    """An engine on a database, with the embedder that it asks."""
    given = Given()
    async with world_on(stack) as world:
        yield replace(world.engine, models=Models({}, {"test": given})), given


def world_on(stack: Stack, chat_port: int | None = None) -> AbstractAsyncContextManager[World]:
    """An engine with the tests' speakers; its database may be reached through a proxy."""
    return make_world(stack, chat_port=chat_port)
