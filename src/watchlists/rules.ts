import { invalidField } from "../lib/refusal";
import type { Watchlist } from "./schema";

/** Refuses (invalid) lists of which two have one id or one name, and a list with an instrument twice; the field is the second one's. */
export function refuseTwins(lists: readonly Watchlist[]): void {
  const refuse = (keys: string[], path: string, words: string) => {
    const second = keys.findIndex((key, index) => keys.indexOf(key) < index);
    if (second >= 0) throw invalidField(`${path}.${second}`, words);
  };
  refuse(
    lists.map(({ id }) => id),
    "lists",
    "Two lists have one id.",
  );
  refuse(
    lists.map(({ name }) => name.toLowerCase()),
    "lists",
    "Two lists have one name.",
  );
  for (const [index, { symbols }] of lists.entries()) refuse(symbols, `lists.${index}.symbols`, "This instrument is on the list already.");
}
