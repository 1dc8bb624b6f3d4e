/** Start: puts the parts of the page together and shows the first character. */

import { Access } from "./access.js";
import { Api, Problem } from "./api.js";
import { Conversation } from "./conversation.js";
import { byId } from "./dom.js";
import { Drawer } from "./drawer.js";
import { labelPage, language, speak } from "./language.js";
import { Picker } from "./picker.js";
import { themes } from "./theme.js";
import { Timeline } from "./timeline.js";

const access = new Access();
const api = new Api(access);
const timeline = new Timeline(api);
const conversation = new Conversation(api, timeline.find);
const rail = new Drawer("rail", "(min-width: 1180px)");
new Drawer("memories", "(min-width: 880px)");
const picker = new Picker(byId("characters"), (character) => {
  rail.close();
  open(character);
});

conversation.addEventListener("recalled", ({ detail }) => timeline.mark(detail));
conversation.addEventListener("queued", () => timeline.expect(true));
conversation.addEventListener("ended", () => timeline.expect(false));
access.addEventListener("change", showAccess);

/** Reads who there is to talk to; also after another user has come. */
async function start() {
  try {
    const [characters, models] = await Promise.all([api.characters(), api.models()]);
    byId("offline").hidden = !models.offline;
    if (!characters.length) throw new Problem({ code: "no_characters" });
    await open(picker.fill(characters));
  } catch (problem) {
    lock(problem);
  }
}

async function open(character) {
  try {
    await Promise.all([conversation.open(character), timeline.open(character.id)]);
  } catch (problem) {
    lock(problem);
  }
}

function lock(problem) {
  picker.fill([]);
  timeline.open(null);
  conversation.explain(problem, start);
  if (problem.code === "needs_token") rail.reveal(byId("token"));
}

function showAccess() {
  byId("user-form").hidden = access.mode !== "issued";
  byId("token-form").hidden = access.mode !== "pasted";
  byId("user").value = access.user;
}

function changeUser(event) {
  event.preventDefault();
  if (byId("user").value.trim() === access.user) return;
  access.user = byId("user").value;
  showAccess();
  start();
}

byId("user-form").addEventListener("submit", changeUser);
byId("user").addEventListener("change", changeUser);
byId("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  access.paste(byId("token").value);
  byId("token").value = "";
  start();
});
byId("language").value = language();
byId("language").addEventListener("change", ({ target }) => speak(target.value));
themes(byId("theme"));
labelPage();
start();
