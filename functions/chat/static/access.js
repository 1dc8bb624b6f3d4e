/** Who is talking: tokens of the laptop's issuer, or one that the user pastes. */

const EARLY_MS = 30_000; // a token is renewed this long before it ends
const NAME = "gieok.user";
const PASTED = "gieok.token";

/** Thrown when only the user can help: no token was pasted, or the pasted one was refused. */
export class NeedsToken extends Error {}

/** Holds one user's token and renews it. Fires "change" when `mode` changes. */
export class Access extends EventTarget {
  /** @type {"unknown"|"issued"|"pasted"} where tokens come from; known after the first one. */
  mode = "unknown";
  #token = "";
  #renewAt = 0;
  #asking = null;

  /** The name that the laptop's issuer writes into the token. */
  get user() {
    return localStorage.getItem(NAME) || "me";
  }

  set user(name) {
    localStorage.setItem(NAME, name.trim() || "me");
    this.forget();
  }

  /** A token good for the next request. Throws `NeedsToken`, or the network's error. */
  async token() {
    if (this.mode === "pasted") return this.#pasted();
    if (Date.now() < this.#renewAt) return this.#token;
    this.#asking ??= this.#issue().finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** Keeps a pasted token until the tab closes. */
  paste(token) {
    sessionStorage.setItem(PASTED, token.trim());
  }

  /** Drops the token that was refused, or that was another user's. */
  forget() {
    this.#renewAt = 0;
    this.#asking = null;
    sessionStorage.removeItem(PASTED);
  }

  async #issue() {
    const response = await fetch("dev/token", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ user: this.user }),
    });
    if (response.status === 404) return this.#become("pasted"), this.#pasted();
    if (!response.ok) throw new TypeError(`the token issuer answered ${response.status}`);
    const { accessToken, expiresIn } = await response.json();
    this.#token = accessToken;
    this.#renewAt = Date.now() + expiresIn * 1000 - EARLY_MS;
    this.#become("issued");
    return accessToken;
  }

  #pasted() {
    const token = sessionStorage.getItem(PASTED);
    if (!token) throw new NeedsToken();
    return token;
  }

  #become(mode) {
    if (this.mode === mode) return;
    this.mode = mode;
    this.dispatchEvent(new Event("change"));
  }
}
