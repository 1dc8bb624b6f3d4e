"""What the character remembers: made, recalled in a new chat, shown, deleted."""

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser.page import ConsolePage

DAY = (
    "나 오늘 회사에서 발표하고 왔는데 너무 힘들었어",
    "팀장 민수 씨가 발표를 칭찬해 줬어",
    "우리 고양이 보리는 다음 주 화요일에 예방접종을 해",
    "12월 20일에 부산으로 여행을 가기로 했어",
    "나는 회를 못 먹어서 돼지국밥을 먹을 거야",
    "기차표는 내일 예매할게",
)

NO_ROOM = r"""
const real = window.fetch;
window.fetch = async (url, options) => {
  if (url !== "v1/chat") return real(url, options);
  window.fetch = real;
  const told = await (await real(url, options)).text();
  return new Response(told.replace(/(event: meta\ndata: )(.*)/, (_, start, data) => {
    const meta = JSON.parse(data);
    meta.memoryCuts = [{ id: meta.memories[0], summary: "shortened", detailsCut: 2 }];
    meta.slots = [{ name: "turns", tokens: 4000, kept: 4, cut: 3 }];
    return start + JSON.stringify(meta);
  }));
};
"""
"""The next turn has a shortened memory, and a conversation that began too long ago."""


def test_memories_are_made_recalled_shown_and_deleted(page: ConsolePage) -> None:
    page.wait(lambda: page.all("#timeline .empty"))
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
    page.wait(lambda: len(page.all(".recalled .memory-why")) == len(recalled))
    assert "뜻 1위" in "".join(page.texts(".recalled .memory-why"))

    kept, deleted = page.texts("#timeline .memory-summary")[::-1]
    page.one("#timeline [data-tool='trash']").click()
    assert page.text("#confirm-text") == deleted
    page.one("#confirm-no").click()
    assert page.texts("#timeline .memory-summary") == [deleted, kept]
    page.one("#timeline [data-tool='trash']").click()
    page.one("#confirm-yes").click()
    page.wait(lambda: page.texts("#timeline .memory-summary") == [kept])
    assert page.focused() == "memories-title"
    page.open()
    page.wait(lambda: page.texts("#timeline .memory-summary") == [kept])


def test_what_had_no_room_in_the_prompt_is_said_at_the_memory_and_below_the_reply(
    page: ConsolePage,
) -> None:
    page.say(DAY[3])
    page.one("#new-session").click()
    page.wait(lambda: page.text("#memory-count") == "1")
    page.script(NO_ROOM)
    page.say("부산 여행은 언제 가기로 했지?")
    page.one(".message.theirs:last-child .recall summary").click()
    page.wait(lambda: page.all(".recalled .memory-cut"))
    told = page.text(".recalled .memory-cut")
    assert "앞부분만 떠올렸어요" in told
    assert "말과 행동 2가지는 뺐어요" in told
    assert "앞부분 3번은 길어서" in page.text(".message.theirs:last-child .message-foot > .note")
    page.choose("#language", "en")
    assert "only its beginning had room" in page.text(".recalled .memory-cut")


def test_a_memory_is_pinned_muted_and_corrected_by_keyboard(page: ConsolePage) -> None:
    page.say(DAY[3])
    page.one("#new-session").click()
    page.wait(lambda: page.text("#memory-count") == "1")
    for tool, tag in (("pin", "고정됨"), ("mute", "떠올리지 않음")):
        for pressed in ("true", "false", "true"):
            page.script(f"document.querySelector(`[data-tool='{tool}']`).focus()")
            page.press(Keys.ENTER)
            page.wait(lambda: in_focus(page, "aria-pressed") == pressed)  # noqa: B023
        assert tag in page.texts("#timeline .tag")
    edit(page, "12월 20일에 강릉으로 여행을 가기로 했어", Keys.ESCAPE)
    assert DAY[3] in page.text("#timeline .memory-summary")
    assert in_focus(page, "data-tool") == "edit"
    edit(page, "12월 20일에 강릉으로 여행을 가기로 했어", Keys.CONTROL + Keys.ENTER)
    page.wait(lambda: "강릉" in "".join(page.texts("#timeline .memory-summary")))
    assert in_focus(page, "data-tool") == "edit"
    assert page.all("#timeline .memory-details") == [], "the old words are gone"
    page.open()
    page.wait(lambda: "강릉" in "".join(page.texts("#timeline .memory-summary")))
    assert page.texts("#timeline .tag") == ["고정됨", "떠올리지 않음"]


def test_with_another_text_only_the_chosen_words_stay(page: ConsolePage) -> None:
    page.say(DAY[3])
    page.one("#new-session").click()
    page.wait(lambda: page.text("#memory-count") == "1")
    said = len(page.all("#timeline .memory-details li"))
    assert said
    edit(page, page.text("#timeline .memory-summary"), "")
    assert not page.one(".memory-keep").is_displayed(), "the text is the same so far"
    page.press(" 꼭")
    assert page.one(".memory-keep").is_displayed()
    page.one(".memory-keep input").click()
    page.one(".memory-editor-buttons .button:not(.quiet)").click()
    page.wait(lambda: "꼭" in "".join(page.texts("#timeline .memory-summary")))
    assert len(page.all("#timeline .memory-details li")) == 1


def test_a_text_that_cannot_be_kept_is_explained_where_it_was_written(page: ConsolePage) -> None:
    page.expect("422")
    page.say(DAY[3])
    page.one("#new-session").click()
    page.wait(lambda: page.text("#memory-count") == "1")
    edit(page, "\u3164", Keys.CONTROL + Keys.ENTER)
    page.wait(lambda: page.one(".memory-editor [role='alert']").is_displayed())
    page.press(Keys.ESCAPE)
    assert DAY[3] in page.text("#timeline .memory-summary")


def test_memories_are_searched_and_shown_again(page: ConsolePage) -> None:
    for message in (DAY[2], DAY[3]):
        before = page.text("#memory-count")
        page.say(message)
        page.one("#new-session").click()
        page.wait(lambda: page.text("#memory-count") != before)  # noqa: B023
    days = page.texts("#timeline .day-title")
    assert days
    page.one("#search-words").send_keys("고양이 예방접종" + Keys.ENTER)
    page.wait(lambda: page.one("#search-status").is_displayed())
    assert "고양이" in page.texts("#timeline .memory-summary")[0]
    assert page.texts("#timeline .day-title") == []
    page.one("#search-words").send_keys(Keys.CONTROL + "a", Keys.BACKSPACE)
    page.wait(lambda: page.texts("#timeline .day-title") == days)
    assert not page.one("#search-status").is_displayed()


def edit(page: ConsolePage, text: str, end: str) -> None:
    """Open the first memory's editor, write, and end with a key."""
    page.script("document.querySelector(`#timeline [data-tool='edit']`).focus()")
    page.press(Keys.ENTER)
    field = page.one(".memory-editor textarea")
    assert page.focused() == field.get_attribute("id")
    field.clear()
    field.send_keys(text + end)


def in_focus(page: ConsolePage, attribute: str) -> str:
    """An attribute of the element that has the focus."""
    return str(page.script(f"return document.activeElement.getAttribute('{attribute}')"))


def test_another_user_name_has_no_memories_and_no_conversation_of_ours(page: ConsolePage) -> None:
    page.say("이건 비밀이야")
    field = page.one("#user")
    field.clear()
    field.send_keys("browser-somebody-else\n")
    page.wait(lambda: not page.all(".message.mine") and page.one("#message").is_enabled())
    assert page.wait(lambda: page.all("#timeline .empty"))
