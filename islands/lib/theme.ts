/**
 * Runs in the head before anything is painted, so that a chosen theme never flashes the other one. The choice is kept
 * under the key `theme`: light, dark or system (follows the device).
 */
const root = document.documentElement;
const choices = ["light", "dark", "system"];

const stored = () => {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null; // Storage may be forbidden; the device's preference then applies.
  }
};

const apply = (choice: string | null) => {
  if (choice === "light" || choice === "dark") root.dataset.theme = choice;
  else delete root.dataset.theme;
  const name = choice && choices.includes(choice) ? choice : "system";
  root.dataset.choice = name;
  for (const button of document.querySelectorAll("[data-theme-toggle]")) button.setAttribute("aria-label", `Theme: ${name}. Change theme`);
  dispatchEvent(new Event("themechange"));
};

root.dataset.js = "";
apply(stored());
window.addEventListener("storage", (event) => event.key === "theme" && apply(event.newValue));

document.addEventListener("DOMContentLoaded", () => apply(stored()));
document.addEventListener("click", (event) => {
  const target = event.target as Element;
  if (target.closest("[data-theme-toggle]")) {
    const next = choices[(choices.indexOf(root.dataset.choice ?? "system") + 1) % choices.length] as string;
    try {
      localStorage.setItem("theme", next);
    } catch {
      // The choice then lasts for this page only.
    }
    apply(next);
  }
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]")) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]")) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});
