"""Take the console's picture: `python -m tests.browser.picture URL OUT`, against a running server.

A new user talks to the first character until there is a memory, then asks about it in a new chat.
"""

import sys
import tempfile
import uuid
from pathlib import Path

from tests.browser.chromium import chromium
from tests.browser.page import ConsolePage

DAY = (
    "나 오늘 회사에서 발표하고 왔는데 너무 힘들었어",
    "팀장 민수 씨가 발표를 칭찬해 줬어",
    "우리 고양이 보리는 다음 주 화요일에 예방접종을 해",
    "12월 20일에 부산으로 여행을 가기로 했어",
    "나는 회를 못 먹어서 돼지국밥을 먹을 거야",
    "기차표는 내일 예매할게",
)
QUESTION = "아까 힘들었다고 한 거 기억해?"


def take(url: str, out: Path) -> None:
    """Replay the conversation and write a PNG of 1280 × 800."""
    with tempfile.TemporaryDirectory() as profile:
        driver = chromium(Path(profile), size=(1280, 800))
        try:
            page = ConsolePage(driver, url)
            page.visit(f"demo-{uuid.uuid4().hex[:4]}")
            _talk(page)
            out.write_bytes(driver.get_screenshot_as_png())
        finally:
            driver.quit()


def _talk(page: ConsolePage) -> None:
    for message in DAY:
        page.say(message)
    page.wait(lambda: page.text("#memory-count") == "1")
    page.one("#new-session").click()  # what the first window left becomes a memory now
    page.wait(lambda: page.text("#memory-count") == "2")
    page.say(QUESTION)
    page.one("details.recall > summary").click()
    page.wait(lambda: page.all(".recalled .memory"))
    page.wait(lambda: not page.script("return document.getAnimations().length"))


if __name__ == "__main__":
    take(sys.argv[1], Path(sys.argv[2]))
