/** One turn from message to last event, also over a connection that breaks. */

import { Problem } from "./api.js";
import { events } from "./sse.js";
import { pause } from "./watch.js";

const WAITS_MS = [300, 700, 1500, 3000]; // the last one repeats
const PATIENCE_MS = 180_000; // longer than a server keeps an abandoned turn running
const LOST_TRIES = 6; // unreachable this often in a row: give up

/**
 * The events of a turn, last of all `done` or `error`. After a cut stream comes a `restart`
 * event, then the whole turn again as the server stored it.
 * Throws `Problem`, or an AbortError when `signal` says so.
 * @param {{clientMessageId: string}} request the body of POST /v1/chat
 */
export async function* take(api, request, signal) {
  try {
    const response = await api.chat(request, signal);
    for await (const event of events(response.body)) {
      yield event;
      if (isLast(event)) return;
    }
  } catch (error) {
    if (signal.aborted || refused(error)) throw error;
  }
  yield* resume(api, request, signal);
}

/** The stored events of a turn, once it has ended. Starts with `restart`. Throws as `take` does. */
export async function* resume(api, { clientMessageId }, signal) {
  yield { event: "restart", data: {} };
  const until = Date.now() + PATIENCE_MS;
  let lost = 0;
  for (let i = 0; Date.now() < until; i += 1) {
    try {
      const { state, events: stored } = await api.outcome(clientMessageId, signal);
      if (state !== "running") return yield* stored;
      lost = 0;
    } catch (error) {
      // Unknown to the server: it never arrived. Sent again under its id it cannot double.
      if (error.status === 404) throw new Problem({ code: "undelivered" });
      lost += 1;
      if (signal.aborted || refused(error) || lost === LOST_TRIES) throw error;
    }
    await pause(WAITS_MS[Math.min(i, WAITS_MS.length - 1)], signal);
  }
  throw new Problem({ code: "network" });
}

const isLast = ({ event }) => event === "done" || event === "error";

const refused = (error) => error instanceof Problem && error.code !== "network";
