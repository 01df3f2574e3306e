import { atIdle } from "./idle";

/** Wakes the islands of a page, each when it asked for it. Runs without React; loads an island's code only then. */
const islands = [...document.querySelectorAll<HTMLElement>("[data-island]")];

const wake = async (element: HTMLElement) => {
  try {
    const module = (await import(element.dataset.src ?? "")) as { default: (element: Element) => Promise<void> };
    await module.default(element);
  } catch (error) {
    console.error(`island ${element.dataset.island}: could not be loaded`, error);
    if (navigator.onLine) reloadOnce();
    else addEventListener("online", () => void wake(element), { once: true });
  }
};

/** After a deployment an old page names files that are gone. It is reloaded once, however many of its files are missing. */
function reloadOnce() {
  const names = islands.map(({ dataset }) => dataset.src).join();
  try {
    if (sessionStorage.getItem("reloaded") === names) return;
    sessionStorage.setItem("reloaded", names);
  } catch {
    return; // Where nothing can be remembered, a reload could follow a reload.
  }
  location.reload();
}

/** A press that waited longer than this, in ms, is not what the person wants any more. */
const PRESS_KEPT_MS = 5000;

/** What was pressed, if only the island's script can answer it; null where the browser does so itself, as with a form that has an address. */
function askedBy(event: Event): (() => void) | null {
  const target = event.target as HTMLElement;
  if (event.type === "submit") return target.hasAttribute("action") ? null : () => (target as HTMLFormElement).requestSubmit((event as SubmitEvent).submitter);
  const button = target.closest<HTMLElement>("button[type=button]");
  return button && (() => button.click());
}

/** The last press of before this script had come, noted by `hold.ts`. */
const { early } = window as { early?: Event };

/** What is pressed while its island sleeps is done as soon as it is awake: the last press only, and only once. */
function keepPress(element: HTMLElement, first: Event | null) {
  let kept: { again: () => void; at: number } | null = null;
  const keep = (event: Event) => {
    const again = askedBy(event);
    if (!again) return;
    event.preventDefault();
    event.stopPropagation();
    kept = { again, at: event.timeStamp };
  };
  const events = ["click", "submit"];
  for (const name of events) element.addEventListener(name, keep, true);
  const press = () => {
    for (const name of events) element.removeEventListener(name, keep, true);
    if (kept && performance.now() - kept.at < PRESS_KEPT_MS) kept.again();
  };
  element.addEventListener("awake", press, { once: true });
  if (first) keep(first);
}

for (const element of islands) {
  let isAsleep = true;
  const start = () => {
    if (isAsleep) void wake(element);
    isAsleep = false;
  };
  const pressed = early && element.contains(early.target as Node) ? early : null;
  keepPress(element, pressed);
  const shown = element.children[1]?.firstElementChild ?? element;
  const when = element.dataset.when;
  if (pressed) start();
  else if (when === "idle") atIdle(start);
  else if (when === "visible")
    new IntersectionObserver(
      (entries, watcher) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        watcher.disconnect();
        start();
      },
      { rootMargin: "200px" },
    ).observe(shown);
  else if (when === "touch")
    // A click by itself, too, as a screen reader sends it; on its way down, since it goes no further.
    for (const event of ["pointerover", "focusin", "touchstart", "click"]) element.addEventListener(event, start, { once: true, passive: true, capture: true });
  else start();
}
