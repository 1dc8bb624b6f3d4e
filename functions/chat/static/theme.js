/** Light or dark: as the system has it, unless the user chooses. */

const CHOICE = "gieok.theme";

/** Binds a select of "auto", "light" and "dark" to the page. */
export function themes(select) {
  select.value = localStorage.getItem(CHOICE) ?? "auto";
  wear(select.value);
  select.addEventListener("change", () => {
    localStorage.setItem(CHOICE, select.value);
    wear(select.value);
  });
}

function wear(theme) {
  document.documentElement.dataset.theme = theme;
}
