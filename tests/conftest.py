"""Real services for every test that needs them: started once, each test makes its own users."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import jwt
import psycopg
import pytest
import pytest_asyncio
from hypothesis import settings as hypothesis_settings

from gieok.policy import COMPANION
from infra.local.dev_tokens import read_key
from infra.local.stack import Database, Services, services
from tests.world import World, world

ROOT = Path(__file__).resolve().parents[1]

DEFAULT_EXAMPLES = 60
hypothesis_settings.register_profile("default", deadline=None, max_examples=DEFAULT_EXAMPLES)
hypothesis_settings.register_profile("nightly", deadline=None, max_examples=1_000)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

AT_ONCE = replace(
    COMPANION, generation=replace(COMPANION.generation, embedding_retries_s=(0.0, 0.0, 0.0))
)
"""The companion policy, not waiting between tries of an embedding."""


@dataclass(frozen=True, slots=True)
class Stack:
    """The running services with one migrated database for the engine's tests."""

    services: Services
    database: Database
    folder: Path
    key_file: Path

    @property
    def socket(self) -> Path:
        """PostgreSQL's socket."""
        return self.services.postgres.sockets / ".s.PGSQL.5432"

    def url(self, role: str) -> str:
        """The database as a role."""
        return self.services.postgres.url(role, self.database.name)

    def world_arguments(self) -> dict[str, Any]:
        """What `tests.world.world` takes."""
        return {
            "chat_url": self.url("gieok_chat"),
            "worker_url": self.url("gieok_worker"),
            "sweep_url": self.url("gieok_sweep"),
            "admin_url": self.database.superuser_url,
            "redis": (self.services.redis_url, self.services.redis_token),
            "key_file": self.key_file,
        }


def make_world(
    stack: Stack, *, chat_port: int | None = None, redis: tuple[str, str] | None = None
) -> AbstractAsyncContextManager[World]:
    """A world on the stack; its chat function may go through a proxy, or find no Redis."""
    arguments = stack.world_arguments()
    if chat_port:
        name = stack.database.name
        arguments["chat_url"] = f"postgresql://gieok_chat@127.0.0.1:{chat_port}/{name}"
    if redis:
        arguments["redis"] = redis
    return world(**arguments, policy=AT_ONCE)


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """PostgreSQL, Valkey behind Upstash's protocol, SQS and KMS."""
    folder = tmp_path_factory.mktemp("services")
    key_file = tmp_path_factory.mktemp("key") / "key"
    key_file.write_text(os.urandom(32).hex())
    with services(folder) as running:
        database = running.database()
        with psycopg.connect(database.superuser_url) as connection:
            connection.execute(
                "UPDATE ops.llm_task_assignments SET provider = 'test', model = 'test-1',"
                " fallback_provider = NULL, fallback_model = NULL"
            )
        yield Stack(running, database, folder, key_file)


@pytest_asyncio.fixture(name="world")
async def _world(stack: Stack) -> AsyncIterator[World]:
    """An engine on the stack, with speakers of its own."""
    async with make_world(stack) as made:
        yield made


@pytest_asyncio.fixture
async def world_without_redis(stack: Stack) -> AsyncIterator[World]:
    """The same, where nobody answers for Redis."""
    async with make_world(stack, redis=(f"http://127.0.0.1:{free_port()}", "none")) as made:
        yield made


@dataclass(frozen=True, slots=True)
class LaptopRun:
    """A whole `make run`: its URL and its data folder."""

    url: str
    home: Path


@pytest.fixture(scope="session")
def laptop_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LaptopRun]:
    """All services and functions as processes, with offline models."""
    home, port = tmp_path_factory.mktemp("laptop"), free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "infra.local"],
        env=python_environment(GIEOK_HOME=str(home), GIEOK_PORT=str(port)),
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout
    said = process.stdout.readline()
    assert "running at" in said, said
    yield LaptopRun(f"http://127.0.0.1:{port}", home)
    process.terminate()
    process.communicate(timeout=30)


@pytest.fixture(scope="session")
def console_url(laptop_run: LaptopRun) -> str:
    """Where the console is."""
    return laptop_run.url


@dataclass(frozen=True, slots=True)
class Api:
    """An HTTP client of a laptop run. `character` is one of its characters' ids."""

    client: httpx.AsyncClient
    run: LaptopRun
    issued: str
    character: str

    def headers(self, user: str) -> dict[str, str]:
        """A request's headers as a user."""
        return {"authorization": f"Bearer {self.token(user)}", "content-type": "application/json"}

    def token(self, user: str) -> str:
        """A genuine token."""
        return self.sign(sub=user)

    def sign(self, **changes: Any) -> str:
        """A token by the issuer's own key, with claims changed or (None) left out."""
        real = jwt.decode(self.issued, options={"verify_signature": False})
        claims = {**real, "exp": int(time.time()) + 600, **changes}
        return jwt.encode(
            {k: v for k, v in claims.items() if v is not None},
            read_key(self.run.home / "dev-key.pem"),
            "ES256",
            {"kid": jwt.get_unverified_header(self.issued)["kid"]},
        )

    async def get(self, path: str, user: str) -> httpx.Response:
        """GET as a user."""
        return await self.client.get(path, headers=self.headers(user))

    async def post(self, path: str, user: str, body: object) -> httpx.Response:
        """POST JSON as a user."""
        return await self.client.post(path, json=body, headers=self.headers(user))


@pytest_asyncio.fixture
async def api(laptop_run: LaptopRun) -> AsyncIterator[Api]:
    """A client of the laptop run."""
    async with httpx.AsyncClient(base_url=laptop_run.url, timeout=30) as client:
        issued = await client.post("/dev/token", json={"user": "somebody"})
        token = issued.json()["accessToken"]
        found = await client.get("/v1/characters", headers={"authorization": f"Bearer {token}"})
        yield Api(client, laptop_run, token, found.json()["characters"][0]["id"])


def python_environment(**more: str) -> dict[str, str]:
    """The environment of a Python process of this checkout."""
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'shared'}:{ROOT}", **more}


def free_port() -> int:
    """A loopback port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
