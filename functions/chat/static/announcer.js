/** Speaks to screen readers: whole sentences, not the crumbs of a stream. */

import { byId, make } from "./dom.js";

const KEPT = 20; // sentences left in the live region; the oldest go
const SENTENCE = /^[\s\S]*?[.!?…。！？\n]+(?=\s|$)/;

/** Reads `text` out when the screen reader has time. */
export function announce(text) {
  const region = byId("announcer");
  region.append(make("span", { text: `${text} ` }));
  while (region.childElementCount > KEPT) region.firstElementChild.remove();
}

/** Reads a streaming reply out, sentence by sentence. */
export class Reader {
  #unread = "";

  /** More of the reply. Announces each sentence that it completes. */
  add(text) {
    this.#unread += text;
    // What ends the text may go on ("..." after "."), so only sentences with something after them.
    for (let found; (found = SENTENCE.exec(this.#unread)) && found[0].length < this.#unread.length; ) {
      announce(found[0].trim());
      this.#unread = this.#unread.slice(found[0].length);
    }
  }

  /** The reply is complete: announces the rest. */
  finish() {
    if (this.#unread.trim()) announce(this.#unread.trim());
    this.#unread = "";
  }
}
