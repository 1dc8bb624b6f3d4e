/** One reply in the conversation: its text as it streams, and what was remembered for it. */

import { Reader } from "./announcer.js";
import { draw } from "./avatar.js";
import { make } from "./dom.js";
import { say, sentence } from "./language.js";
import { cutNotes, recallNote } from "./recall_note.js";

/** A reply that grows by the events of its turn. `element` goes into the log. */
export class Reply {
  #text = make("p.bubble");
  #foot = make("div.message-foot");
  #notes = make("div.notes");
  #reader = new Reader();
  #find;
  #reasons;

  /**
   * @param {{id: string, name: string}} character who speaks
   * @param {(id: string) => Promise<object>} find a memory by its id
   * @param {() => Promise<object>} reasons what the message it answers brings to mind
   */
  constructor(character, find, reasons) {
    this.#find = find;
    this.#reasons = reasons;
    const speaker = make("span.visually-hidden", { text: character.name });
    const picture = draw(make("span.avatar", { "aria-hidden": "true" }), character);
    const body = make("div.message-body", {}, speaker, this.#text, this.#foot, this.#notes);
    this.element = make("article.message.theirs", {}, picture, body);
  }

  /** Fills in a reply that is complete already: a greeting, or one of an earlier visit. */
  write(text) {
    this.#text.textContent = text;
    return this;
  }

  /** Shows that the character is about to speak. */
  wait() {
    this.element.setAttribute("aria-busy", "true");
    const dots = make("span.dots", { "aria-hidden": "true" }, make("i"), make("i"), make("i"));
    this.#text.replaceChildren(dots, say(make("span.visually-hidden"), "thinking"));
    return this;
  }

  /** Takes the next event of the turn. */
  apply({ event, data }) {
    if (event === "meta") this.#open(data);
    if (event === "delta") this.#grow(data.text);
    if (event === "done") this.#finish(data);
    if (event === "restart") this.#restart();
  }

  /**
   * Ends the reply where it is, with a note.
   * @param {string} key the note's words
   * @param {{label: string, run: () => void}|null} next a button below it
   */
  end(key, next = null) {
    this.#settle();
    this.#notes.replaceChildren(say(make("p.note"), key));
    if (next) this.#notes.append(button(next));
  }

  /** Ends the reply with the sentence of an error: a problem document or an `error` event. */
  fail({ code, requestId }, next) {
    this.end(sentence(code), next);
    this.element.classList.add("failed");
    this.#foot.replaceChildren(); // no answer, so nothing was recalled for one
    this.#notes.firstElementChild.setAttribute("role", "alert");
    if (requestId) this.#notes.append(say(make("p.hint"), "requestId", { id: requestId }));
  }

  #open(meta) {
    this.#foot.replaceChildren(recallNote(meta, this.#find, this.#reasons), ...cutNotes(meta));
  }

  #grow(text) {
    if (!this.#spoken) this.#text.replaceChildren();
    this.#text.append(text);
    this.#reader.add(text);
  }

  #finish(data) {
    this.#settle();
    this.#notes.replaceChildren(...doneNotes(data));
    this.#foot.append(usage(data));
  }

  #restart() {
    this.#reader = new Reader();
    this.wait();
    this.#notes.replaceChildren(say(make("p.note"), "restart"));
  }

  #settle() {
    if (!this.#spoken) this.#text.replaceChildren();
    this.element.removeAttribute("aria-busy");
    this.#reader.finish();
  }

  get #spoken() {
    return !this.#text.querySelector(".dots");
  }
}

const button = ({ label, run }) => say(make("button.button.quiet", { type: "button", click: run }), label);

function doneNotes({ fallbackUsed, finishReason }) {
  const keys = [];
  if (fallbackUsed) keys.push("fallback");
  if (["length", "blocked", "interrupted"].includes(finishReason)) keys.push(`finish_${finishReason}`);
  return keys.map((key) => say(make("p.note"), key));
}

/** What the provider reported, and nothing where it reported nothing. */
function usage({ model, actualTotalTokens: total }) {
  const line = make("p.usage");
  if (model) line.append(say(make("span"), "model", { model }));
  if (total !== null) line.append(say(make("span"), "tokens", { total }));
  return line;
}
