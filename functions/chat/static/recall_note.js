/** "What was remembered for this reply": a line below it that opens to the memories. */

import { icon, make } from "./dom.js";
import { say } from "./language.js";
import { memoryCard } from "./memory_card.js";

const STATUS = { degraded: "recallDegraded", failed: "recallFailed", skipped: "recallSkipped" };

/**
 * @param {{recall: string, memoryHitCount: number, memories?: string[]}} meta the turn's first event
 * @param {(id: string) => Promise<object>} find a memory by its id; asked when the line is opened
 */
export function recallNote({ recall, memoryHitCount, memories = [] }, find) {
  if (!memories.length) return nothing(recall, memoryHitCount);
  const box = make("div.recalled", { "aria-live": "polite" });
  const line = make("summary", {}, icon("memory"), say(make("span"), "recalled", { n: memoryHitCount }));
  const note = make("details.recall", {}, line, box);
  note.addEventListener("toggle", () => note.open && fill(box, memories, find));
  if (STATUS[recall]) note.append(say(make("p.note"), STATUS[recall]));
  return note;
}

function nothing(recall, hits) {
  const line = STATUS[recall] ?? (hits ? "recalled" : "recalledNone");
  return make("p.recall", {}, icon("memory"), say(make("span"), line, { n: hits }));
}

async function fill(box, ids, find) {
  if (!box.hasChildNodes()) box.append(say(make("p.note"), "loading"));
  const found = await Promise.allSettled(ids.map(find));
  box.replaceChildren(
    ...found.map(({ value }) => (value ? memoryCard(value) : say(make("p.note"), "memoryGone"))),
  );
  box.scrollIntoView({ block: "nearest" });
}
