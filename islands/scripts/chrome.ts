/**
 * What every page's frame does: the theme's buttons, menus that close, tooltips once somebody points at something, and, when the browser
 * has nothing else to do, the rest of a long page and the installable app.
 */
import { whenIdle } from "../runtime/idle";
import { reportVisit } from "./visit";

const root = document.documentElement;
const choices = ["light", "dark", "system"];
const INSTALL_MS = 3000;

const apply = (choice: string | null | undefined) => {
  const name = choices.includes(choice as string) ? (choice as string) : "system";
  root.dataset.theme = root.dataset.choice = name;
  if (name === "system") delete root.dataset.theme;
  for (const button of document.querySelectorAll("[data-theme-toggle]")) button.setAttribute("aria-label", `Theme: ${name}. Change theme`);
  for (const button of document.querySelectorAll<HTMLElement>("[data-theme-choice]"))
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === name));
  dispatchEvent(new Event("themechange"));
};

apply(root.dataset.choice);
window.addEventListener("storage", (event) => event.key === "theme" && apply(event.newValue));

document.addEventListener("click", (event) => {
  const target = event.target as Element;
  const switched = target.closest<HTMLElement>("[data-theme-toggle], [data-theme-choice]");
  if (switched) {
    const next = switched.dataset.themeChoice ?? (choices[(choices.indexOf(root.dataset.choice as string) + 1) % choices.length] as string);
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

type Offer = Event & { prompt(): Promise<{ outcome: "accepted" | "dismissed" }> };
type Card = { default: (offer: Offer | null, staff: boolean) => void };

/** The card's code is fetched only where it will be shown: not in the installed app, not after a dismissal, not where nothing can be installed. */
function offerInstall({ install, staff }: DOMStringMap) {
  const apple = "standalone" in navigator;
  if ((navigator as { standalone?: boolean }).standalone || matchMedia("(display-mode: standalone)").matches || dismissed()) return;
  let offer: Offer | null = null;
  let due = false;
  const show = async () => {
    if (!due || (!offer && !apple)) return;
    due = false;
    ((await import(install as string)) as Card).default(offer, staff !== undefined);
  };
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event as Offer;
    void show();
  });
  whenIdle(() =>
    setTimeout(() => {
      due = true;
      void show();
    }, INSTALL_MS),
  );
}

function dismissed(): boolean {
  try {
    return localStorage.getItem("install") === "dismissed";
  } catch {
    return true; // Nothing can be remembered, so nothing is asked.
  }
}

const far = document.getElementsByClassName("far");
/** The far parts of a page are not needed for its first picture. They follow one at a time, so that a printed page has all of it. */
function unfold() {
  far[0]?.classList.remove("far");
  if (far.length > 0) requestAnimationFrame(() => whenIdle(unfold));
}

const { dataset } = document.currentScript as HTMLScriptElement;
offerInstall(dataset);
// The first thing pointed at, by mouse or keyboard, has its tooltip as well: the module looks at what it finds.
for (const turned of ["pointerover", "focusin"]) addEventListener(turned, () => void import(dataset.tooltip as string).catch(() => {}), { once: true });
// Each when there is time for it, not all in one go.
// Where the browser forbids workers, as in some private windows, the site is a site and no app.
whenIdle(() => void navigator.serviceWorker?.register("/sw.js").catch(() => {}));
whenIdle(reportVisit);
// The browser keeps it for the page that is likely next.
const { next } = dataset;
if (next) whenIdle(() => void fetch(next).catch(() => {}));
whenIdle(unfold);
