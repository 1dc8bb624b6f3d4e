/** Building the page out of nodes: text always goes in as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id; the page always has it. */
export const byId = (id) => document.getElementById(id);

/**
 * A new element.
 * @param {string} tag "div", or "div.card.wide" with classes.
 * @param {Record<string, unknown>} attributes `text` becomes its text, functions become listeners
 *   of the event they are named for, null and false are left out.
 * @param {...(Node|string)} children
 */
export function make(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  node.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) set(node, key, value);
  node.append(...children);
  return node;
}

/** One icon of the page's sprite, hidden from screen readers: the button around it has a label. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

function set(node, key, value) {
  if (key === "text") node.textContent = value;
  else if (typeof value === "function") node.addEventListener(key, value);
  else if (value === true) node.setAttribute(key, "");
  else if (value !== null && value !== false) node.setAttribute(key, value);
}
