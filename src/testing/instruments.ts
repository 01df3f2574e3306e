import { readFileSync } from "node:fs";
import { holdListings, type Listed } from "../market/listings";
import type { Listing } from "../market/schema_listings";

/** The instruments that a new database has, read where it has them from. */
const [, seed = "[]"] = /\$seed\$([^]*)\$seed\$/.exec(readFileSync("sql/migrations/083_instruments.sql", "utf8")) ?? [];
const majors = ["EUR/USD", "GBP/USD", "USD/JPY", "AUD/USD", "USD/CHF", "USD/CAD", "NZD/USD"];
export const firstListed = (JSON.parse(seed) as [string, Listing][]).map(([symbol, listing]): Listed => {
  const group = listing.name.includes(" / ") ? (majors.includes(symbol) ? "forex-major" : "forex-minor") : "crypto";
  return { symbol, group, listing, terms: undefined, isBounded: false };
});

/** Puts what programs know of instruments back to what a new database has: a test file begins so, whatever the one before has listed. */
export const holdFirst = () => holdListings(firstListed);
holdFirst();
