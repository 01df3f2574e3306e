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

/** What was pressed in islands that sleep, kept by `hold.ts`. */
const { early } = window as unknown as { early: Map<Element, Event[]> };

/**
 * Does what was pressed. Nothing is dealt by a press that waited, since the price is another by now: where that would be, the page that asks first is
 * led to (`data-plain`), or the button pressed that shows what would be done (a form's `data-late` has its id). A form of which `data-late` says "again"
 * deals nothing by itself; one that says "plain" is sent to the page that its address is.
 */
function press(event: Event) {
  const target = event.target as HTMLFormElement;
  const { submitter } = event as SubmitEvent;
  const button = target.closest<HTMLElement>("button[type=button]");
  (submitter ?? button)?.removeAttribute("aria-busy");
  if (event.type === "click" && button?.dataset.plain) location.href = button.dataset.plain;
  else if (event.type === "click") button?.click();
  else if ((target.dataset.late ?? "again") === "again") target.requestSubmit(submitter);
  else {
    const asks = document.getElementById(target.dataset.late ?? "");
    if (asks) asks.click();
    else target.submit();
  }
}

for (const element of islands) {
  let isAsleep = true;
  const start = () => {
    if (isAsleep) void wake(element);
    isAsleep = false;
  };
  element.addEventListener(
    "awake",
    () => {
      const pressed = early.get(element) ?? [];
      early.delete(element);
      for (const each of pressed) press(each);
    },
    { once: true },
  );
  const shown = element.children[1]?.firstElementChild ?? element;
  const when = element.dataset.when;
  if (early.has(element)) start();
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
  else if (when === "touch") {
    for (const event of ["pointerover", "focusin", "touchstart"]) element.addEventListener(event, start, { once: true, passive: true, capture: true });
    // A click by itself, too, as a screen reader sends it: of what is kept the element hears nothing.
    addEventListener("click", ({ target }) => element.contains(target as Node) && start(), true);
  } else start();
}
