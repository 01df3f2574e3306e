import { priceText } from "../lib/money";
import { Refusal } from "../lib/refusal";
import type { Quote } from "../market/board";
import { type BoardArrays, boardValue, tierPip } from "../market/board_sql";
import { type Db, refusalOf, type Sql } from "../platform/db";
import type { Once } from "../platform/http";
import type { Done } from "../platform/once";
import type { Position } from "./schema";

/** The deeds on positions, each one SQL function (sql/migrations/006_orders.sql, 007_margin.sql), so one round trip. */

/** The tick a deed is made on, with its age in ms. */
export type DeedQuote = Quote & { ageMs: number };

/** A `deed_quote` value in a query. */
export const quoteValue = (sql: Sql, q: DeedQuote) =>
  sql`row(${q.seq}::bigint, ${new Date(q.at).toISOString()}::text::timestamptz, ${q.ageMs}::integer, ${priceText(q.bid)}::numeric, ${priceText(q.ask)}::numeric, ${priceText(tierPip(q.symbol))}::numeric)::deed_quote`;

const quoteList = (sql: Sql, quotes: readonly DeedQuote[]) => {
  const list = quotes.map((q) => ({
    symbol: q.symbol,
    seq: q.seq,
    at: new Date(q.at).toISOString(),
    age_ms: q.ageMs,
    bid: priceText(q.bid),
    ask: priceText(q.ask),
    pip: priceText(tierPip(q.symbol)),
  }));
  return sql`${JSON.stringify(list)}::text::json`;
};

/** Runs a deed; what the database refuses comes out as a Refusal. */
export async function deed<T>(run: () => PromiseLike<readonly { done: unknown }[]>): Promise<T> {
  try {
    const [row] = await run();
    return row?.done as T;
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

export type Order = {
  accountId: string | null;
  symbol: string;
  type: "buy" | "sell";
  amount: string;
  stopLoss: string | null;
  takeProfit: string | null;
  currentPrice: string | null;
  maxSlippage: string | null;
};

/** Fills an order on this tick, or lets it wait where the market is closed. */
export const openPosition = (sql: Db, userId: string, o: Order, marketOpen: boolean, q: DeedQuote, board: BoardArrays, once: Once | null) =>
  deed<Done<Position>>(
    () => sql`
      select trade_open(
        ${userId}, ${o.accountId}, ${o.symbol}, ${o.type}, ${o.amount}, ${o.stopLoss}, ${o.takeProfit}, ${o.currentPrice}, ${o.maxSlippage},
        ${marketOpen}, ${quoteValue(sql, q)}, ${boardValue(sql, board)}, ${once?.key ?? null}, ${once?.fingerprint ?? null}
      ) as done
    `,
  );

/** Closes the trader's position, or a part of it, on this tick. */
export const closePosition = (sql: Db, userId: string, positionId: string, part: string | null, requested: string | null, q: DeedQuote, once: Once | null) =>
  deed<Done<Position>>(
    () => sql`
      select trade_close(${userId}, ${positionId}, ${part}, 'trader', ${quoteValue(sql, q)}, ${requested}, ${once?.key ?? null}, ${once?.fingerprint ?? null}) as done
    `,
  );

/** Closes a position whose stop or target this tick reached. Refuses (conflict, not_triggered) where that is no longer so. */
export const closeByEngine = async (sql: Db, positionId: string, reason: "stop_loss" | "take_profit", quote: Quote): Promise<Position> => {
  const done = await deed<Done<Position>>(
    () => sql`select trade_close(null, ${positionId}, null, ${reason}, ${quoteValue(sql, { ...quote, ageMs: 0 })}, null, null, null) as done`,
  );
  return done.answer;
};

/** Fills a waiting order, or cancels it where margin no longer allows it; null where it no longer waits. */
export const fillPending = (sql: Db, positionId: string, quote: Quote, board: BoardArrays) =>
  deed<Position | null>(() => sql`select trade_fill_pending(${positionId}, ${quoteValue(sql, { ...quote, ageMs: 0 })}, ${boardValue(sql, board)}) as done`);

/** Moves stop and target; `undefined` keeps one as it is, null clears it. */
export const editExits = (
  sql: Db,
  userId: string,
  positionId: string,
  { stopLoss, takeProfit }: { stopLoss?: string | null | undefined; takeProfit?: string | null | undefined },
  q: DeedQuote,
) =>
  deed<Position>(
    () => sql`
      select trade_edit(
        ${userId}, ${positionId}, ${stopLoss === undefined}, ${stopLoss ?? null}, ${takeProfit === undefined}, ${takeProfit ?? null}, ${quoteValue(sql, q)}
      ) as done
    `,
  );

/** Cancels an order that still waits for the market to open. */
export const cancelPending = (sql: Db, userId: string, positionId: string) => deed<Position>(() => sql`select trade_cancel(${userId}, ${positionId}) as done`);

export type AllClosed = { closed: Position[]; refused: { id: string; symbol: string; message: string }[] };

/** Closes all of a person's open positions, or one account's, whose symbols are among `quotes`. */
export const closeAllPositions = (sql: Db, userId: string, accountId: string | null, quotes: readonly DeedQuote[], once: Once | null) =>
  deed<Done<AllClosed>>(
    () => sql`select trade_close_all(${userId}, ${accountId}, ${quoteList(sql, quotes)}, ${once?.key ?? null}, ${once?.fingerprint ?? null}) as done`,
  );

/** An account that fell below its used margin (`called`), or recovered; figures in USD, the level in percent. */
export type MarginCall = { called: boolean; accountNumber: string; equity: string; used: string; level: string | null };

/** Notes a margin call or its end; null where the database sees nothing new on this board. */
export const callMargin = (sql: Sql, accountId: string, board: BoardArrays) =>
  deed<MarginCall | null>(() => sql`select trade_margin_call(${accountId}, ${boardValue(sql, board)}) as done`);

/** A position that a stop-out closed, with the account's figures just before. */
export type StopOut = { closed: Position; equity: string; used: string; level: string };

/** Closes the worst position of an account below half its used margin, among the symbols of `quotes`; null where it must not. */
export const stopOut = (sql: Sql, accountId: string, board: BoardArrays, quotes: readonly Quote[]) =>
  deed<StopOut | null>(
    () => sql`
      select trade_stop_out(${accountId}, ${boardValue(sql, board)}, ${quoteList(
        sql,
        quotes.map((quote) => ({ ...quote, ageMs: 0 })),
      )}) as done
    `,
  );

export const symbolOf = async (sql: Sql, userId: string, positionId: string): Promise<string> => {
  const rows = await sql<{ symbol: string }[]>`select symbol from positions where id = ${positionId} and user_id = ${userId}`;
  if (!rows[0]) throw new Refusal("not_found", "Not found.");
  return rows[0].symbol;
};
