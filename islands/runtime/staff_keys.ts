import { useEffect, useLayoutEffect, useRef } from "react";

const isWriting = (target: EventTarget | null) =>
  target instanceof Element && target.closest("input:not([type=checkbox]), textarea, select, dialog, [contenteditable]") !== null;

/** A key that is meant for the page: pressed alone, while nobody writes and no dialog is open. Held down, only walking goes on. */
export const isCommand = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey) &&
  !(event.repeat && !/^[jk]$/.test(event.key)) &&
  !isWriting(event.target) &&
  document.querySelector("dialog[open]") === null;

/** How long after `g` its letter may be pressed, in ms: a page that is busy hears of it later. */
const GO_MS = 1500;

const rows = () => [...document.querySelectorAll<HTMLElement>("main [data-row]")].filter((row) => row.offsetParent !== null && !row.closest("dialog"));

/** The row that the keys act on: the one with the focus, or the one that its list calls current. */
function currentRow(): HTMLElement | null {
  const focused = document.activeElement?.closest<HTMLElement>("main [data-row]");
  return focused ?? document.querySelector<HTMLElement>("main [data-row][data-current]");
}

function walk(by: number) {
  const all = rows();
  const at = all.indexOf(currentRow() as HTMLElement);
  const next = all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
  if (!next) return;
  if (!next.hasAttribute("tabindex")) next.tabIndex = -1;
  next.focus();
}

/** Opens what belongs to the row: what it says it opens, else its own lines that were too long. */
function open(row: HTMLElement) {
  const own = row.querySelector<HTMLElement>("[data-opens]");
  if (own?.offsetParent) own.click();
  else unfold(row);
}

/** Shows the whole of a row, or folds it again. */
function unfold(row: HTMLElement) {
  const isOpen = row.toggleAttribute("data-unfolded");
  row.querySelector("[data-unfolds]")?.setAttribute("aria-expanded", String(isOpen));
}

type Given = { onHelp: () => void; onSearch: () => void; go: (letter: string) => void };

/**
 * The keys of every list of staff. A list that knows more of its rows (`queue_keys`) hears a key first and keeps it. `a` and `r` press what
 * says in the row that it is theirs (`data-key`), `x` the row's `input[data-select]`.
 */
export function useStaffKeys(given: Given) {
  const latest = useRef(given);
  useLayoutEffect(() => {
    latest.current = given;
  });
  useEffect(() => {
    let goes = -GO_MS;
    const decide = (key: string) => currentRow()?.querySelector<HTMLElement>(`[data-key=${key}]:enabled`)?.click();
    const withRow = (act: (row: HTMLElement) => void) => () => {
      const row = currentRow();
      if (row) act(row);
    };
    const keys: Record<string, (event: KeyboardEvent) => void> = {
      j: () => walk(1),
      k: () => walk(-1),
      o: withRow(open),
      x: withRow((row) => row.querySelector<HTMLElement>("input[data-select]")?.click()),
      a: () => decide("a"),
      r: () => decide("r"),
      g: ({ timeStamp }) => void (goes = timeStamp),
      "/": () => document.querySelector<HTMLElement>("[data-search]")?.focus(),
      "?": () => latest.current.onHelp(),
    };
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (!event.repeat && !document.querySelector("dialog[open]")) latest.current.onSearch();
        return;
      }
      if (event.defaultPrevented || !isCommand(event)) return;
      const isGoing = event.timeStamp - goes < GO_MS;
      goes = -GO_MS;
      if (isGoing) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return latest.current.go(event.key);
      }
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    // A list hears its keys first, but the letter after `g` is for none.
    const goFirst = (event: KeyboardEvent) => event.timeStamp - goes < GO_MS && isCommand(event) && press(event);
    const click = ({ target }: MouseEvent) => {
      const row = target instanceof Element && target.closest("[data-unfolds]")?.closest<HTMLElement>("[data-row]");
      if (row) unfold(row);
    };
    document.addEventListener("click", click);
    window.addEventListener("keydown", goFirst, true);
    window.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("click", click);
      window.removeEventListener("keydown", goFirst, true);
      window.removeEventListener("keydown", press);
    };
  }, []);
}
