import { waysIn } from "../../src/lib/ways";

/**
 * Toasts, without a framework, so that any island may raise one. They are shown one at a time and close after five seconds, but not while
 * pointed at or focused; a button, Escape or a swipe of 50 pixels to the right closes one too. F8 moves the focus to their region. Bad news
 * interrupts a screen reader, good news waits its turn.
 */
type Toast = {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
  /** Where what it tells of stands: the tab of a screen that has it, by name. */
  link?: { words: string; href: string; tab: string };
};

const CLOSE_AFTER_MS = 5000;
/** A dismissed toast stays in the document, hidden, so that nothing that refers to it breaks. */
const REMOVE_AFTER_MS = 1_000_000;
const SWIPE_PX = 50;

type Shown = { element: HTMLElement; timer: ReturnType<typeof setTimeout> | undefined };
let shown: Shown | null = null;

/** Shows a toast in the place of the one before it; returns the way to close it. */
export function toast(given: Toast): () => void {
  const region = regionOf(document);
  region.replaceChildren();
  clearTimeout(shown?.timer);
  const element = draw(given);
  const current: Shown = { element, timer: undefined };
  shown = current;
  const close = () => dismiss(current);
  const run = () => {
    clearTimeout(current.timer);
    current.timer = setTimeout(close, CLOSE_AFTER_MS);
  };
  const hold = () => clearTimeout(current.timer);
  element.querySelector("button")?.addEventListener("click", close);
  element.addEventListener("pointerenter", hold);
  element.addEventListener("pointerleave", run);
  element.addEventListener("focusin", hold);
  element.addEventListener("focusout", run);
  element.addEventListener("keydown", (event) => event.key === "Escape" && close());
  swipeable(element, close);
  region.append(element);
  region.style.bottom = aboveBar();
  // On a wide screen the order stands on the right, with the button that sends it at its foot: a toast stands on the left there.
  region.toggleAttribute("data-aside", document.querySelector('[action="/positions/new"]') !== null);
  raise(region);
  run();
  return close;
}

function dismiss(toast: Shown) {
  clearTimeout(toast.timer);
  if (toast.element.hidden) return;
  toast.element.hidden = true;
  toast.element.dataset.state = "closed";
  toast.timer = setTimeout(() => toast.element.remove(), REMOVE_AFTER_MS);
}

function regionOf(page: Document): HTMLElement {
  const found = page.getElementById("toasts") as HTMLElement;
  if (!found.dataset.keys) {
    found.dataset.keys = "F8";
    page.addEventListener("keydown", (event) => {
      if (event.key !== "F8") return;
      event.preventDefault();
      found.focus();
    });
  }
  return found;
}

/** Under the thumb of a phone stand the prices that one trades at, or the app's menu: a toast stands above them. */
function aboveBar(): string {
  const bars = document.querySelectorAll<HTMLElement>("[data-bottom-bar], .foot-bar");
  const height = Math.max(...[...bars].map(({ offsetHeight }) => offsetHeight), 0);
  return height ? `${height + 16}px` : "";
}

/** On a phone a dialog is a sheet whose buttons are where toasts are otherwise. */
const ABOVE_SHEET = ["max-md:top-4", "max-md:bottom-auto"];

/** An open dialog covers and mutes all else, so the region lives in it for as long as it is open. */
function raise(region: HTMLElement) {
  const dialog = [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")].at(-1);
  if (!dialog || dialog.contains(region)) return;
  const { parentElement: home } = region;
  dialog.append(region);
  region.style.bottom = "";
  region.classList.add(...ABOVE_SHEET);
  const back = () => {
    // A closing is told late: the dialog may be open again.
    if (dialog.isConnected && dialog.open) return;
    watcher.disconnect();
    dialog.removeEventListener("close", back);
    region.classList.remove(...ABOVE_SHEET);
    region.style.bottom = aboveBar();
    home?.append(region);
  };
  const watcher = new MutationObserver(() => dialog.isConnected || back());
  watcher.observe(document.body, { childList: true, subtree: true });
  dialog.addEventListener("close", back);
}

function draw({ title, description, variant = "default", link }: Toast): HTMLElement {
  const bad = variant === "destructive";
  const element = document.createElement("div");
  element.setAttribute("role", bad ? "alert" : "status");
  element.dataset.state = "open";
  element.dataset.variant = variant;
  // What goes aside is the toast's: a browser that took it for itself would tell no more of it.
  element.className = `relative [touch-action:pan-y] rounded-card border ${bad ? "border-loss bg-loss-soft" : "border-line bg-surface"} py-3 pl-4 pr-12 text-ink shadow-raised [&[hidden]]:hidden`;
  const heading = document.createElement("p");
  heading.className = "text-product font-semibold";
  heading.textContent = title;
  element.append(heading);
  if (description) {
    const text = document.createElement("p");
    text.className = "text-product";
    text.append(...waysIn(description).flatMap(pieces));
    element.append(text);
  }
  if (link) {
    const way = document.createElement("a");
    way.className = "inline-flex min-h-11 items-center text-product font-medium text-accent";
    way.href = link.href;
    way.dataset.tab = link.tab;
    way.textContent = link.words;
    element.append(way);
  }
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-label", "Close notification");
  button.className = "absolute right-0 top-0 inline-flex size-11 items-center justify-center text-[1.25rem] leading-none text-soft hover:text-ink";
  button.textContent = "×";
  element.append(button);
  return element;
}

function pieces(part: string | { href: string; words: string }): HTMLElement[] {
  if (typeof part !== "string") {
    const way = document.createElement("a");
    way.className = "font-medium underline underline-offset-2";
    way.href = part.href;
    way.textContent = part.words;
    return [way];
  }
  // A line may break between '−' and '$' where nothing holds them together.
  return part.split(/(−\$[\d,.]*\d)/).map((words, at) => {
    const piece = document.createElement("span");
    if (at % 2) piece.className = "whitespace-nowrap";
    piece.textContent = words;
    return piece;
  });
}

function swipeable(element: HTMLElement, close: () => void) {
  let from: number | null = null;
  const moved = (event: PointerEvent) => (from === null ? 0 : Math.max(0, event.clientX - from));
  element.addEventListener("pointerdown", (event) => {
    if ((event.target as Element).closest("button, a")) return;
    from = event.clientX;
  });
  element.addEventListener("pointermove", (event) => {
    if (from !== null) element.style.translate = `${moved(event)}px 0`;
  });
  const end = (event: PointerEvent) => {
    const far = moved(event) >= SWIPE_PX;
    from = null;
    element.style.translate = "";
    if (far) close();
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", () => {
    from = null;
    element.style.translate = "";
  });
}
