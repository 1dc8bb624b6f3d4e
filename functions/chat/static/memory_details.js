/** What was said or done, word for word, as memories show it. */

import { make } from "./dom.js";
import { say } from "./language.js";

/** Who, what, and where it belongs, to be put into an item of a list or the label of a choice. */
export function saidOrDone({ kind, who, text, context }) {
  const said = make(kind === "quote" ? "q" : "span", { text });
  const by = who === "user" ? say(make("b"), "you") : make("b", { text: who });
  return [by, " ", said, ...(context ? [make("span.memory-context", { text: context })] : [])];
}
