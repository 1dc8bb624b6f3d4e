"""The servers behind the functions, for tests. They start once; a fresh database is a copy."""

import asyncio
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg

from gieok.operations.migrate import migrate
from gieok.settings import Function
from infra.local.home import Home
from infra.local.processes.environment import Backing, environment_of
from infra.local.processes.family import Family
from infra.local.servers import http_server, postgres, sqs, valkey
from infra.local.servers.aws import VISIBILITY_S, Aws, Queue
from infra.local.servers.postgres import Postgres
from infra.local.servers.upstash import Faults, Upstash

TEMPLATE = "gieok_template"
OWNER = "gieok_owner"
"""Who owns the databases of tests, and migrates them."""


@dataclass(frozen=True, slots=True)
class Database:
    """A migrated database of one test."""

    name: str
    server: Postgres

    @property
    def superuser_url(self) -> str:
        """The URL of the superuser, who sees everything, past every row policy."""
        return self.server.url(database=self.name)

    def url(self, function: Function) -> str:
        """The URL of a function's own role."""
        return self.server.url(f"gieok_{function}", self.name)


@dataclass(frozen=True, slots=True)
class Services:
    """Running servers. `aws` serves SQS and KMS at `aws.endpoint`.

    `redis_faults` breaks Redis at will; `postgres` can be stopped and killed.
    """

    postgres: Postgres
    redis_url: str
    redis_token: str
    redis_faults: Faults
    aws: Aws
    kms_key_id: str
    _numbers: Iterator[int] = field(default_factory=count)

    def database(self) -> Database:
        """Make a new database, as the migrations leave it."""
        database = Database(f"test_{next(self._numbers)}", self.postgres)
        self.postgres.create_database(database.name, TEMPLATE)
        return database

    def queue(self, visibility_s: int = VISIBILITY_S) -> Queue:
        """Make a new queue with a dead-letter queue."""
        return self.aws.create_queue(f"test-{next(self._numbers)}", visibility_s)

    def environment(
        self, function: Function, database: Database, queue: Queue, base_url: str = ""
    ) -> dict[str, str]:
        """The variables of a function's own process: offline models, and keys wrapped by KMS."""
        backing = Backing(
            self.aws,
            queue.url,
            self.redis_url,
            self.redis_token,
            keys={"GIEOK_KMS_KEY_ID": self.kms_key_id},
            models={"GIEOK_OFFLINE_MODELS": "1"},
        )
        return environment_of(function, database.url(function), backing, base_url)


@contextmanager
def services(folder: Path, *, durable: bool = False, memory: str = "64MB") -> Iterator[Services]:
    """Start PostgreSQL, Valkey behind Upstash's protocol, SQS and KMS; stop them in the end.

    Data and logs go into `folder`. Unless `durable`, nothing waits for the disk. `memory` is the
    size of PostgreSQL's own cache.
    """
    home, token = Home.open(folder), secrets.token_urlsafe()
    with (
        home.locked(),
        home.sockets() as sockets,
        Family(home.children, home.logs) as family,
        sqs.serving(http_server.bind()) as aws,
    ):
        redis_port = http_server.bind()
        redis_url = http_server.url_of(redis_port)
        redis = Upstash(valkey.start(sockets, family), token)
        server = postgres.start(home.database, sockets, family, durable=durable, memory=memory)
        _make_template(server)
        with http_server.serving(redis, redis_port):
            yield Services(server, redis_url, token, redis.faults, aws, aws.create_key())


def _make_template(server: Postgres) -> None:
    """A migrated database whose owner is a plain role, as in a cloud.

    A superuser would pass every policy, and hide what a cascade or a trigger is not allowed to do.
    The migration runs in a thread of its own: whether the caller has a loop makes no difference.
    """
    server.create_database(TEMPLATE)
    with psycopg.connect(server.url(database=TEMPLATE), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {OWNER} LOGIN NOSUPERUSER NOBYPASSRLS CREATEROLE")
        connection.execute(f"ALTER DATABASE {TEMPLATE} OWNER TO {OWNER}")
        connection.execute("CREATE EXTENSION vector")
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(migrate(server.url(OWNER, TEMPLATE)))).result()
