/**
 * Stands beside `theme.ts` in the head of a page with islands: keeps what is pressed in one that sleeps, in order and each button once, for
 * `islands/runtime/boot.ts`, which does it when the island wakes. Where that takes too long, a form that says `data-late` is sent as it stands, and
 * a button with `data-plain` leads there: to pages that need no script.
 */
const LATE_MS = 5000;
const early: Map<Element, Event[]> = new Map();
Object.assign(window, { early });
const buttonOf = ({ target, submitter }: Event & { submitter?: Element }) => submitter ?? (target as Element).closest<HTMLElement>("button[type=button]");
for (const name of ["click", "submit"])
  addEventListener(
    name,
    (event) => {
      const target = event.target as HTMLFormElement;
      const island = target.closest("[data-island]:not([data-awake])");
      const button = buttonOf(event);
      if (!island || !(name === "submit" ? target.matches("[data-late],:not([action])") : button)) return;
      event.preventDefault();
      event.stopPropagation();
      button?.setAttribute("aria-busy", "true");
      early.set(island, [...(early.get(island) ?? []).filter((each) => buttonOf(each) !== button), event]);
      const { plain } = (button as HTMLElement | null)?.dataset ?? {};
      setTimeout(() => {
        if (!early.get(island)?.includes(event)) return;
        if (plain) location.href = plain;
        else if (target.dataset.late) {
          delete target.dataset.late;
          target.requestSubmit(button as HTMLElement | null);
        }
      }, LATE_MS);
    },
    true,
  );

// What islands need is asked for after the style sheet, which the first picture waits for: on a slow line they would share it.
for (const link of document.querySelectorAll<HTMLLinkElement>("link[media]")) link.media = "";

// What lies below the first screen is styled and laid out after the first picture, unless the address leads there.
const { dataset, style } = document.documentElement;
if (!location.hash) {
  dataset.first = "";
  requestAnimationFrame(() => requestAnimationFrame(() => delete dataset.first));
}

// A workstation's panels have the sizes that this browser keeps (`DeskEdges`) before anything is painted.
try {
  style.cssText = localStorage.desk ?? "";
} catch {
  // They have the usual ones.
}
