/** Side panels: beside the conversation where there is room, over it where there is not. */

import { byId } from "./dom.js";

/** A panel that a button opens. While it lies over the conversation, nothing behind it can be used. */
export class Drawer {
  #panel;
  #opener;
  #docked;

  /**
   * @param {string} id of the panel; its button is `open-{id}`
   * @param {string} docked the media query under which it is always there, as in layout.css
   */
  constructor(id, docked) {
    this.#panel = byId(id);
    this.#opener = byId(`open-${id}`);
    this.#docked = matchMedia(docked);
    this.#opener.addEventListener("click", () => this.open());
    this.#panel.querySelector(".close").addEventListener("click", () => this.close());
    this.#panel.addEventListener("keydown", ({ key }) => key === "Escape" && this.close());
    this.#docked.addEventListener("change", () => this.close());
    byId("shade").addEventListener("click", () => this.close());
  }

  /** Opens it and moves the focus to its heading. */
  open() {
    this.#set(true);
    this.#panel.querySelector("[tabindex]").focus();
  }

  /** Brings a field of it into view and moves the focus there. */
  reveal(field) {
    if (!this.#docked.matches) this.open();
    field.focus();
  }

  /** Closes it and gives the focus back to its button. */
  close() {
    if (!this.#panel.classList.contains("open")) return;
    this.#set(false);
    this.#opener.focus();
  }

  #set(open) {
    this.#panel.classList.toggle("open", open);
    this.#opener.setAttribute("aria-expanded", String(open));
    byId("shade").hidden = !open;
    for (const other of document.querySelectorAll("main, .drawer")) {
      if (other !== this.#panel) other.inert = open;
    }
  }
}
