/** Requests to the HTTP API, with the user's token; failures become one kind of error. */

import { NeedsToken } from "./access.js";

/** Why a request failed: a problem document (RFC 9457), or code "network" when none came. */
export class Problem extends Error {
  constructor({ code = "internal_error", status = 0, requestId = "" }) {
    super(code);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}

/** The API as this page uses it. Every method throws `Problem`. */
export class Api {
  #access;

  constructor(access) {
    this.#access = access;
  }

  characters = async () => (await this.#json("v1/characters")).characters;
  models = () => this.#json("v1/models");
  memory = (id) => this.#json(`v1/memories/${encodeURIComponent(id)}`);
  changeMemory = (id, fields) =>
    this.#json(`v1/memories/${encodeURIComponent(id)}`, { method: "PATCH", ...json(fields) });
  deleteMemory = (id) => this.#request(`v1/memories/${encodeURIComponent(id)}`, { method: "DELETE" });
  outcome = (id, signal) => this.#json(`v1/chat/${encodeURIComponent(id)}`, { signal });
  endSession = (id) => this.#request(`v1/sessions/${encodeURIComponent(id)}/end`, { method: "POST" });

  /** One page of a character's memories, newest first. */
  memories(characterId, cursor = null) {
    const query = new URLSearchParams({ characterId });
    if (cursor) query.set("cursor", cursor);
    return this.#json(`v1/memories?${query}`);
  }

  /** A character's memories that match words best, best first: `{memories, degraded}`. */
  searchMemories(characterId, words) {
    return this.#json(`v1/memories?${new URLSearchParams({ characterId, q: words })}`);
  }

  /** What a message would bring to a character's mind, with reasons. */
  recall(characterId, query) {
    return this.#json("v1/recall", { method: "POST", ...json({ characterId, query, explain: true }) });
  }

  /** The newest session that is still open with a character alone, or undefined. */
  async openSession(characterId) {
    const { sessions } = await this.#json(`v1/sessions?${new URLSearchParams({ characterId })}`);
    return sessions.find(
      ({ status, characterIds, expiresAt }) =>
        status === "active" && characterIds.length === 1 && Date.parse(expiresAt) > Date.now(),
    );
  }

  /** The last 100 messages of a session, oldest first. */
  async messages(sessionId) {
    const page = await this.#json(`v1/sessions/${encodeURIComponent(sessionId)}/messages?limit=100`);
    return page.messages.reverse();
  }

  /** Sends a message; resolves to the response whose body is the event stream. */
  chat(request, signal) {
    const { headers, body } = json(request);
    headers.Accept = "text/event-stream";
    return this.#request("v1/chat", { method: "POST", headers, body, signal });
  }

  async #json(path, options) {
    return (await this.#request(path, options)).json();
  }

  async #request(path, options = {}) {
    let response = await this.#send(path, options);
    if (response.status === 401) {
      this.#access.forget();
      response = await this.#send(path, options);
    }
    if (!response.ok) throw await problem(response);
    return response;
  }

  async #send(path, options) {
    try {
      const headers = { ...options.headers, Authorization: `Bearer ${await this.#access.token()}` };
      return await fetch(path, { ...options, headers });
    } catch (error) {
      if (error instanceof NeedsToken) throw new Problem({ code: "needs_token" });
      if (error.name === "AbortError") throw error;
      throw new Problem({ code: "network" });
    }
  }
}

const json = (value) => ({
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(value),
});

async function problem(response) {
  const document = await response.json().catch(() => ({}));
  return new Problem({ status: response.status, ...document });
}
