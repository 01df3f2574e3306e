import { priceText } from "../lib/money";
import type { Sql } from "../platform/database/db";
import { pipOf } from "./schema";

/** A quoted board as PostgreSQL array literals, for `board` parameters; the same object until a tick changes it. */
export type BoardArrays = { symbols: string; bids: string; asks: string; pips: string };

const list = (items: readonly string[]) => `{${items.join(",")}}`;

type Quoted = { readonly symbol: string; readonly bid: number; readonly ask: number };
type Texts = { bid: string; ask: string; pip: string };

/** A quote's numbers as text, written once for as long as it stands on the board. */
const texts = new WeakMap<Quoted, Texts>();
function textsOf(quote: Quoted): Texts {
  let written = texts.get(quote);
  if (!written) {
    written = { bid: priceText(quote.bid), ask: priceText(quote.ask), pip: priceText(pipOf(quote.symbol)) };
    texts.set(quote, written);
  }
  return written;
}

/** Quotes as the arrays of a `board`; bid and ask in units of 10⁻⁸. */
export function boardOf(quotes: readonly Quoted[]): BoardArrays {
  const written = quotes.map(textsOf);
  return {
    symbols: list(quotes.map(({ symbol }) => symbol)),
    bids: list(written.map(({ bid }) => bid)),
    asks: list(written.map(({ ask }) => ask)),
    pips: list(written.map(({ pip }) => pip)),
  };
}

/** A `board` value in a query. */
export const boardValue = (sql: Sql, board: BoardArrays) =>
  sql`row(${board.symbols}::text::text[], ${board.bids}::text::numeric[], ${board.asks}::text::numeric[], ${board.pips}::text::numeric[])::board`;
