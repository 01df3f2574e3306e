/**
 * The keyboard keeps its place. A button that does something is disabled while it works, and often leaves the page with what it did; the
 * browser then drops the focus to nowhere. The focus returns to the button once it can be pressed again. Where the button is gone, and the
 * person uses a keyboard or a screen reader, it goes to what stands in its place: to the whole of it, never to a button, so that another Enter
 * does nothing.
 */

/** A list has this long, in ms, to draw itself anew after a decision, and to set the focus itself. */
const SETTLE_MS = 100;
const CONTROL = "a, button, input, select, textarea, summary";

let held: HTMLElement | null = null;
/** Whether `held` was disabled or removed; where it stood then. */
let lost = false;
let left: HTMLElement | null = null;
let byKeys = false;
let later: ReturnType<typeof setTimeout> | undefined;

const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

/** What stands where something stood, by the record of its removal. */
function neighbour({ nextSibling, previousSibling, target }: MutationRecord): HTMLElement | null {
  const near = [nextSibling, previousSibling].find((node) => node instanceof HTMLElement && node.isConnected && !node.matches(CONTROL));
  const place = near ?? target;
  return place instanceof HTMLElement && place.isConnected ? place : null;
}

function comeBack() {
  if (!isNowhere() || !held || !document.hasFocus()) return;
  if (held.isConnected) return held.focus();
  if (document.querySelector("dialog[open]")) return;
  const place = left?.isConnected ? left : null;
  if (place && !place.hasAttribute("tabindex")) {
    place.tabIndex = -1;
    place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  }
  place?.focus();
  if (isNowhere()) document.getElementById("main")?.focus();
}

function notice(records: MutationRecord[]) {
  if (!held) return;
  for (const record of records) {
    if (record.type === "attributes") lost ||= record.target.contains(held);
    else if (byKeys && [...record.removedNodes].some((node) => node.contains(held))) [lost, left] = [true, neighbour(record)];
  }
  if (!lost) return;
  clearTimeout(later);
  later = setTimeout(comeBack, SETTLE_MS);
}

/** From here on, for as long as the page is open. */
export function keepPlace(): void {
  document.addEventListener("keydown", () => (byKeys = true), true);
  // A press beside everything lets go on purpose.
  document.addEventListener("pointerdown", () => ((byKeys = false), (held = null)), true);
  document.addEventListener("focusin", ({ target }) => {
    held = target instanceof HTMLElement ? target : null;
    [lost, left] = [false, null];
  });
  held = document.activeElement instanceof HTMLElement && !isNowhere() ? document.activeElement : null;
  new MutationObserver(notice).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
}
