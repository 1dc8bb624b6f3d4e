/** Where the user writes: Enter sends, Shift+Enter breaks the line, composing never sends. */

import { byId } from "./dom.js";
import { name, say } from "./language.js";

const LIMIT = 8_000; // characters; the API's default
const SHOW_FROM = 7_000; // from here the length is shown

/** Fires "send" (with `detail` = the text) and "stop". */
export class Composer extends EventTarget {
  #box = byId("message");
  #busy = false;

  constructor() {
    super();
    byId("composer").addEventListener("submit", (event) => (event.preventDefault(), this.#send()));
    byId("stop").addEventListener("click", () => this.dispatchEvent(new Event("stop")));
    this.#box.addEventListener("keydown", (event) => this.#key(event));
    this.#box.addEventListener("input", () => this.#changed());
  }

  /** Opens the composer to a character's name; with null closes it. */
  address(character) {
    this.#box.disabled = !character;
    if (character) name(this.#box, "messageTo", { name: character.name });
    this.#changed();
  }

  /** While a reply streams, the button stops it; one can write on, but not send. */
  get busy() {
    return this.#busy;
  }

  set busy(busy) {
    const hadFocus = [byId("stop"), byId("send")].includes(document.activeElement);
    this.#busy = busy;
    byId("stop").hidden = !busy;
    byId("send").hidden = busy;
    if (hadFocus) this.focus();
    this.#changed();
  }

  /** The cursor goes where one writes. */
  focus() {
    this.#box.focus();
  }

  #key(event) {
    // 229 is what Safari says for the Enter that ends a composition, with isComposing false.
    const composing = event.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || composing) return;
    event.preventDefault();
    this.#send();
  }

  #send() {
    if (byId("send").disabled || this.#busy) return;
    const detail = this.#box.value.trim();
    this.#box.value = "";
    this.#changed();
    this.dispatchEvent(new CustomEvent("send", { detail }));
  }

  #changed() {
    const used = [...this.#box.value].length;
    byId("send").disabled = this.#box.disabled || used > LIMIT || !this.#box.value.trim();
    const length = say(byId("message-length"), "length", { used, limit: LIMIT });
    length.hidden = used < SHOW_FROM;
    this.#box.setAttribute("aria-invalid", String(used > LIMIT));
    this.#box.style.height = "auto"; // as tall as its text; the style sheet sets the limits
    this.#box.style.height = `${this.#box.scrollHeight}px`;
  }
}
