"""Korean input: the Enter that ends a composition must not send."""

from tests.browser.page import ConsolePage

RECORD = """
window.keys = [];
document.addEventListener("keydown", (e) => window.keys.push([e.key, e.isComposing]), true);
"""
ENTER = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}


def compose(page: ConsolePage, text: str) -> None:
    """The state in the middle of typing a syllable: shown, underlined, not yet committed."""
    composition = {"text": text, "selectionStart": len(text), "selectionEnd": len(text)}
    page.driver.execute_cdp_cmd("Input.imeSetComposition", composition)


def press_enter(page: ConsolePage) -> None:
    """A real key through the browser's input pipeline; it does not end the composition first."""
    page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", **ENTER})
    page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", **ENTER})


def test_enter_while_composing_does_not_send(page: ConsolePage) -> None:
    page.script(RECORD)
    page.one("#message").click()
    compose(page, "안녀")
    press_enter(page)
    assert ["Enter", True] in page.script("return window.keys")
    assert page.all(".message.mine") == []
    assert "안녀" in str(page.one("#message").get_property("value"))


def test_enter_after_the_composition_sends_all_of_it(page: ConsolePage) -> None:
    page.one("#message").click()
    compose(page, "안녕")
    page.driver.execute_cdp_cmd("Input.insertText", {"text": "안녕"})
    press_enter(page)
    assert page.reply(1)
    assert page.texts(".message.mine .bubble") == ["안녕"]


def test_key_code_229_does_not_send_where_composing_is_not_told(page: ConsolePage) -> None:
    page.write("안녕")
    page.script(
        "const key = new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, cancelable: true});"
        "arguments[0].dispatchEvent(key)",
        page.one("#message"),
    )
    assert page.all(".message.mine") == []
