import { priceText } from "../lib/money";
import { Refusal } from "../lib/refusal";
import type { Quote } from "../market/board";
import { actorValue } from "../identity/queries";
import { type BoardArrays, boardValue, tierPip } from "../market/board_sql";
import { type Db, refusalOf, type Sql } from "../platform/db";
import type { Once } from "../platform/http";
import type { By } from "../platform/house";
import { type Done, done, doneBy } from "../platform/once";
import type { Position } from "./schema";

/** The deeds on positions, each one SQL function (sql/migrations/006_orders.sql, 018_exits.sql), so one round trip. */

/** The tick a deed is made on, with its age in ms. */
export type DeedQuote = Quote & { ageMs: number };

/** A `deed_quote` value in a query. */
export const quoteValue = (sql: Sql, q: DeedQuote) =>
  sql`row(${q.seq}::bigint, ${new Date(q.at).toISOString()}::text::timestamptz, ${q.ageMs}::integer, ${priceText(q.bid)}::numeric, ${priceText(q.ask)}::numeric, ${priceText(tierPip(q.symbol))}::numeric)::deed_quote`;

const quoteFields = (q: DeedQuote) => ({
  symbol: q.symbol,
  seq: q.seq,
  at: new Date(q.at).toISOString(),
  age_ms: q.ageMs,
  bid: priceText(q.bid),
  ask: priceText(q.ask),
  pip: priceText(tierPip(q.symbol)),
});

export const quoteList = (sql: Sql, quotes: readonly DeedQuote[]) => sql`${JSON.stringify(quotes.map(quoteFields))}::text::json`;

/** Runs a deed; what the database refuses comes out as a Refusal. */
export const deed = <T>(run: () => PromiseLike<readonly { done: unknown }[]>): Promise<T> => refused(() => done<T>(run()));

async function refused<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
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

/** The epoch in which the program that deals runs the engine; null where it does not. The engine's own deeds are refused in an older one. */
export type Epoch = number | null;

/**
 * Stands before a deal in the same statement (deal_gate): a tick of an earlier epoch is refused (stale_price), and where the
 * engine runs elsewhere it is asked to look at what was dealt with: a person, an account or a position.
 */
export const gateValue = (sql: Sql, seq: number | null, epoch: Epoch, subject: string | ReturnType<Sql>) =>
  sql`deal_gate(${seq}::bigint, ${epoch}::bigint, ${subject}::uuid)`;

/** Stands before a deed of the engine in the same statement: refused (deposed) where another program leads by now. */
export const fenceValue = (sql: Sql, epoch: Epoch) => (epoch === null ? sql`(select) as alone` : sql`lead_fence(${epoch}::bigint)`);

/** Fills an order on this tick, or lets it wait where the market is closed. */
export const openPosition = (sql: Db, by: By, o: Order, marketOpen: boolean, q: DeedQuote, board: BoardArrays, once: Once | null, epoch: Epoch = null) =>
  refused(() =>
    doneBy<Done<Position>>(
      by,
      sql`
        select who.id as "userId", who.idle, trade_open(
          who.id, ${o.accountId}, ${o.symbol}, ${o.type}, ${o.amount}, ${o.stopLoss}, ${o.takeProfit}, ${o.currentPrice}, ${o.maxSlippage},
          ${marketOpen}, ${quoteValue(sql, q)}, ${boardValue(sql, board)}, ${once?.key ?? null}, ${once?.fingerprint ?? null}
        ) as done
        from ${actorValue(sql, by)}, ${gateValue(sql, marketOpen ? q.seq : null, epoch, sql`who.id`)}
      `,
    ),
  );

/** Closes the trader's position, or a part of it, on this tick. */
export const closePosition = (
  sql: Db,
  userId: string,
  positionId: string,
  part: string | null,
  requested: string | null,
  q: DeedQuote,
  once: Once | null,
  epoch: Epoch = null,
) =>
  deed<Done<Position>>(
    () => sql`
      select trade_close(${userId}, ${positionId}, ${part}, 'trader', ${quoteValue(sql, q)}, ${requested}, ${once?.key ?? null}, ${once?.fingerprint ?? null}) as done
      from ${gateValue(sql, q.seq, epoch, positionId)}
    `,
  );

/** An exit that fired: which one, of which position, on which tick. */
export type DueExit = { readonly positionId: string; readonly reason: "stop_loss" | "take_profit"; readonly quote: Quote };

/**
 * Closes a position whose stop or target a tick reached; one that this very tick closed already is told again, since the answer may
 * have been lost. Refuses (conflict, not_triggered) where the exit no longer holds.
 */
export async function closeByEngine(sql: Db, { positionId, reason, quote }: DueExit, epoch: Epoch = null): Promise<Position> {
  try {
    const done = await deed<Done<Position>>(
      () => sql`
        select trade_close(null, ${positionId}, null, ${reason}, ${quoteValue(sql, { ...quote, ageMs: 0 })}, null, null, null) as done
        from ${fenceValue(sql, epoch)}
      `,
    );
    return done.answer;
  } catch (error) {
    const before = refusalOf(error)?.code === "conflict" ? await dealtBefore(sql, positionId, "close", quote.seq) : null;
    if (before?.closeReason !== reason) throw error;
    return before;
  }
}

/** A position as it was filled on this tick; null where it was not. */
async function dealtBefore(sql: Db, positionId: string, kind: "open" | "close", seq: number): Promise<Position | null> {
  const [row] = await sql<{ position: Position }[]>`
    select position_json(p, coalesce(p.close_price, p.open_price)) as position
    from positions p
    join fills f on f.position_id = p.id
    where p.id = ${positionId} and f.kind = ${kind} and f.quote_seq = ${seq}
  `;
  return row?.position ?? null;
}

/** Closes positions of as many accounts whose exits fired, in one statement. Answers with those it closed; the others must be closed alone. */
export const closeTogether = (sql: Db, exits: readonly DueExit[], epoch: Epoch): Promise<Position[]> => {
  const list = exits.map(({ positionId, reason, quote }) => ({ id: positionId, why: reason, ...quoteFields({ ...quote, ageMs: 0 }) }));
  return deed(() => sql`select trade_exits(${JSON.stringify(list)}::text::json) as done from ${fenceValue(sql, epoch)}`);
};

/**
 * Fills a waiting order, or cancels it where margin no longer allows it; null where it no longer waits. One that this very tick filled
 * already is told again, since the answer may have been lost.
 */
export async function fillPending(sql: Db, positionId: string, quote: Quote, board: BoardArrays, epoch: Epoch): Promise<Position | null> {
  const filled = await deed<Position | null>(
    () => sql`
      select trade_fill_pending(${positionId}, ${quoteValue(sql, { ...quote, ageMs: 0 })}, ${boardValue(sql, board)}) as done from ${fenceValue(sql, epoch)}
    `,
  );
  return filled ?? dealtBefore(sql, positionId, "open", quote.seq);
}

/** Moves stop and target; `undefined` keeps one as it is, null clears it. */
export const editExits = (
  sql: Db,
  userId: string,
  positionId: string,
  { stopLoss, takeProfit }: { stopLoss?: string | null | undefined; takeProfit?: string | null | undefined },
  q: DeedQuote,
  epoch: Epoch = null,
) =>
  deed<Position>(
    () => sql`
      select trade_edit(
        ${userId}, ${positionId}, ${stopLoss === undefined}, ${stopLoss ?? null}, ${takeProfit === undefined}, ${takeProfit ?? null}, ${quoteValue(sql, q)}
      ) as done
      from ${gateValue(sql, null, epoch, positionId)}
    `,
  );

/** Cancels an order that still waits for the market to open. */
export const cancelPending = (sql: Db, userId: string, positionId: string, epoch: Epoch = null) =>
  deed<Position>(() => sql`select trade_cancel(${userId}, ${positionId}) as done from ${gateValue(sql, null, epoch, positionId)}`);

type AllClosed = { closed: Position[]; refused: { id: string; symbol: string; message: string }[] };

/** Closes all of a person's open positions, or one account's, whose symbols are among `quotes`. */
export const closeAllPositions = (sql: Db, userId: string, accountId: string | null, quotes: readonly DeedQuote[], once: Once | null, epoch: Epoch = null) =>
  deed<Done<AllClosed>>(
    () => sql`
      select trade_close_all(${userId}, ${accountId}, ${quoteList(sql, quotes)}, ${once?.key ?? null}, ${once?.fingerprint ?? null}) as done
      from ${gateValue(sql, quotes.length > 0 ? Math.min(...quotes.map(({ seq }) => seq)) : null, epoch, userId)}
    `,
  );

export const symbolOf = async (sql: Sql, userId: string, positionId: string): Promise<string> => {
  const rows = await sql<{ symbol: string }[]>`select symbol from positions where id = ${positionId} and user_id = ${userId}`;
  if (!rows[0]) throw new Refusal("not_found", "Not found.");
  return rows[0].symbol;
};
