/** Choosing whom to talk to. */

import { draw } from "./avatar.js";
import { make } from "./dom.js";

const CHOICE = "gieok.character";

/** The list of characters; one of them is current. */
export class Picker {
  #list;
  #pick;

  /** @param {(character: object) => void} pick is called when the user chooses */
  constructor(list, pick) {
    this.#list = list;
    this.#pick = pick;
  }

  /** Lists characters. Returns the one chosen last time, else the first. */
  fill(characters) {
    this.#list.replaceChildren(...characters.map((character) => this.#item(character)));
    const current = characters.find(({ id }) => id === localStorage.getItem(CHOICE)) ?? characters[0];
    if (current) this.#mark(current.id);
    return current;
  }

  #item(character) {
    const picture = draw(make("span.avatar", { "aria-hidden": "true" }), character);
    const words = make("span.character-words", {},
      make("span.character-name", { text: character.name }),
      make("span.character-greeting", { text: character.greeting, "aria-hidden": "true" }));
    const choose = () => {
      this.#mark(character.id);
      this.#pick(character);
    };
    const button = make("button.character", { type: "button", click: choose }, picture, words);
    button.dataset.character = character.id;
    return make("li", { lang: character.locale }, button);
  }

  #mark(id) {
    localStorage.setItem(CHOICE, id);
    for (const button of this.#list.querySelectorAll("button")) {
      button.setAttribute("aria-current", String(button.dataset.character === id));
    }
  }
}
