"""Starting a headless Chromium that talks to nobody but the page's own server."""

import shutil
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
DRIVER_NAME = "chromedriver"
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def installed() -> bool:
    """Whether there is a browser and its driver."""
    return bool(_browser() and shutil.which(DRIVER_NAME))


def chromium(profile: Path, language: str = "ko", size: tuple[int, int] = (1280, 800)) -> Chrome:
    """A browser with an empty profile, a language, and a viewport of this many CSS pixels."""
    options = ChromeOptions()
    options.binary_location = _browser() or ""
    for flag in (*_FLAGS, f"--user-data-dir={profile}", f"--lang={language}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(shutil.which(DRIVER_NAME)))
    resize(driver, *size)
    return driver


def resize(driver: Chrome, width: int, height: int) -> None:
    """Give the page a viewport of this many CSS pixels, without the browser's own frame."""
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


def _browser() -> str | None:
    found = (shutil.which(name) for name in CHROMIUM_NAMES)
    return next((path for path in found if path), None)
