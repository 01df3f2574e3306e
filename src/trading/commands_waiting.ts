import type { By } from "../platform/app_context";
import { type BoardArrays, boardValue } from "../market/board_sql";
import type { Quote } from "../market/board";
import { actorValue } from "../identity/queries";
import type { Db } from "../platform/database/db";
import { type Done, doneBy } from "../platform/http/idempotency";
import type { Idempotency } from "../platform/http/routes";
import * as c from "./commands";
import type { Position } from "./schema";

/** The commands on orders that wait, and on what moves a stop loss, each one SQL function (sql/functions/trading_waiting.sql, trading_edits.sql). */

/** What an edit may name, by the column that it changes. */
const COLUMNS = {
  stopLoss: "stop_loss",
  takeProfit: "take_profit",
  triggerPrice: "trigger_price",
  limitPrice: "limit_price",
  expiresAt: "expires_at",
  trailingDistance: "trailing_distance",
  breakEvenAt: "break_even_at",
  ocoGroup: "oco_group",
  orderType: "order_type",
} as const;
/** What is changed of a position or a waiting order: `undefined` keeps one as it is, null clears it. */
export type Changes = { [K in Exclude<keyof typeof COLUMNS, "orderType">]?: string | null | undefined };

const columnsOf = (named: { [K in keyof typeof COLUMNS]?: string | null | undefined }) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[COLUMNS[name as keyof typeof COLUMNS], value]]))),
  );

/** A waiting order after a tick or its end came to it, and the orders of its group that its fill ended. */
export type Triggered = { order: Position; gone?: string[] };

/** Takes an order that is more than a plain one at the market, or that comes while the market is closed. */
export const placeOrder = (
  sql: Db,
  by: By,
  o: c.Order & { terms: c.Terms },
  marketOpen: boolean,
  q: c.DealQuote,
  board: BoardArrays,
  idempotency: Idempotency | null,
  epoch: c.Epoch = null,
) =>
  c.refused(() =>
    doneBy<Done<Position> & { gone?: string[] }>(
      by,
      sql`
        select who.id as "userId", who.idle, order_place(
          who.id, ${o.accountId}, ${o.symbol}, ${o.type}, ${o.amount}, ${o.stopLoss}, ${o.takeProfit}, ${o.currentPrice}, ${o.maxSlippage}, ${marketOpen},
          ${c.quoteValue(sql, q)}, ${boardValue(sql, board)}, ${columnsOf(o.terms)}::text::json, ${idempotency?.key ?? null},
          ${idempotency?.fingerprint ?? null}, ${c.chosenValue(sql, q)}
        ) as done
        from ${actorValue(sql, by)}, ${c.dealFence(sql, marketOpen ? q.seq : null, epoch, sql`who.id`)}
      `,
    ),
  );

/**
 * Fills a waiting order that a tick reaches, at the market's time `at`, sets it off, or ends it; null where it no longer waits. One that this
 * very tick filled already is told again, since the answer may have been lost. Refuses (not_triggered) where the tick does not reach it.
 */
export async function triggerOrder(sql: Db, orderId: string, quote: Quote, board: BoardArrays, at: number, epoch: c.Epoch): Promise<Triggered | null> {
  const done = await c.command<Triggered | null>(
    () => sql`
      select order_trigger(
        ${orderId}, ${c.quoteValue(sql, c.ofEngine(quote))}, ${boardValue(sql, board)}, ${new Date(at).toISOString()}::text::timestamptz
      ) as done
      from ${c.leadFence(sql, epoch)}
    `,
  );
  if (done) return done;
  const before = await c.dealtBefore(sql, orderId, "open", quote.seq);
  return before && { order: before };
}

/** Ends those of an account's waiting orders whose time is over at the market's time `at`. Answers with them. */
export const expireOrders = (sql: Db, accountId: string, at: number, epoch: c.Epoch) =>
  c.command<Position[]>(
    () => sql`select orders_expire(${accountId}, ${new Date(at).toISOString()}::text::timestamptz) as done from ${c.leadFence(sql, epoch)}`,
  );

/** A tick on which the stop loss of a position moved. */
export type StopMove = { readonly positionId: string; readonly quote: Quote };
/** Stop losses that the price moved, all of one account. */
export type StopMoves = { readonly accountId: string; readonly moves: readonly StopMove[] };

/**
 * Moves the stop losses of as many accounts in one statement. Answers with what moved, and with the accounts that were held: unless it is
 * `patient`, those that another command holds must be tried alone.
 */
export const moveStops = (sql: Db, list: readonly StopMoves[], patient: boolean, epoch: c.Epoch) => {
  const moves = list.flatMap(({ accountId, moves }) =>
    moves.map(({ positionId, quote }) => ({ account: accountId, id: positionId, ...c.quoteFields(c.ofEngine(quote)) })),
  );
  return c.command<{ held: string[]; moved: { id: string; accountId: string }[] }>(
    () => sql`select stops_move(${JSON.stringify(moves)}::text::json, ${patient}) as done from ${c.leadFence(sql, epoch)}`,
  );
};

/** Changes a position or a waiting order. */
export const editPosition = (sql: Db, userId: string, positionId: string, changes: Changes, q: c.DealQuote, epoch: c.Epoch = null) =>
  c.command<Position>(
    () => sql`
      select trade_edit(${userId}, ${positionId}, ${columnsOf(changes)}::text::json, ${c.quoteValue(sql, q)}, ${c.chosenValue(sql, q)}) as done
      from ${c.dealFence(sql, null, epoch, positionId)}
    `,
  );

/** Cancels an order that still waits. */
export const cancelOrder = (sql: Db, userId: string, positionId: string, epoch: c.Epoch = null) =>
  c.command<Position>(() => sql`select trade_cancel(${userId}, ${positionId}) as done from ${c.dealFence(sql, null, epoch, positionId)}`);

/** Cancels all of a person's waiting orders, or one account's. */
export const cancelOrders = (sql: Db, userId: string, accountId: string | null, epoch: c.Epoch = null) =>
  c.command<Position[]>(() => sql`select trade_cancel_all(${userId}, ${accountId}) as done from ${c.dealFence(sql, null, epoch, userId)}`);
