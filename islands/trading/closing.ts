import { signal } from "@preact/signals-react";
import { keep, kept, UNSENT } from "../wire/kept";
import { toast } from "../wire/toasts";

/** How live money is closed: after a question, after five seconds in which it can be undone, or at once. */
const CLOSINGS = ["ask", "undo", "now"] as const;
export type Closing = (typeof CLOSINGS)[number];
const CHOICE = "closing";

/** The person's choice on this device; asking first until another was made. */
export function closingChoice(): Closing {
  try {
    const choice = localStorage.getItem(CHOICE);
    return CLOSINGS.find((each) => each === choice) ?? "ask";
  } catch {
    return "ask";
  }
}

/** False where the browser keeps nothing. */
export function chooseClosing(choice: Closing): boolean {
  try {
    localStorage.setItem(CHOICE, choice);
    return true;
  } catch {
    return false;
  }
}

const UNDO_MS = 5000;
/** A timer this late, in ms, slept with its page, and nobody has seen the price that it would close at. */
const LATE_MS = 2000;
/** What waits, in words, for the page that comes after this one. */

type Held = { words: string; until: number; send: () => Promise<unknown>; timer?: ReturnType<typeof setTimeout> };
const held = new Map<string, Held>();

/** The seconds left to undo, by what is to be closed: a position's id, or an account's for all of it. */
export const secondsLeft = signal<Record<string, number>>({});

/**
 * Sends a closing in five seconds, unless it is undone. It is never sent behind the person's back: a page that is left, or sleeps
 * meanwhile, forgets it, and the next one says so.
 */
export function holdClosing(id: string, words: string, send: () => Promise<unknown>): void {
  if (held.has(id)) return;
  if (held.size === 0) {
    window.addEventListener("pagehide", leave);
    window.addEventListener("pageshow", tellUnsent);
  }
  held.set(id, { words, until: Date.now() + UNDO_MS, send });
  note();
  toast({ title: "Closing in 5 seconds", description: `${words} closes at the price of that moment. Undo keeps it open.` });
  tick(id);
}

export function undoClosing(id: string): void {
  const closing = held.get(id);
  if (!closing) return;
  drop(id);
  toast({ title: "Not closed", description: `${closing.words} stays open.` });
}

/** Says what was to be closed when the page was left. For a page that shows positions, once it is there. */
export function tellUnsent(): void {
  const words = kept(UNSENT);
  if (held.size > 0 || !Array.isArray(words)) return;
  keep(UNSENT, null);
  toast({
    title: "Not closed",
    description: `You left before the five seconds were over, so nothing was sent: ${words.join(", ")} stayed open.`,
    variant: "destructive",
  });
}

function tick(id: string) {
  const closing = held.get(id);
  if (!closing) return;
  const left = closing.until - Date.now();
  secondsLeft.value = { ...secondsLeft.peek(), [id]: Math.ceil(left / 1000) };
  if (left > 0) closing.timer = setTimeout(() => tick(id), left % 1000 || 1000);
  else if (left < -LATE_MS) {
    leave();
    tellUnsent();
  } else {
    drop(id);
    void closing.send();
  }
}

function drop(id: string) {
  clearTimeout(held.get(id)?.timer);
  held.delete(id);
  const { [id]: _, ...others } = secondsLeft.peek();
  secondsLeft.value = others;
  note();
}

const note = () => keep(UNSENT, held.size ? [...held.values()].map(({ words }) => words) : null);

/** Nothing that waits is sent any more; what it was stays noted. */
function leave() {
  for (const { timer } of held.values()) clearTimeout(timer);
  held.clear();
  secondsLeft.value = {};
}
