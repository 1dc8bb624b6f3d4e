/** The conversation with one character: what was said, and the turn that runs. */

import { Problem } from "./api.js";
import { draw } from "./avatar.js";
import { Composer } from "./composer.js";
import { byId, make } from "./dom.js";
import { say } from "./language.js";
import { Reply } from "./reply.js";
import { resume, take } from "./turn.js";

const GONE = ["session_closed", "not_found"]; // the session is over
const AGAIN = [401, 404, 409, 429]; // refusals that may not last
const NEAR_END_PX = 80; // whoever has scrolled up further is reading and is left there

/**
 * Fires "recalled" (`detail` = memory ids), "queued" when a memory is on its way, and "ended" when
 * a session was, whose last words may become one.
 */
export class Conversation extends EventTarget {
  #api;
  #find;
  #composer = new Composer();
  #log = byId("log");
  #character = null;
  #sessionId = null;
  #stop = new AbortController();

  /**
   * @param {import("./api.js").Api} api
   * @param {(id: string) => Promise<object>} find a memory by its id
   */
  constructor(api, find) {
    super();
    this.#api = api;
    this.#find = find;
    this.#composer.addEventListener("send", ({ detail }) => this.#send(detail));
    this.#composer.addEventListener("stop", () => this.#stop.abort());
    byId("new-session").addEventListener("click", () => this.#startOver());
  }

  /** Shows the open session with a character, or a new one with its greeting. */
  async open(character) {
    this.#leave(character);
    const session = await this.#api.openSession(character.id);
    const said = session ? await this.#api.messages(session.id) : [];
    if (this.#character !== character) return; // another one was picked meanwhile
    this.#sessionId = session?.id ?? null;
    this.#greet();
    for (const { role, text } of said) {
      this.#add(role === "user" ? mine(text) : this.#reply().write(text).element);
    }
    this.#ready();
  }

  /** Shows a problem that kept the page from starting, with a way to try again. */
  explain(problem, run) {
    this.#leave(null);
    const notice = new Reply({ id: "", name: "Gieok" });
    notice.fail(problem, { label: "again", run });
    notice.element.classList.add("notice");
    this.#add(notice.element);
  }

  #leave(character) {
    this.#stop.abort();
    this.#character = character;
    this.#sessionId = null;
    this.#composer.address(null);
    byId("new-session").disabled = true;
    byId("character-name").textContent = character?.name ?? "";
    draw(byId("avatar"), character ?? { id: "", name: "" });
    this.#log.replaceChildren();
    this.dispatchEvent(new CustomEvent("recalled", { detail: [] }));
  }

  #ready() {
    this.#composer.address(this.#character);
    byId("new-session").disabled = false;
    this.#toEnd();
  }

  #greet() {
    if (this.#character.greeting) this.#add(this.#reply().write(this.#character.greeting).element);
  }

  #startOver() {
    const ended = this.#sessionId;
    this.#leave(this.#character);
    this.#add(say(make("p.divider", { role: "status" }), "newSessionNote"));
    this.#greet();
    this.#ready();
    this.#composer.focus();
    if (ended) this.#end(ended);
  }

  async #end(sessionId) {
    await this.#api.endSession(sessionId).catch(() => {}); // it expires by itself as well
    this.dispatchEvent(new Event("ended"));
  }

  #send(message) {
    const request = { characterId: this.#character.id, message, clientMessageId: crypto.randomUUID() };
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (timeZone && timeZone !== "Etc/Unknown") request.timeZone = timeZone;
    if (this.#sessionId) request.sessionId = this.#sessionId;
    this.#add(mine(message));
    this.#listen(request, this.#reply(request), take);
  }

  /** Runs one turn to its end; `turn` is `take`, or `resume` for one that was sent before. */
  async #listen(request, reply, turn) {
    const stop = (this.#stop = new AbortController());
    this.#add(reply.wait().element);
    this.#composer.busy = true;
    try {
      for await (const event of turn(this.#api, request, stop.signal)) {
        if (stop.signal.aborted) break;
        this.#hear(event, request, reply);
      }
    } catch (error) {
      if (!stop.signal.aborted) this.#lost(error, request, reply);
    }
    if (stop.signal.aborted) reply.end("stopped", this.#next("showRest", request, reply, resume));
    if (this.#stop !== stop) return; // another turn runs by now
    this.#composer.busy = false;
    if (stop.signal.aborted) this.#toEnd();
  }

  #hear({ event, data }, request, reply) {
    const follow = this.#nearEnd;
    reply.apply({ event, data });
    if (event === "meta") this.#opened(data);
    if (event === "done" && data.generationQueued) this.dispatchEvent(new Event("queued"));
    // What the server has answered under this id it would only repeat: a new try is a new message.
    const anew = { ...request, clientMessageId: crypto.randomUUID() };
    if (event === "error") reply.fail(data, data.retryable ? this.#next("retry", anew, reply, take) : null);
    if (follow) this.#toEnd();
  }

  #opened({ sessionId, memories = [] }) {
    this.#sessionId = sessionId ?? this.#sessionId;
    this.dispatchEvent(new CustomEvent("recalled", { detail: memories }));
  }

  #lost(error, request, reply) {
    if (!(error instanceof Problem)) console.error(error); // a mistake of this page: not hidden
    const problem = error instanceof Problem ? error : new Problem({});
    if (GONE.includes(problem.code)) delete request.sessionId; // goes on in a new session
    if (GONE.includes(problem.code)) this.#sessionId = null;
    const final = problem.status >= 400 && problem.status < 500 && !AGAIN.includes(problem.status);
    reply.fail(problem, final ? null : this.#next("retry", request, reply, take));
    this.#toEnd();
  }

  /** A button that puts another try in the place of this reply. */
  #next(label, request, reply, turn) {
    const run = () => {
      if (this.#composer.busy) return;
      const another = this.#reply(request);
      reply.element.replaceWith(another.element);
      this.#composer.focus();
      this.#listen(request, another, turn);
    };
    return { label, run };
  }

  /** @param {object|null} request what it answers; null: nothing, or what an earlier visit said */
  #reply(request = null) {
    const reasons = () => this.#api.recall(request.characterId, request.message);
    return new Reply(this.#character, this.#find, reasons);
  }

  #add(element) {
    if (!element.isConnected) this.#log.append(element);
    this.#toEnd();
  }

  get #nearEnd() {
    return this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < NEAR_END_PX;
  }

  #toEnd() {
    this.#log.scrollTop = this.#log.scrollHeight;
  }
}

function mine(text) {
  const speaker = say(make("span.visually-hidden"), "you");
  return make("article.message.mine", {}, speaker, make("p.bubble", { text }));
}
