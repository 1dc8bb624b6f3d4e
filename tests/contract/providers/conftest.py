"""One server of each kind for all tests here; each test starts with an empty script."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from gieok.providers.gemini import Gemini
from gieok.providers.openai_compatible import OpenAICompatible
from infra.local.servers import gemini_server, openai_server
from infra.local.servers.http_server import bind, serving, url_of
from infra.local.servers.model_script import Script

OPENAI_WIDTH = 1024


@pytest.fixture(scope="session")
def _script() -> Script:
    return Script()


@pytest.fixture
def script(_script: Script) -> Script:
    """What both servers answer."""
    _script.forget()
    _script.delay_s = 60
    return _script


@pytest.fixture(scope="session")
def gemini_url(_script: Script) -> Iterator[str]:
    with bind() as bound, serving(gemini_server.app(_script), bound):
        yield url_of(bound)


@pytest.fixture(scope="session")
def openai_url(_script: Script) -> Iterator[str]:
    with bind() as bound, serving(openai_server.app(_script, OPENAI_WIDTH), bound):
        yield f"{url_of(bound)}/v1"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def gemini(gemini_url: str) -> AsyncIterator[Gemini]:
    provider = Gemini("test-key", gemini_url)
    yield provider
    await provider.aclose()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def openai(openai_url: str) -> AsyncIterator[OpenAICompatible]:
    provider = OpenAICompatible(
        openai_url, "test-key", query_prefix="query: ", document_prefix="passage: "
    )
    yield provider
    await provider.aclose()
