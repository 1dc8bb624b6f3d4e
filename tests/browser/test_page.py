"""The page itself: language, light and dark, narrow screens, names for screen readers, tokens."""

import json
import urllib.request

import pytest

from tests.browser.chromium import resize
from tests.browser.page import ConsolePage

NARROW = (360, 740)
NO_ISSUER = """
const real = window.fetch;
window.fetch = (url, ...rest) => real(url === "dev/token" ? "dev/token-of-nobody" : url, ...rest);
"""
NAMED_ROLES = {"button", "textbox", "combobox", "navigation", "complementary", "log"}


def speak(page: ConsolePage, languages: str) -> None:
    """What the browser says its user reads."""
    agent = page.script("return navigator.userAgent")
    command = "Emulation.setUserAgentOverride"
    page.driver.execute_cdp_cmd(command, {"userAgent": agent, "acceptLanguage": languages})


@pytest.mark.parametrize(
    ("languages", "language"), [("fr,en-GB,ko", "en"), ("ja,ko-KR,en", "ko"), ("de", "en")]
)
def test_follows_the_first_language_of_the_browser_that_it_knows(
    page: ConsolePage, languages: str, language: str
) -> None:
    speak(page, languages)
    page.open()
    assert page.one("html").get_attribute("lang") == language
    speak(page, "ko")


def test_switching_the_language_changes_everything_and_is_kept(page: ConsolePage) -> None:
    page.say("안녕")
    page.choose("#language", "en")
    assert page.one("html").get_attribute("lang") == "en"
    assert page.one("#memories-title").text == "Memories"
    assert page.one("#send").get_attribute("aria-label") == "Send"
    assert page.one("#message").get_attribute("placeholder") == "What’s on your mind?"
    assert "Answered without any memory" in page.text(".message.theirs:last-child .message-foot")
    page.open()
    assert page.one("#new-session").text == "New chat"


@pytest.mark.parametrize("language", ["ko", "en"])
def test_everything_one_can_use_has_a_name(page: ConsolePage, language: str) -> None:
    page.say("안녕")
    page.choose("#language", language)
    nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    used = [n for n in nodes if not n["ignored"] and n["role"]["value"] in NAMED_ROLES]
    assert {n["role"]["value"] for n in used} >= {"button", "textbox", "log"}
    assert [n["role"]["value"] for n in used if not n["name"]["value"].strip()] == []


def test_dark_and_light_follow_the_system_until_one_is_chosen(page: ConsolePage) -> None:
    def background() -> str:
        return str(page.script("return getComputedStyle(document.body).backgroundColor"))

    light = background()
    dark_system = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark_system)
    dark = background()
    assert dark != light
    page.choose("#theme", "light")
    assert background() == light
    page.open()
    assert background() == light


def test_on_a_narrow_screen_nothing_is_wider_than_it(page: ConsolePage) -> None:
    resize(page.driver, *NARROW)
    page.say("가" * 300)
    assert page.script("return document.documentElement.scrollWidth") <= NARROW[0]
    assert page.script("return document.getElementById('log').scrollWidth") <= NARROW[0]


@pytest.mark.parametrize("panel", ["rail", "memories"])
def test_on_a_narrow_screen_panels_take_and_give_back_the_focus(
    page: ConsolePage, panel: str
) -> None:
    resize(page.driver, *NARROW)
    opener = page.one(f"#open-{panel}")
    opener.click()
    assert opener.get_attribute("aria-expanded") == "true"
    assert page.script(
        f"return document.querySelector('#{panel}').contains(document.activeElement)"
    )
    assert page.script("return document.querySelector('main').inert")
    page.script(
        "document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))"
    )
    assert page.focused() == f"open-{panel}"
    assert not page.script("return document.querySelector('main').inert")


def test_asks_for_a_token_where_none_is_issued(page: ConsolePage) -> None:
    token = issued(page.url, "browser-with-a-token")
    page.expect("dev/token")
    page.before_load(NO_ISSUER)
    page.driver.get(page.url)
    page.wait(lambda: page.all(".message.failed"))
    assert "접근 토큰" in page.text(".message.failed")
    assert page.focused() == "token"
    assert not page.one("#message").is_enabled()
    page.one("#token").send_keys(token + "\n")
    page.wait(lambda: page.one("#message").is_enabled())
    assert page.all(".message.failed") == []
    assert token not in str(page.script("return JSON.stringify(localStorage)"))


def issued(url: str, user: str) -> str:
    """A token as a sign-in service would give it."""
    body = json.dumps({"user": user}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url + "dev/token", body, headers)
    with urllib.request.urlopen(request) as response:
        return str(json.load(response)["accessToken"])
