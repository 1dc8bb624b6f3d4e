/** What the character remembers, as a timeline; the user can look at it, search and change it. */

import { announce } from "./announcer.js";
import { confirmDeletion } from "./confirm.js";
import { byId, icon, make } from "./dom.js";
import { say, sayDay, sentence, t } from "./language.js";
import { memoryCard } from "./memory_card.js";
import { MemorySearch } from "./memory_search.js";
import { watch } from "./watch.js";

/** The memories of one character, newest first, a page at a time. */
export class Timeline {
  #api;
  #characterId = null;
  #memories = [];
  #cursor = null;
  #cards = new Map();
  #recalled = new Set();
  #watching = new AbortController();
  #found = null;
  #search;

  /** @param {import("./api.js").Api} api */
  constructor(api) {
    this.#api = api;
    this.#search = new MemorySearch(api, (found) => this.#showFound(found));
    byId("more").addEventListener("click", () => this.#more());
  }

  /** Shows a character's memories; with null, that there is nobody yet. */
  async open(characterId) {
    this.#watching.abort();
    this.#characterId = characterId;
    [this.#memories, this.#cursor, this.#cards, this.#recalled] = [[], null, new Map(), new Set()];
    byId("making").hidden = true;
    this.#search.open(characterId);
    byId("timeline").replaceChildren(say(make("p.hint"), characterId ? "loading" : "memoriesLocked"));
    this.#count();
    if (characterId) await this.refresh().catch((problem) => this.#explain(problem));
  }

  /** One memory by its id, from the list or from the server. */
  find = async (id) => this.#memories.find((memory) => memory.id === id) ?? this.#api.memory(id);

  /** Marks the memories that the latest reply was given. */
  mark(ids) {
    this.#recalled = new Set(ids);
    this.#show();
  }

  /** Reads the newest page again; resolves to whether it has a memory that was not there. */
  async refresh() {
    const asked = this.#characterId;
    const { memories, nextCursor } = await this.#api.memories(asked);
    if (asked !== this.#characterId) return false;
    const known = new Set(this.#memories.map(({ id }) => id));
    const older = this.#memories.filter(({ id }) => nextCursor && id < memories.at(-1).id);
    if (!older.length) this.#cursor = nextCursor;
    this.#memories = [...memories, ...older];
    this.#show();
    return memories.some(({ id }) => !known.has(id));
  }

  /** A memory is on its way, or only may be when not `sure`: looks for it until it is there. */
  async expect(sure) {
    this.#watching.abort();
    const { signal } = (this.#watching = new AbortController());
    if (sure) byId("making").hidden = false;
    const made = await watch(() => this.refresh(), signal);
    if (signal.aborted) return;
    byId("making").hidden = true;
    if (made) announce(t("made"));
  }

  async #more() {
    const asked = this.#characterId;
    try {
      const { memories, nextCursor } = await this.#api.memories(asked, this.#cursor);
      if (asked !== this.#characterId) return;
      this.#memories.push(...memories);
      this.#cursor = nextCursor;
      this.#show();
    } catch (problem) {
      this.#explain(problem);
    }
  }

  #remove = async (memory) => {
    if (!(await confirmDeletion(memory.summary))) return;
    try {
      await this.#api.deleteMemory(memory.id);
    } catch (problem) {
      if (problem.status !== 404) return this.#explain(problem); // 404: gone is gone
    }
    this.#replace((memories) => memories.filter(({ id }) => id !== memory.id));
    byId("memories-title").focus();
    announce(t("deleted"));
  };

  #change = async (memory, fields, tool) => {
    const changed = await this.#api.changeMemory(memory.id, fields);
    this.#replace((memories) => memories.map((one) => (one.id === changed.id ? changed : one)));
    byId("timeline").querySelector(`[data-memory="${changed.id}"] [data-tool="${tool}"]`)?.focus();
    announce(t("changed"));
  };

  #replace(change) {
    this.#memories = change(this.#memories);
    this.#found &&= change(this.#found);
    this.#show();
  }

  #showFound(found) {
    this.#found = found;
    if (this.#characterId) this.#show();
  }

  #show() {
    const focused = document.activeElement;
    byId("timeline").replaceChildren(...(this.#found ? this.#matches() : this.#days()));
    focused.focus({ preventScroll: true }); // a card that was moved loses it
    this.#count();
  }

  #matches() {
    return this.#found.length ? [make("section.day", {}, ...this.#found.map((m) => this.#card(m, true)))] : [];
  }

  #days() {
    const days = byDay(this.#memories).map(([date, memories]) => this.#day(date, memories));
    return days.length ? days : [empty()];
  }

  #day(date, memories) {
    const cards = memories.map((memory) => this.#card(memory));
    return make("section.day", {}, sayDay(make("h3.day-title"), date), ...cards);
  }

  /** A memory that has not changed keeps its card, and with it what is open or focused. */
  #card(memory, dated = false) {
    const key = JSON.stringify([memory, dated]);
    if (!this.#cards.has(key)) this.#cards.set(key, memoryCard(memory, this.#tools, dated));
    const card = this.#cards.get(key);
    card.classList.toggle("recalled-now", this.#recalled.has(memory.id));
    return card;
  }

  #count() {
    const values = { n: this.#memories.length, more: this.#cursor !== null };
    byId("more").hidden = !values.more || this.#found !== null;
    for (const id of ["memory-count", "memory-badge"]) {
      say(byId(id), "memoryCount", values).hidden = values.n === 0;
    }
  }

  #explain = ({ code }) => {
    byId("timeline").prepend(say(make("p.note.problem", { role: "alert" }), sentence(code)));
  };

  #tools = { change: this.#change, remove: this.#remove, explain: this.#explain };
}

function byDay(memories) {
  const days = new Map();
  for (const memory of memories) {
    const date = new Date(memory.happenedAt);
    const day = date.toDateString();
    days.set(day, [...(days.get(day) ?? [date]), memory]);
  }
  return [...days.values()].map(([date, ...those]) => [date, those]);
}

function empty() {
  const words = [say(make("p"), "memoriesEmpty"), say(make("p.hint"), "memoriesEmptyHint")];
  return make("div.empty", {}, icon("memory"), ...words);
}
