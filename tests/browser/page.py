"""The console as a user handles it: open, say, read, look at memories, delete."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.browser.chromium import resize

T = TypeVar("T")
WIDE = (1280, 800)
PATIENCE_S = 20


class ConsolePage:
    """One visit. Every `wait` fails the test after `PATIENCE_S`."""

    def __init__(self, driver: Chrome, url: str) -> None:
        self.driver = driver
        self.url = url.rstrip("/") + "/"
        self._scripts: list[str] = []
        self._expected: list[str] = []

    def visit(self, user: str) -> None:
        """Come as this user, with nothing kept from before."""
        self.driver.get(self.url)  # storage belongs to an origin: one must be there to clear it
        self.script(
            "localStorage.clear(); sessionStorage.clear();"
            "localStorage.setItem('gieok.user', arguments[0])",
            user,
        )
        self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        self.open()

    def open(self) -> None:
        """Load the page and wait until one can write."""
        self.driver.get(self.url)
        self.wait(lambda: self.one("#message").is_enabled())

    def before_load(self, script: str) -> None:
        """Run a script in every page before its own scripts, until the test ends."""
        command = "Page.addScriptToEvaluateOnNewDocument"
        added = self.driver.execute_cdp_cmd(command, {"source": script})
        self._scripts.append(added["identifier"])

    def restore(self) -> None:
        """Undo what the test set up in the browser."""
        for identifier in self._scripts:
            command = "Page.removeScriptToEvaluateOnNewDocument"
            self.driver.execute_cdp_cmd(command, {"identifier": identifier})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        resize(self.driver, *WIDE)

    def expect(self, complaint: str) -> None:
        """Some of the browser's complaints will hold this text, and that is part of the test."""
        self._expected.append(complaint)

    def complaints(self) -> list[str]:
        """What the browser logged (errors, refused by policy, failed requests) unexpectedly."""
        log: Sequence[dict[str, Any]] = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        messages = [str(entry["message"]) for entry in log]
        return [m for m in messages if not any(known in m for known in self._expected)]

    def one(self, selector: str) -> WebElement:
        """The first element for a CSS selector."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        """All elements for a CSS selector, in document order."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """The text of the first element, seen or not."""
        return str(self.script("return document.querySelector(arguments[0]).textContent", selector))

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements for a CSS selector, in one look."""
        script = "return [...document.querySelectorAll(arguments[0])].map((n) => n.textContent)"
        return list(self.script(script, selector))

    def script(self, script: str, *arguments: object) -> Any:
        """Run JavaScript in the page; its `return` value as JSON."""
        return self.driver.execute_script(script, *arguments)

    def focused(self) -> str:
        """The id of the element that has the focus."""
        return str(self.script("return document.activeElement.id"))

    def wait(self, condition: Callable[[], T]) -> T:
        """Wait until the condition holds; its value."""
        return WebDriverWait(self.driver, PATIENCE_S, 0.05).until(lambda _: condition())

    def write(self, text: str) -> None:
        """Type into the composer."""
        self.one("#message").send_keys(text)

    def press(self, key: str) -> None:
        """Press a key wherever the focus is."""
        self.driver.switch_to.active_element.send_keys(key)

    def press_enter(self) -> None:
        """Press Enter in the composer."""
        self.one("#message").send_keys(Keys.ENTER)

    def say(self, text: str) -> str:
        """Send a message; the whole reply."""
        before = len(self.all(".message.theirs"))
        self.write(text)
        self.press_enter()
        return self.reply(before)

    def reply(self, number: int) -> str:
        """The text of the character's message with this number (from 0) once it is complete."""
        self.wait(lambda: self.settled(number))
        return self.texts(".message.theirs .bubble")[number]

    def settled(self, number: int) -> bool:
        """Whether the character's message with this number is there and no longer grows."""
        script = (
            "const m = document.querySelectorAll('.message.theirs')[arguments[0]];"
            "return Boolean(m) && !m.hasAttribute('aria-busy')"
        )
        return bool(self.script(script, number))

    def choose(self, select: str, value: str) -> None:
        """Pick an option of a select by its value."""
        self.one(f"{select} option[value='{value}']").click()
