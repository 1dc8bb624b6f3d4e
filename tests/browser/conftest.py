"""The browser that the console is driven in; without one, its tests are left out in one line."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.browser.chromium import CHROMIUM_NAMES, DRIVER_NAME, chromium, installed
from tests.browser.page import ConsolePage


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Collect nothing here when there is no browser to drive."""
    return None if installed() else True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once that the browser tests did not run, and what they need."""
    if not installed():
        needed = f"{' or '.join(CHROMIUM_NAMES)}, and {DRIVER_NAME}"
        terminalreporter.write_line(f"tests/browser left out: needs {needed} on the PATH")


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One browser for the session, Korean, 1280 × 800."""
    browser = chromium(tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.quit()


@pytest.fixture
def page(driver: Chrome, console_url: str) -> Iterator[ConsolePage]:
    """The console, open for a user who has never been there.

    The test fails when the browser had anything to complain about that it did not expect.
    """
    opened = ConsolePage(driver, console_url)
    opened.visit(f"browser-{uuid.uuid4().hex}")
    yield opened
    opened.restore()
    assert opened.complaints() == []
