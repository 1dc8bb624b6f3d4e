/** "What was remembered for this reply": a line below it that opens to the memories, and why; and
 * what found no room in the prompt. */

import { icon, make } from "./dom.js";
import { say } from "./language.js";
import { memoryCard } from "./memory_card.js";

const STATUS = { degraded: "recallDegraded", failed: "recallFailed" };
const SLOT = { importance: "whyImportant", newest: "whyNewest" };
const CUT_SLOT = { character: "cutCharacter", turns: "cutTurns" };
const CUT_SUMMARY = { shortened: "cutShortened", left_out: "cutLeftOut" };

/**
 * @param {{recall: string, memoryHitCount: number, memories?: string[], earlierTurns?: number,
 *   memoryCuts?: {id: string, summary: string, detailsCut: number}[]}} meta the turn's first event
 * @param {(id: string) => Promise<object>} find a memory by its id; asked when the line is opened
 * @param {() => Promise<object>} reasons what the same message brings to mind now; asked then too
 */
export function recallNote(meta, find, reasons) {
  const { recall, memoryHitCount, memories = [], memoryCuts = [], earlierTurns = 0 } = meta;
  if (!memories.length) return nothing(recall, memoryHitCount, earlierTurns);
  const box = make("div.recalled", { "aria-live": "polite" });
  const line = make("summary", {}, icon("memory"), say(make("span"), "recalled", { n: memoryHitCount }));
  const note = make("details.recall", {}, line, box);
  const leftOut = memoryCuts.filter(({ summary }) => summary === "left_out");
  const ids = [...memories, ...leftOut.map(({ id }) => id)];
  note.addEventListener("toggle", () => note.open && fill(box, ids, memoryCuts, find, reasons));
  if (STATUS[recall]) note.append(say(make("p.note"), STATUS[recall]));
  if (earlierTurns) note.append(say(make("p.note"), "earlierTalk", { n: earlierTurns }));
  return note;
}

/** A line for each other part of the prompt that was too long for its room. */
export function cutNotes({ slots = [] }) {
  const cut = slots.filter((slot) => slot.cut && CUT_SLOT[slot.name]);
  return cut.map((slot) => say(make("p.note"), CUT_SLOT[slot.name], { n: slot.cut }));
}

function nothing(recall, hits, earlierTurns) {
  const line = STATUS[recall] ?? (hits ? "recalled" : earlierTurns ? "earlierTalk" : "recalledNone");
  return make("p.recall", {}, icon("memory"), say(make("span"), line, { n: hits || earlierTurns }));
}

async function fill(box, ids, cuts, find, reasons) {
  if (!box.hasChildNodes()) box.append(say(make("p.note"), "loading"));
  const asked = reasons().catch(() => ({ memories: [] })); // without reasons they are still shown
  const found = await Promise.allSettled(ids.map(find));
  const cards = found.map(({ value }) => (value ? memoryCard(value) : say(make("p.note"), "memoryGone")));
  for (const cut of cuts) cards[ids.indexOf(cut.id)]?.append(whatWasCut(cut));
  box.replaceChildren(...cards);
  box.scrollIntoView({ block: "nearest" });
  const whys = new Map((await asked).memories.map(({ memory, why }) => [memory.id, why]));
  cards.forEach((card, i) => whys.has(ids[i]) && card.append(reason(whys.get(ids[i]))));
}

function whatWasCut({ summary, detailsCut }) {
  const line = make("p.memory-cut");
  if (CUT_SUMMARY[summary]) line.append(say(make("span"), CUT_SUMMARY[summary]));
  if (detailsCut && summary !== "left_out") line.append(say(make("span"), "cutDetails", { n: detailsCut }));
  return line;
}

/** Ranks count from 1 here, as people count. */
function reason({ slot, decay, vectorRank, keywordRank, tokens }) {
  const line = make("p.memory-why", {}, say(make("span.visually-hidden"), "why"));
  const add = (key, values) => line.append(say(make("span"), key, values));
  if (SLOT[slot]) add(SLOT[slot]);
  if (vectorRank !== null) add("whyMeaning", { n: vectorRank + 1 });
  if (keywordRank !== null) add("whyWords", { n: keywordRank + 1 });
  if (decay < 1) add("whyFresh", { n: Math.round(decay * 100) });
  if (tokens) add("whyTokens", { n: tokens });
  return line;
}
