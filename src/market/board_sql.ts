import { priceText } from "../lib/money";
import type { Sql } from "../platform/db";
import type { Board, Quote } from "./board";
import { instrumentOf, instruments, isForex } from "./schema";

/** A quoted board as PostgreSQL array literals, for `board` parameters; the same object until a tick changes it. */
export type BoardArrays = { symbols: string; bids: string; asks: string; pips: string };

/** The pip that a tier's spread counts in, in units of 10⁻⁸; 0 where none applies. */
export const tierPip = (symbol: string): number => {
  const instrument = instrumentOf(symbol);
  return instrument && isForex(instrument) ? instrument.pipSize : 0;
};

const list = (items: readonly string[]) => `{${items.join(",")}}`;

/** Quotes as the arrays of a `board`. */
export const boardOf = (quotes: readonly Quote[]): BoardArrays => ({
  symbols: list(quotes.map(({ symbol }) => symbol)),
  bids: list(quotes.map(({ bid }) => priceText(bid))),
  asks: list(quotes.map(({ ask }) => priceText(ask))),
  pips: list(quotes.map(({ symbol }) => priceText(tierPip(symbol)))),
});

/** Makes the board's arrays, anew only where a tick came since the last time. */
export function boardWriter(board: Board): () => BoardArrays {
  let written: BoardArrays | null = null;
  board.onChange(() => {
    written = null;
  });
  return () => {
    if (written) return written;
    written = boardOf(instruments.flatMap(({ symbol }) => board.get(symbol) ?? []));
    return written;
  };
}

/** A `board` value in a query. */
export const boardValue = (sql: Sql, board: BoardArrays) =>
  sql`row(${board.symbols}::text::text[], ${board.bids}::text::numeric[], ${board.asks}::text::numeric[], ${board.pips}::text::numeric[])::board`;
