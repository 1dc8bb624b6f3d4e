/** Looking for memories by one's own words. */

import { byId } from "./dom.js";
import { say, sentence } from "./language.js";

/** The search field above the memories. An empty field shows all of them again. */
export class MemorySearch {
  #api;
  #show;
  #characterId = null;
  #field = byId("search-words");
  #asked = 0;

  /**
   * @param {import("./api.js").Api} api
   * @param {(found: object[]|null) => void} show what was found, best first; null: the search is over
   */
  constructor(api, show) {
    this.#api = api;
    this.#show = show;
    byId("search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#run(this.#field.value.trim());
    });
    this.#field.addEventListener("input", () => this.#field.value || this.#end());
  }

  /** Begins anew, with the memories of a character; with null there is nothing to search. */
  open(characterId) {
    this.#characterId = characterId;
    this.#field.value = "";
    byId("search").hidden = !characterId;
    this.#end();
  }

  async #run(words) {
    if (!words) return this.#end();
    const asked = ++this.#asked;
    try {
      const { memories, degraded } = await this.#api.searchMemories(this.#characterId, words);
      if (asked !== this.#asked) return; // another search, or none, by now
      this.#show(memories);
      this.#say(degraded ? "foundDegraded" : "found", { n: memories.length });
    } catch ({ code }) {
      if (asked === this.#asked) this.#say(sentence(code));
    }
  }

  #end() {
    this.#asked++;
    this.#show(null);
    byId("search-status").hidden = true;
  }

  #say(key, values) {
    say(byId("search-status"), key, values).hidden = false;
  }
}
