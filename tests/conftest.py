"""Real services for every test that needs them: started once, each test makes its own users."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator

import httpx
import psycopg
import pytest
import pytest_asyncio
from hypothesis import settings as hypothesis_settings

from infra.local.stack import services
from tests.support.checkout import ROOT, free_port, python_environment
from tests.support.examples import DEFAULT_EXAMPLES
from tests.support.laptop import Api, LaptopRun
from tests.support.stack import Stack, make_world
from tests.support.world import World

hypothesis_settings.register_profile("default", deadline=None, max_examples=DEFAULT_EXAMPLES)
hypothesis_settings.register_profile("nightly", deadline=None, max_examples=1_000)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


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


@pytest_asyncio.fixture
async def api(laptop_run: LaptopRun) -> AsyncIterator[Api]:
    """A client of the laptop run."""
    async with httpx.AsyncClient(base_url=laptop_run.url, timeout=30) as client:
        issued = await client.post("/dev/token", json={"user": "somebody"})
        token = issued.json()["accessToken"]
        found = await client.get("/v1/characters", headers={"authorization": f"Bearer {token}"})
        yield Api(client, laptop_run, token, found.json()["characters"][0]["id"])
