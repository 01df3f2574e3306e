/** Wakes the islands of a page, each when it asked for it. Runs without React; loads an island's code only then. */
const wake = async (element: HTMLElement) => {
  const source = element.dataset.src ?? "";
  try {
    const module = (await import(source)) as { default: (element: Element) => void };
    module.default(element);
  } catch (error) {
    console.error(`island ${element.dataset.island}: could not be loaded`, error);
    // After a deployment the old page names files that are gone: one reload fetches the new page, and only one.
    if (sessionStorage.getItem("reloaded") === source) return;
    sessionStorage.setItem("reloaded", source);
    location.reload();
  }
};

const once = (wakeIt: () => void) => {
  let done = false;
  return () => {
    if (!done) wakeIt();
    done = true;
  };
};

for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) {
  const start = once(() => void wake(element));
  const shown = element.children[1]?.firstElementChild ?? element;
  const when = element.dataset.when;
  if (when === "idle") (globalThis.requestIdleCallback ?? setTimeout)(start);
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
    for (const event of ["pointerover", "focusin", "touchstart"]) element.addEventListener(event, start, { once: true, passive: true });
  else start();
}
