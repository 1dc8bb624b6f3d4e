/** One memory as the user sees it: summary, what was said and done, when, and with whom. */

import { icon, make } from "./dom.js";
import { name, say, sayDay, sayTime } from "./language.js";

/**
 * @param {object} memory as GET /v1/memories gives it
 * @param {((memory: object) => void)|null} remove what its delete button does; null: no button
 */
export function memoryCard(memory, remove = null) {
  const card = make("article.memory", { "data-memory": memory.id, "data-weight": weight(memory) });
  const mark = make("p.recalled-mark", {}, icon("memory"), say(make("span"), "justRecalled"));
  card.append(mark, head(memory, remove), make("p.memory-summary", { text: memory.summary }));
  if (memory.details.length) card.append(details(memory.details));
  if (memory.involved.length > 1) {
    card.append(say(make("p.memory-foot"), "involved", { names: memory.involved }));
  }
  return card;
}

const weight = ({ importance }) => (importance >= 8 ? "high" : importance >= 5 ? "middle" : "low");

function head(memory, remove) {
  const when = new Date(memory.happenedAt);
  const line = make("header.memory-head");
  const time = make("time", { datetime: memory.happenedAt });
  // In the timeline, the day is the heading.
  line.append(remove ? sayTime(time, when) : sayDay(time, when));
  line.append(name(say(make("span.importance", { role: "img" }), "importance", { n: memory.importance }),
    "importanceOf", { n: memory.importance }));
  if (memory.pinned) line.append(say(make("span.tag"), "pinned"));
  if (memory.muted) line.append(say(make("span.tag"), "muted"));
  if (remove) line.append(removeButton(memory, remove));
  return line;
}

function removeButton(memory, remove) {
  const button = make("button.icon-button.small.remove", { type: "button", click: () => remove(memory) });
  button.append(icon("trash"));
  return name(button, "deleteMemory", { summary: memory.summary });
}

function details(all) {
  const box = make("details.memory-details");
  box.append(say(make("summary"), "details", { n: all.length }));
  box.append(make("ul", {}, ...all.map(detail)));
  return box;
}

function detail({ kind, who, text, context }) {
  const said = make(kind === "quote" ? "q" : "span", { text });
  const by = who === "user" ? say(make("b"), "you") : make("b", { text: who });
  const item = make("li", {}, by, " ", said);
  if (context) item.append(make("span.memory-context", { text: context }));
  return item;
}
