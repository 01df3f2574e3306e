import { priceText } from "../lib/money";
import type { Sql } from "../platform/database/db";
import { pipOf } from "./rules_listed";

/** A quoted board as PostgreSQL array literals, and as one literal of a `board`; the same object until a tick changes it. */
export type BoardArrays = { symbols: string; bids: string; asks: string; pips: string; row: string };

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
  const symbols = list(quotes.map(({ symbol }) => symbol));
  const bids = list(written.map(({ bid }) => bid));
  const asks = list(written.map(({ ask }) => ask));
  const pips = list(written.map(({ pip }) => pip));
  return { symbols, bids, asks, pips, row: `("${symbols}","${bids}","${asks}","${pips}")` };
}

/** A `board` value in a query whose parts PostgreSQL may look at row by row; where it is handed on whole, `row` is one parameter in place of four. */
export const boardValue = (sql: Sql, board: BoardArrays) =>
  sql`row(${board.symbols}::text::text[], ${board.bids}::text::numeric[], ${board.asks}::text::numeric[], ${board.pips}::text::numeric[])::board`;
