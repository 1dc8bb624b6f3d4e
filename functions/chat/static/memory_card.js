/** One memory as the user sees it: summary, what was said and done, when, and with whom. */

import { icon, make } from "./dom.js";
import { name, say, sayDay, sayTime } from "./language.js";
import { saidOrDone } from "./memory_details.js";
import { memoryTools } from "./memory_tools.js";

/**
 * @param {object} memory as GET /v1/memories gives it
 * @param {import("./memory_tools.js").Tools|null} tools what its buttons do; null: no buttons
 * @param {boolean} dated whether it says its day; else that stands above it
 */
export function memoryCard(memory, tools = null, dated = true) {
  const card = make("article.memory", { "data-memory": memory.id, "data-weight": weight(memory) });
  const mark = make("p.recalled-mark", {}, icon("memory"), say(make("span"), "justRecalled"));
  const line = head(memory, dated);
  const summary = make("p.memory-summary", { text: memory.summary });
  card.append(mark, line, summary);
  if (tools) line.append(memoryTools(memory, summary, tools));
  if (memory.details.length) card.append(details(memory.details));
  if (memory.involved.length > 1) {
    card.append(say(make("p.memory-foot"), "involved", { names: memory.involved }));
  }
  return card;
}

const weight = ({ importance }) => (importance >= 8 ? "high" : importance >= 5 ? "middle" : "low");

function head(memory, dated) {
  const when = new Date(memory.happenedAt);
  const line = make("header.memory-head");
  const time = make("time", { datetime: memory.happenedAt });
  line.append(dated ? sayDay(time, when) : sayTime(time, when));
  line.append(name(say(make("span.importance", { role: "img" }), "importance", { n: memory.importance }),
    "importanceOf", { n: memory.importance }));
  if (memory.pinned) line.append(say(make("span.tag"), "pinned"));
  if (memory.muted) line.append(say(make("span.tag"), "muted"));
  return line;
}

function details(all) {
  const box = make("details.memory-details");
  box.append(say(make("summary"), "details", { n: all.length }));
  box.append(make("ul", {}, ...all.map((one) => make("li", {}, ...saidOrDone(one)))));
  return box;
}
