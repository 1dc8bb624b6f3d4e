"""The parser of event streams, in the browser that runs it."""

import pytest

from tests.browser.page import ConsolePage

PARSE = """
const [bytes, sizes, done] = arguments;
const all = new Uint8Array(bytes);
function streamOf(size) {
  let at = 0;
  return new ReadableStream({
    pull(stream) {
      if (at >= all.length) return stream.close();
      stream.enqueue(all.slice(at, at += size));
    },
  });
}
async function run() {
  const { events } = await import("./static/sse.js");
  const found = [];
  for (const size of sizes) {
    const those = [];
    for await (const event of events(streamOf(size))) those.push(event);
    found.push(those);
  }
  return found;
}
run().then(done, (error) => done(String(error)));
"""

STREAM = (
    ': open{n}{n}id: r.1{n}event: meta{n}data: {{"memories":[]}}{n}{n}'
    'event:delta{n}data:{{"text":"안녕 👋🏽"}}{n}{n}: heartbeat{n}{n}'
    'event: delta{n}data: {{"text":{n}data: "두 줄"}}{n}{n}'
    "event: done{n}data: {{}}{n}{n}event: error{n}data: {{}}{n}"
)
SIZES = [1, 2, 3, 7, 10_000]
EVENTS = [
    {"event": "meta", "data": {"memories": []}},
    {"event": "delta", "data": {"text": "안녕 👋🏽"}},
    {"event": "delta", "data": {"text": "두 줄"}},
    {"event": "done", "data": {}},
]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_events_survive_any_cut_and_line_ending(page: ConsolePage, newline: str) -> None:
    """Heartbeats are passed over, and the last event, which has no end, is dropped."""
    stream = list(STREAM.format(n=newline).encode())
    found = page.driver.execute_async_script(PARSE, stream, SIZES)
    assert found == [EVENTS] * len(SIZES)
