/** Correcting a memory in its place: its text, what stays beside another text, how much it matters. */

import { make } from "./dom.js";
import { say, sentence } from "./language.js";
import { saidOrDone } from "./memory_details.js";

const LONGEST = 2000;
let forms = 0; // for ids that join fields with their labels

/**
 * Puts an editor in the place of a memory's text until it is saved or left.
 * @param {object} memory
 * @param {HTMLElement} summary the text
 * @param {(fields: object) => Promise<void>} save
 * @param {() => void} left the user has turned away from it
 */
export function memoryEditor(memory, summary, save, left) {
  const id = `memory-editor-${forms++}`;
  const text = make("textarea", { id: `${id}-text`, rows: 4, maxlength: LONGEST, required: true });
  const rating = make("select", { id: `${id}-rating` }, ...options(memory.importance));
  const kept = keeper(memory.details);
  const problem = make("p.note.problem", { role: "alert", hidden: true });
  const yes = say(make("button.button"), "save");
  const no = say(make("button.button.quiet", { type: "button", click: leave }), "cancel");
  const form = make("form.memory-editor", { submit, keydown },
    make("div.field", {}, say(make("label", { for: text.id }), "memoryText"), text), kept.box,
    make("div.field", {}, say(make("label", { for: rating.id }), "memoryRating"), rating),
    problem,
    make("div.memory-editor-buttons", {}, no, yes));
  text.value = memory.summary;
  text.addEventListener("input", () => (kept.box.hidden = !reworded()));
  summary.replaceWith(form);
  text.focus();

  function reworded() {
    return text.value !== memory.summary;
  }

  function leave() {
    form.replaceWith(summary);
    left();
  }

  async function submit(event) {
    event.preventDefault();
    yes.disabled = true;
    try {
      const told = reworded() ? { summary: text.value, details: kept.chosen() } : {};
      await save({ importance: Number(rating.value), ...told });
      if (form.isConnected) leave(); // nothing was changed
      else form.replaceWith(summary);
    } catch ({ code }) {
      say(problem, sentence(code)).hidden = false;
    }
    yes.disabled = false;
  }

  function keydown(event) {
    if (event.isComposing) return; // Escape and Enter are the input method's
    if (event.key === "Escape") leave();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  }
}

/** What another text takes along, and which of the details are to stay in spite of it. */
function keeper(details) {
  const boxes = details.map(() => make("input", { type: "checkbox" }));
  const choices = boxes.map((box, i) => make("label", {}, box, make("span", {}, ...saidOrDone(details[i]))));
  const list = make("fieldset", { hidden: !details.length }, say(make("legend"), "keepDetails"), ...choices);
  const box = make("div.memory-keep", { hidden: true }, say(make("p"), "rewordHint"), list);
  return { box, chosen: () => details.filter((_, i) => boxes[i].checked) };
}

function options(chosen) {
  const numbers = Array.from({ length: 10 }, (_, i) => i + 1);
  return numbers.map((n) => make("option", { value: n, text: n, selected: n === chosen }));
}
