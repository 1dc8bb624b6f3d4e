/** Asking before something that cannot be undone. */

import { byId } from "./dom.js";

/** Shows what would be deleted; resolves to whether the user wants that. */
export function confirmDeletion(what) {
  const dialog = byId("confirm");
  byId("confirm-text").textContent = what;
  dialog.returnValue = "";
  byId("confirm-yes").onclick = () => dialog.close("yes");
  byId("confirm-no").onclick = () => dialog.close("");
  dialog.showModal();
  byId("confirm-no").focus(); // the harmless answer first
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
