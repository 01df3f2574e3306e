import { priceText, priceUnits } from "../lib/money";
import type { Quote, Watched } from "./rules_prices";

/**
 * A watchlist as it travels in a page beside its HTML: the time of the newest quote in ms, and a line an instrument. Its prices are whole numbers of the
 * last digit that one of them has: the bid as it is, the ask and the day's first price by what they are above it, and the time by how long before
 * the newest it was. As an object for each it would be a sixth of the trading screen.
 *
 * `time|symbol;spark;bid;ask;dayOpen;age;standing|…`; where nothing is quoted yet, `symbol;spark;dayOpen`. The standing is empty, or a letter for each
 * thing that is not as usual (`MARKS`).
 */
export function watchedLines(watched: readonly Watched[]): string {
  const known = written.get(watched);
  if (known !== undefined) return known;
  const newest = Math.max(...watched.map(({ quote }) => (quote ? Date.parse(quote.time) : 0)));
  const lines = [newest, ...watched.map((each) => lineOf(each, newest))].join("|");
  written.set(watched, lines);
  return lines;
}
/** Written once for all who see a list. */
const written = new WeakMap<readonly Watched[], string>();

function lineOf({ symbol, spark, dayOpen, quote }: Watched, newest: number): string {
  if (!quote) return [symbol, spark, dayOpen].join(";");
  const [bid, ask, open] = [quote.bid, quote.ask, dayOpen].map(priceUnits) as [number, number, number];
  let [unit, digits] = [1, 8];
  for (; digits > 1 && [bid, ask, open].every((price) => price % (unit * 10) === 0); digits--) unit *= 10;
  const written = priceText(bid).slice(0, digits - 8 || undefined);
  const marks = Object.entries(MARKS).map(([mark, is]) => (is(quote) ? mark : ""));
  return [symbol, spark, written, (ask - bid) / unit, (open - bid) / unit, newest - Date.parse(quote.time), marks.join("")].join(";");
}

/** What is not as usual of a quote, by the letter that says so. */
const MARKS: Record<string, (quote: Quote) => boolean> = {
  s: ({ stale }) => stale,
  m: ({ open }) => !open,
  c: ({ closeOnly }) => closeOnly === true,
  B: ({ barred }) => barred === "buy",
  S: ({ barred }) => barred === "sell",
};

/** The watchlist of those lines. */
export function watchedIn(lines: string): Watched[] {
  const [newest, ...rest] = lines.split("|");
  return rest.map((line) => {
    const [symbol = "", spark = "", first = "", ask, open, age, marks = ""] = line.split(";");
    if (!ask) return { symbol, spark, dayOpen: first, quote: null };
    const bid = priceUnits(first);
    const above = (by: string | undefined) => priceText(bid + Number(by) * 10 ** (8 - (first.split(".")[1]?.length ?? 0)));
    const has = (mark: string) => marks.includes(mark);
    const barred = has("B") ? "buy" : has("S") ? "sell" : null;
    const quote: Quote = {
      ...{ symbol, bid: priceText(bid), ask: above(ask), time: new Date(Number(newest) - Number(age)).toISOString(), stale: has("s"), open: !has("m") },
      ...(has("c") ? { closeOnly: true } : {}),
      ...(barred ? { barred } : {}),
    };
    return { symbol, spark, dayOpen: above(open), quote };
  });
}
