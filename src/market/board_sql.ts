import { priceText } from "../lib/money";
import type { Sql } from "../platform/database/db";
import { pipOf } from "./schema";

/** A quoted board as PostgreSQL array literals, for `board` parameters; the same object until a tick changes it. */
export type BoardArrays = { symbols: string; bids: string; asks: string; pips: string };

const list = (items: readonly string[]) => `{${items.join(",")}}`;

/** Quotes as the arrays of a `board`; bid and ask in units of 10⁻⁸. */
export const boardOf = (quotes: readonly { symbol: string; bid: number; ask: number }[]): BoardArrays => ({
  symbols: list(quotes.map(({ symbol }) => symbol)),
  bids: list(quotes.map(({ bid }) => priceText(bid))),
  asks: list(quotes.map(({ ask }) => priceText(ask))),
  pips: list(quotes.map(({ symbol }) => priceText(pipOf(symbol)))),
});

/** A `board` value in a query. */
export const boardValue = (sql: Sql, board: BoardArrays) =>
  sql`row(${board.symbols}::text::text[], ${board.bids}::text::numeric[], ${board.asks}::text::numeric[], ${board.pips}::text::numeric[])::board`;
