"""What the character remembers: made, recalled in a new chat, shown, deleted."""

from selenium.webdriver.common.by import By

from tests.browser.page import ConsolePage

DAY = (
    "나 오늘 회사에서 발표하고 왔는데 너무 힘들었어",
    "팀장 민수 씨가 발표를 칭찬해 줬어",
    "우리 고양이 보리는 다음 주 화요일에 예방접종을 해",
    "12월 20일에 부산으로 여행을 가기로 했어",
    "나는 회를 못 먹어서 돼지국밥을 먹을 거야",
    "기차표는 내일 예매할게",
)


def test_memories_are_made_recalled_shown_and_deleted(page: ConsolePage) -> None:
    assert page.all("#timeline .empty")
    for message in DAY[:5]:
        page.say(message)
    assert page.one("#making").is_displayed()
    page.say(DAY[5])
    page.wait(lambda: page.text("#memory-count") == "1")
    assert not page.one("#making").is_displayed()

    page.one("#new-session").click()  # what the first window left becomes a memory now
    page.wait(lambda: page.text("#memory-count") == "2")
    page.say("내 고양이 예방접종이 언제인지 기억해?")
    note = page.one(".message.theirs:last-child details.recall")
    note.find_element(By.TAG_NAME, "summary").click()
    page.wait(lambda: page.all(".recalled .memory"))
    recalled = page.texts(".recalled .memory-summary")
    assert f"기억 {len(recalled)}개" in note.text
    assert any("예방접종" in summary for summary in recalled)
    assert sorted(recalled) == sorted(page.texts(".recalled-now .memory-summary"))

    kept, deleted = page.texts("#timeline .memory-summary")[::-1]
    page.one("#timeline .remove").click()
    assert page.text("#confirm-text") == deleted
    page.one("#confirm-no").click()
    assert page.texts("#timeline .memory-summary") == [deleted, kept]
    page.one("#timeline .remove").click()
    page.one("#confirm-yes").click()
    page.wait(lambda: page.texts("#timeline .memory-summary") == [kept])
    assert page.focused() == "memories-title"
    page.open()
    page.wait(lambda: page.texts("#timeline .memory-summary") == [kept])


def test_another_user_name_has_no_memories_and_no_conversation_of_ours(page: ConsolePage) -> None:
    page.say("이건 비밀이야")
    field = page.one("#user")
    field.clear()
    field.send_keys("browser-somebody-else\n")
    page.wait(lambda: not page.all(".message.mine") and page.one("#message").is_enabled())
    assert page.all("#timeline .empty")
