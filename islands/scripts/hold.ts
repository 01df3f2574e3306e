/**
 * Stands beside `theme.ts` in the head of a page with islands, and notes the last press in one before the page's scripts have come, for
 * `islands/runtime/boot.ts`. A form without an address would lead away.
 */
for (const name of ["click", "submit"])
  addEventListener(name, (event) => {
    const target = event.target as Element;
    if (!target.closest("[data-island]:not([data-awake])")) return;
    Object.assign(window, { early: event });
    if (name === "submit" && !target.hasAttribute("action")) event.preventDefault();
  });

// What islands need is asked for after the style sheet, which the first picture waits for: on a slow line they would share it.
for (const link of document.querySelectorAll<HTMLLinkElement>("link[media]")) link.media = "";

// A workstation's panels have the sizes that this browser keeps before anything is painted.
try {
  for (const [name, size] of Object.entries(JSON.parse(localStorage.getItem("desk") ?? "{}")))
    document.documentElement.style.setProperty(`--desk-${name}`, `${Number(size)}px`);
} catch {
  // They have the usual ones.
}
