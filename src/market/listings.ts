import { priceUnits } from "../lib/money";
import { heldInstruments, holdInstruments, type InstrumentGroup, type InstrumentTerms, lineOf } from "./rules_listed";
import type { Hours } from "./rules_hours";
import type { Listing } from "./schema_listings";

/** How each instrument is listed, as this program knows it by now: what pages need (`rules_listed`), and what feeds and the clock do. */

export type Listed = {
  symbol: string;
  group: InstrumentGroup;
  listing: Listing;
  terms: InstrumentTerms | undefined;
  /** Which side may be opened depends on what clients hold. */ isBounded: boolean;
};

let listings: ReadonlyMap<string, Listing> = new Map();
const listeners = new Set<() => void>();

/** Takes these, in the order of lists, in the place of those before, and tells whoever listens where something changed. */
export function holdListings(listed: readonly Listed[]): void {
  const before = heldInstruments() + JSON.stringify([...listings]);
  const called = (feed: NamedFeed) => listed.flatMap(({ symbol, listing }) => (listing[feed] === null ? [] : [[listing[feed], symbol] as const]));
  names = new Map(FEEDS_WITH_NAMES.map((feed) => [feed, new Map(called(feed))]));
  listings = new Map(listed.map(({ symbol, listing }) => [symbol, listing]));
  holdInstruments(
    listed
      .map(({ symbol, group, listing: { name, digits, pip }, terms }) => lineOf({ symbol, group, name, digits, pipSize: priceUnits(pip), terms }))
      .join("\n"),
  );
  if (before !== heldInstruments() + JSON.stringify([...listings])) for (const listener of listeners) listener();
}

/** The stable id of an instrument, as the database generates it. */
export function instrumentId(symbol: string): string {
  const hash = new Bun.CryptoHasher("md5").update(`instrument:${symbol}`).digest("hex");
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const listingOf = (symbol: string): Listing | undefined => listings.get(symbol);
export const hoursOf = (symbol: string): Hours | null => listings.get(symbol)?.hours ?? null;
const FEEDS_WITH_NAMES = ["kraken", "replay"] as const;
type NamedFeed = (typeof FEEDS_WITH_NAMES)[number];
let names = new Map<NamedFeed, ReadonlyMap<string, string>>();
/** What a feed calls each instrument that it quotes, to the symbol here. */
export const namesAt = (feed: NamedFeed): ReadonlyMap<string, string> => names.get(feed) ?? new Map();

/** Called whenever a listing is new or another. Returns the way to stop. */
export function onListings(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
