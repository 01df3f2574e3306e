/**
 * Stands in the head of every page and runs before anything is painted, so that a chosen theme never flashes the other one. The
 * choice is kept under the key `theme`: light, dark or system (follows the device). What changes it is in `chrome.ts`.
 */
{
  const root = document.documentElement;
  root.dataset.js = "";
  root.dataset.choice = "system";
  try {
    const choice = localStorage.getItem("theme");
    if (choice === "light" || choice === "dark") root.dataset.theme = root.dataset.choice = choice;
  } catch {
    // Storage may be forbidden; the device's preference then applies.
  }
}
