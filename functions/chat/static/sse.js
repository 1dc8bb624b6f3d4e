/** Server-sent events out of a fetch body (WHATWG HTML, 9.2.6). `EventSource` cannot POST. */

/**
 * The events of a stream as they arrive. Comments (heartbeats) are passed over, and so is an
 * event that the stream's end cut short.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{event: string, data: object}>} `data` is parsed JSON.
 */
export async function* events(body) {
  let event = blank();
  for await (const line of lines(body)) {
    if (line !== "") {
      read(event, line);
    } else {
      if (event.data.length) yield { event: event.name, data: JSON.parse(event.data.join("\n")) };
      event = blank();
    }
  }
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      // A carriage return at the very end may be half of a pair: it waits for what follows.
      const parts = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = parts.pop();
      yield* parts;
    }
  } finally {
    reader.cancel().catch(() => {}); // already broken, or no longer wanted
  }
}

function read(event, line) {
  const [, field, value] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line);
  if (field === "event") event.name = value;
  if (field === "data") event.data.push(value);
}

const blank = () => ({ name: "message", data: [] });
