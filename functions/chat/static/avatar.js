/** A character's picture: the first letter of the name on a colour of its own. */

const TONES = 6; // as many as conversation.css has

/** Draws the picture into a node. */
export function draw(node, { id, name }) {
  node.textContent = [...name][0] ?? "";
  node.dataset.tone = tone(id);
  return node;
}

function tone(id) {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.codePointAt(0)) % 9973;
  return sum % TONES;
}
