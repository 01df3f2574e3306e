/**
 * Tooltips for mouse and keyboard: what a sign without words is called, what a cut-off text says in full, what `data-tip` tells, or, where that is empty, the part
 * within that nobody is read. Each is
 * said elsewhere, too: a finger gets none. One opens where pointer or focus rests for 700 ms, and at once within 300 ms of the one before;
 * it can be pointed at, and goes with Escape, a press, scrolling, or when its owner does. `chrome.ts` loads this when something is turned to.
 */
const OPEN_MS = 700;
const SKIP_MS = 300;
/** How long the way from an owner to its tooltip may take. */
const LEAVE_MS = 150;
const GAP_PX = 6;
const EDGE_PX = 8;
const PRESSED = "a, button, summary";
/** What has opened something says nothing meanwhile: it would lie over what was asked for. */
const OPENED = "details[open] > summary, [aria-expanded=true]";

const tip = document.createElement("div");
tip.id = "tooltip";
tip.setAttribute("role", "tooltip");
// Above whatever lies on top, an open dialog too.
tip.popover = "manual";
tip.className =
  "no-print fixed inset-auto z-50 m-0 w-max max-w-64 rounded-control border border-line bg-ink px-2 py-1 text-note text-paper [overflow-wrap:anywhere]";

let owner: HTMLElement | null = null;
/** What pointer or focus is at, shown or not: it opens once for each visit. */
let at: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let closed = -SKIP_MS;
const watcher = new MutationObserver(() => owner?.isConnected === false && close());

function textOf(element: HTMLElement): string {
  const { tip: own } = element.dataset;
  if (own) return own;
  if (own === "") return element.querySelector("[aria-hidden]")?.textContent ?? "";
  const words = element.textContent;
  if (element.matches(".truncate, .line")) return element.scrollWidth > element.clientWidth ? words : "";
  return element.matches(`:is(${PRESSED}, [role=img])`) && !/\p{L}/u.test(words) ? (element.getAttribute("aria-label") ?? "") : "";
}

function ownerAround(target: Element | null): HTMLElement | null {
  for (let found = target; found; found = found.parentElement) if (textOf(found as HTMLElement)) return found as HTMLElement;
  return null;
}

/** For the keyboard: what has the focus, or a part of it that tells something. */
function ownerWithin(target: Element | null): HTMLElement | null {
  if (!target?.matches(`:is(${PRESSED}):focus-visible, [data-tip]:focus-visible`)) return null;
  return [target as HTMLElement, ...target.querySelectorAll<HTMLElement>("[data-tip], .truncate, .line, [role=img]")].find(textOf) ?? null;
}

function describe(element: HTMLElement, on: boolean) {
  const ids = (element.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== tip.id);
  if (on) ids.push(tip.id);
  if (ids.length) element.setAttribute("aria-describedby", ids.join(" "));
  else element.removeAttribute("aria-describedby");
}

function open(next: HTMLElement) {
  close();
  const text = textOf(next);
  if (!text || !next.isConnected || next.matches(OPENED)) return;
  owner = next;
  tip.textContent = text;
  (next.closest("dialog") ?? document.body).append(tip);
  tip.showPopover?.();
  const { top, bottom, left, width } = next.getBoundingClientRect();
  const above = top - tip.offsetHeight - GAP_PX;
  const most = document.documentElement.clientWidth - tip.offsetWidth - EDGE_PX;
  tip.style.top = `${above < EDGE_PX ? bottom + GAP_PX : above}px`;
  tip.style.left = `${Math.max(EDGE_PX, Math.min(left + (width - tip.offsetWidth) / 2, most))}px`;
  describe(next, true);
  watcher.observe(document.body, { childList: true, subtree: true });
}

function close() {
  clearTimeout(timer);
  if (!owner) return;
  watcher.disconnect();
  tip.remove();
  describe(owner, false);
  owner = null;
  closed = performance.now();
}

/** Pointer or focus has come to `next`, or to nothing that tells anything. */
function turnTo(next: HTMLElement | null) {
  if (next === at) return next === owner && clearTimeout(timer);
  at = next;
  clearTimeout(timer);
  if (!next) timer = setTimeout(close, LEAVE_MS);
  else if (owner || performance.now() - closed < SKIP_MS) open(next);
  else timer = setTimeout(open, OPEN_MS, next);
}

window.addEventListener("pointerover", ({ target, relatedTarget, pointerType }) => {
  if (pointerType === "touch") return;
  const next = owner && tip.contains(target as Node) ? owner : ownerAround(target as Element);
  // What was pressed says nothing more until the pointer comes to it anew.
  if (next && next !== owner && !next.contains(relatedTarget as Node)) at = null;
  turnTo(next);
});
document.documentElement.addEventListener("pointerleave", () => turnTo(null));
window.addEventListener("focusin", ({ target }) => {
  const next = ownerWithin(target as Element);
  if (next) turnTo(next);
});
window.addEventListener("focusout", ({ target }) => at && (target as Element).contains(at) && turnTo(null));
for (const name of ["pointerdown", "click"]) addEventListener(name, close, true);
window.addEventListener("keydown", ({ key }) => key === "Escape" && close(), true);
window.addEventListener("scroll", ({ target }) => owner && (target as Node).contains(owner) && close(), true);

const hovered = matchMedia("(hover: hover)").matches ? [...document.querySelectorAll(":hover")].at(-1) : null;
turnTo(ownerWithin(document.activeElement) ?? ownerAround(hovered ?? null));

export {};
