/** The page's language: words by key, and every labelled node rewritten when it is switched. */

import { en } from "./words_en.js";
import { ko } from "./words_ko.js";

const WORDS = { ko, en };
const CHOICE = "gieok.language";
const DAY_MS = 86_400_000;
const writers = new WeakMap(); // node → {slot: function that writes it in the current language}

let current = WORDS[localStorage.getItem(CHOICE)] ? localStorage.getItem(CHOICE) : preferred();

/** "ko" or "en". */
export const language = () => current;

/** The words of a key. `values` fill its gaps. */
export function t(key, values = {}) {
  const words = WORDS[current][key];
  return typeof words === "function" ? words(values) : words;
}

/** The key of the sentence for an error's code; a general one for codes unknown to this page. */
export const sentence = (code) => (WORDS[current][`error_${code}`] ? `error_${code}` : "error_other");

/** Gives a node words that follow the language. Returns the node. */
export const say = (node, key, values) => follow(node, "text", () => (node.textContent = t(key, values)));

/** Gives a node an accessible name that follows the language. Returns the node. */
export const name = (node, key, values) =>
  follow(node, "name", () => node.setAttribute("aria-label", t(key, values)));

/** Gives a node a short description for the pointer that follows the language. Returns the node. */
export const tip = (node, key, values) => follow(node, "tip", () => (node.title = t(key, values)));

/** Gives a field a placeholder that follows the language. Returns the field. */
export const prompt = (node, key) => follow(node, "prompt", () => (node.placeholder = t(key)));

/** Gives a node the day of a date: today, yesterday, or the date. Returns the node. */
export const sayDay = (node, date) => follow(node, "text", () => (node.textContent = day(date)));

/** Gives a node the time of day of a date. Returns the node. */
export const sayTime = (node, date) =>
  follow(node, "text", () => (node.textContent = format(date, { hour: "numeric", minute: "2-digit" })));

/** Switches to "ko" or "en" and remembers it. */
export function speak(choice) {
  current = choice;
  localStorage.setItem(CHOICE, choice);
  document.documentElement.lang = choice;
  for (const node of document.querySelectorAll("[data-follows]")) {
    Object.values(writers.get(node)).forEach((write) => write());
  }
}

/** Labels what the page came with: `data-t` its text, `-label` its name, `-prompt` its placeholder. */
export function labelPage() {
  document.documentElement.lang = current;
  for (const node of document.querySelectorAll("[data-t]")) say(node, node.dataset.t);
  for (const node of document.querySelectorAll("[data-t-label]")) name(node, node.dataset.tLabel);
  for (const node of document.querySelectorAll("[data-t-prompt]")) prompt(node, node.dataset.tPrompt);
}

function follow(node, slot, write) {
  writers.set(node, { ...writers.get(node), [slot]: write });
  node.dataset.follows = "";
  write();
  return node;
}

function day(date) {
  const midnight = new Date().setHours(0, 0, 0, 0);
  if (date >= midnight && date < midnight + DAY_MS) return t("today");
  if (date >= midnight - DAY_MS && date < midnight) return t("yesterday");
  const thisYear = date.getFullYear() === new Date().getFullYear();
  const year = thisYear ? {} : { year: "numeric" };
  return format(date, { ...year, month: "long", day: "numeric", weekday: "short" });
}

const format = (date, options) => new Intl.DateTimeFormat(current, options).format(date);

function preferred() {
  const known = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => WORDS[tag]);
  return known ?? "en";
}
