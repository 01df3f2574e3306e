import type { MouseEvent } from "react";
import { selectedSymbol } from "./selection";

/** Chooses a pair for the whole screen and notes it in the address, so that the page comes back with it. */
export function pickSymbol(symbol: string) {
  selectedSymbol.value = symbol;
  noteInAddress("symbol", symbol);
}

/** Writes a choice into the address of the page, in the place of the one before. */
export function noteInAddress(name: string, value: string) {
  const { pathname, search, hash } = location;
  const query = new URLSearchParams(search);
  query.set(name, value);
  window.history.replaceState(null, "", `${pathname}?${query.toString().replaceAll("%2F", "/")}${hash}`);
}

/** For a link that names a pair: chooses it in place, unless a new tab was asked for. */
export const picking = (symbol: string) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  pickSymbol(symbol);
};
