/** What a user can do to a memory: pin it, mute it, correct it, delete it. */

import { icon, make } from "./dom.js";
import { name, tip } from "./language.js";
import { memoryEditor } from "./memory_editor.js";

/**
 * @typedef {object} Tools
 * @property {(memory: object, fields: object, tool: string) => Promise<void>} change
 * @property {(memory: object) => void} remove
 * @property {(problem: object) => void} explain shows why a change was not made
 */

/**
 * The buttons of a memory.
 * @param {object} memory
 * @param {HTMLElement} summary its text, whose place the editor takes
 * @param {Tools} tools
 */
export function memoryTools(memory, summary, { change, remove, explain }) {
  const toggle = (tool, field, label) => {
    const flip = () => change(memory, { [field]: !memory[field] }, tool).catch(explain);
    const button = toolButton(tool, label, memory, flip);
    button.setAttribute("aria-pressed", memory[field]);
    return button;
  };
  const edit = toolButton("edit", "editMemory", memory, () => {
    if (!summary.isConnected) return; // it is being edited
    const save = (fields) => change(memory, fields, "edit");
    memoryEditor(memory, summary, save, () => edit.focus());
  });
  return make("div.memory-tools", {},
    toggle("pin", "pinned", "pinMemory"),
    toggle("mute", "muted", "muteMemory"),
    edit,
    toolButton("trash", "deleteMemory", memory, () => remove(memory)));
}

function toolButton(tool, label, { summary }, click) {
  const button = make("button.icon-button.small", { type: "button", "data-tool": tool, click });
  button.append(icon(tool));
  return tip(name(button, label, { summary }), label, { summary: "" });
}
