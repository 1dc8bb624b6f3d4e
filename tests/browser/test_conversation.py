"""Talking to a character: streaming, stopping, cut connections, refusals."""

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser.page import ConsolePage

CUT = """
const real = window.fetch;
window.fetch = async (url, options) => {
  if (url !== "v1/chat") return real(url, options);
  window.fetch = real;
  const told = await (await real(url, options)).text();
  const start = new TextEncoder().encode(told.slice(0, told.indexOf("event: done") + 5));
  let sent = false;
  return new Response(new ReadableStream({
    pull(stream) {
      if (sent) stream.error(new TypeError("cut"));
      else stream.enqueue(start);
      sent = true;
    },
  }));
};
"""

HANG = """
const real = window.fetch;
window.fetch = async (url, options) => {
  if (url !== "v1/chat") return real(url, options);
  window.fetch = real;
  const told = await (await real(url, { ...options, signal: undefined })).text();
  const start = new TextEncoder().encode(told.slice(0, told.indexOf("event: delta")));
  return new Response(new ReadableStream({
    start(stream) {
      stream.enqueue(start);
      options.signal.addEventListener("abort", () => stream.error(options.signal.reason));
    },
  }));
};
"""

REFUSE = """
const [status, code] = arguments;
const real = window.fetch;
window.fetch = async (url, options) => {
  if (url !== "v1/chat") return real(url, options);
  window.fetch = real;
  const problem = { status, code, title: "", detail: "", type: "about:blank", requestId: "req_1" };
  return new Response(JSON.stringify(problem), { status });
};
"""

UNREACHABLE_ONCE = """
const real = window.fetch;
window.fetch = async (url, options) => {
  if (url !== "v1/chat") return real(url, options);
  window.fetch = real;
  throw new TypeError("Failed to fetch");
};
"""


def test_shows_the_greeting_and_then_the_reply_to_a_message(page: ConsolePage) -> None:
    greeting = page.reply(0)
    assert greeting
    reply = page.say("안녕! 오늘 날씨가 참 좋다")
    assert reply
    assert page.texts(".message.mine .bubble") == ["안녕! 오늘 날씨가 참 좋다"]
    assert page.one("#message").get_property("value") == ""
    assert page.focused() == "message"


def test_a_reply_is_read_out_to_screen_readers(page: ConsolePage) -> None:
    reply = page.say("나는 떡볶이를 제일 좋아해")
    assert "".join(page.text("#announcer").split()) == "".join(reply.split())


def test_says_that_offline_replies_are_not_a_language_model(page: ConsolePage) -> None:
    assert page.one("#offline").is_displayed()
    assert "언어 모델이 아니" in page.one("#offline").text


def test_shift_enter_breaks_the_line_and_keeps_it_in_the_message(page: ConsolePage) -> None:
    page.write("첫 줄" + Keys.SHIFT + Keys.ENTER + Keys.NULL + "둘째 줄")
    assert page.all(".message.mine") == []
    page.press_enter()
    page.reply(1)
    assert page.texts(".message.mine .bubble") == ["첫 줄\n둘째 줄"]


def test_markup_in_a_message_stays_text(page: ConsolePage) -> None:
    hostile = "<img src=x onerror=alert(1)><b>굵게</b>"
    page.say(hostile)
    assert page.texts(".message.mine .bubble") == [hostile]
    assert page.all(".log img, .log .bubble b, .message.failed") == []


def test_a_cut_stream_is_completed_from_the_stored_turn(page: ConsolePage) -> None:
    page.script(CUT)
    reply = page.say("오늘 회사에서 발표를 했어")
    assert reply
    assert page.all(".message.failed") == []
    page.open()  # the same as what the server kept, once
    assert page.texts(".message.theirs .bubble")[-1] == reply


def test_stop_stops_listening_and_the_rest_can_be_fetched(page: ConsolePage) -> None:
    page.script(HANG)
    page.write("기차표를 예매해야 해")
    page.press_enter()
    page.wait(lambda: page.all(".message-foot .recall"))
    page.one("#stop").click()
    page.wait(lambda: page.settled(1))
    assert page.focused() == "message"
    assert "그만 들었어요" in page.text(".message.theirs:last-child .notes")
    page.one(".message.theirs:last-child .notes button").click()
    assert page.reply(1)


def test_one_can_write_on_but_not_send_while_a_reply_streams(page: ConsolePage) -> None:
    page.script(HANG)
    page.write("첫 번째")
    page.press_enter()
    page.wait(lambda: page.one("#stop").is_displayed())
    page.write("두 번째")
    page.press_enter()
    assert page.texts(".message.mine .bubble") == ["첫 번째"]
    assert page.one("#message").get_property("value") == "두 번째"
    page.one("#stop").click()
    page.wait(lambda: page.one("#send").is_displayed())


def test_a_message_that_never_arrived_can_be_sent_again(page: ConsolePage) -> None:
    page.expect("404")  # the server does not know that turn
    page.script(UNREACHABLE_ONCE)
    page.say("들려?")
    assert "전해지지 않았어요" in page.text(".message.failed .note")
    page.one(".message.failed .notes button").click()
    assert page.reply(1)
    assert page.texts(".message.mine .bubble") == ["들려?"]


@pytest.mark.parametrize(
    ("status", "code", "sentence", "again"),
    [
        (429, "rate_limited", "너무 빨리 보냈어요", True),
        (409, "turn_in_progress", "앞의 메시지에 답하고", True),
        (422, "invalid_text", "저장할 수 없는 글자", False),
        (503, "never_heard_of", "문제가 생겼어요", True),
    ],
)
def test_a_refusal_is_told_in_a_sentence(
    page: ConsolePage, status: int, code: str, sentence: str, again: bool
) -> None:
    page.script(REFUSE, status, code)
    page.say("안녕")
    assert sentence in page.text(".message.failed [role=alert]")
    assert "req_1" in page.text(".message.failed .hint")
    assert bool(page.all(".message.failed button")) is again
    page.choose("#language", "en")
    assert sentence not in page.text(".message.failed [role=alert]")


def test_a_refused_token_is_renewed_and_the_message_sent_again(page: ConsolePage) -> None:
    page.script(REFUSE, 401, "unauthorized")
    assert page.say("안녕")
    assert page.all(".message.failed") == []


def test_a_new_chat_starts_over_and_a_reload_goes_on(page: ConsolePage) -> None:
    page.say("나 이번 주말에 등산 가")
    page.open()
    assert page.texts(".message.mine .bubble") == ["나 이번 주말에 등산 가"]
    page.one("#new-session").click()
    assert page.texts(".message.mine .bubble") == []
    assert page.focused() == "message"
    page.say("새로운 이야기를 하자")
    page.open()
    assert page.texts(".message.mine .bubble") == ["새로운 이야기를 하자"]


def test_another_character_has_a_conversation_of_its_own(page: ConsolePage) -> None:
    page.say("너에게만 하는 이야기야")
    other = page.one(".character[aria-current=false]")
    name = other.find_element("class name", "character-name").text
    other.click()
    page.wait(lambda: page.one("#message").is_enabled())
    assert page.text("#character-name") == name
    assert page.all(".message.mine") == []
    page.open()
    assert page.text("#character-name") == name


def test_a_message_that_is_too_long_cannot_be_sent(page: ConsolePage) -> None:
    page.script(
        "const box = arguments[0]; box.value = '가'.repeat(8001);"
        "box.dispatchEvent(new Event('input'))",
        page.one("#message"),
    )
    assert not page.one("#send").is_enabled()
    assert "8,001" in page.one("#message-length").text
    page.press_enter()
    assert page.all(".message.mine") == []
