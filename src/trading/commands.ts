import { priceText } from "../lib/money";
import { Refusal } from "../lib/refusal";
import type { Quote } from "../market/board";
import { actorValue } from "../identity/queries";
import type { BoardArrays } from "../market/board_sql";
import { pipOf } from "../market/rules_listed";
import { type Db, refusalOf, type Sql } from "../platform/database/db";
import type { Idempotency } from "../platform/http/routes";
import type { By } from "../platform/app_context";
import { type Done, done, doneBy, type Foretell } from "../platform/http/idempotency";
import type { OrderType, Position } from "./schema";

/** The commands on positions, each one SQL function (sql/functions/trading_*.sql), so one round trip. */

/** The tick a command is made on, with its age in ms when it was chosen, and when that was, by the database's time in ms since the epoch. */
export type DealQuote = Quote & { ageMs: number; chosenAt: number };
/** A tick as the engine deals on it: the one that fired, however long writing takes. */
export const ofEngine = (quote: Quote): DealQuote => ({ ...quote, ageMs: 0, chosenAt: 0 });

const instant = (at: number) => new Date(at).toISOString();
export const chosenValue = (sql: Sql, { chosenAt }: DealQuote) => sql`${instant(chosenAt)}::text::timestamptz`;

/** A tick as one literal of a `deed_quote`. */
const quoteRow = (q: DealQuote) => `(${q.seq},${instant(q.at)},${q.ageMs},${priceText(q.bid)},${priceText(q.ask)},${priceText(pipOf(q.symbol))})`;

/** A `deed_quote` value in a query. */
export const quoteValue = (sql: Sql, q: DealQuote) =>
  sql`row(${q.seq}::bigint, ${instant(q.at)}::text::timestamptz, ${q.ageMs}::integer, ${priceText(q.bid)}::numeric, ${priceText(q.ask)}::numeric, ${priceText(pipOf(q.symbol))}::numeric)::deed_quote`;

export const quoteFields = (q: DealQuote) => ({
  symbol: q.symbol,
  seq: q.seq,
  at: new Date(q.at).toISOString(),
  age_ms: q.ageMs,
  bid: priceText(q.bid),
  ask: priceText(q.ask),
  pip: priceText(pipOf(q.symbol)),
  chosen: instant(q.chosenAt),
});

export const quoteList = (sql: Sql, quotes: readonly DealQuote[]) => sql`${JSON.stringify(quotes.map(quoteFields))}::text::json`;

/** Runs a command; what the database refuses comes out as a Refusal. */
export const command = <T>(run: () => PromiseLike<readonly { done: unknown }[]>): Promise<T> => refused(() => done<T>(run()));

export async function refused<T>(run: () => Promise<T>): Promise<T> {
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
  /** Missing: a plain order at the market. */
  terms?: Terms;
};
/** What an order waits for, until when and with which others, and how its stop loss moves. Prices and distances as decimal text. */
export type Terms = {
  orderType: OrderType;
  triggerPrice: string | null;
  limitPrice: string | null;
  expiresAt: string | null;
  trailingDistance: string | null;
  breakEvenAt: string | null;
  ocoGroup: string | null;
};

/** The epoch of a deal of the leading program, which runs the engine; null elsewhere. The engine's own commands are refused in an older one. */
export type Epoch = number | null;

/**
 * Stands before a deal in the same statement (deal_fence). Refuses a tick of an earlier epoch (stale_price). Where the engine runs elsewhere,
 * leaves a recheck of the `subject` for it: a person, an account or a position.
 */
export const dealFence = (sql: Sql, seq: number | null, epoch: Epoch, subject: string | ReturnType<Sql>) =>
  sql`deal_fence(${seq}::bigint, ${epoch}::bigint, ${subject}::uuid)`;

/** Stands before a command of the engine in the same statement: refused (deposed) where another program leads by now. */
export const leadFence = (sql: Sql, epoch: Epoch) => (epoch === null ? sql`(select) as alone` : sql`lead_fence(${epoch}::bigint)`);

/** Fills an order on this tick, or lets it wait where the market is closed. Written with few parameters and parts: it is sent more often than all else. `foretell` hears the answer before it is sure. */
export const openPosition = (
  sql: Db,
  by: By,
  o: Order,
  marketOpen: boolean,
  q: DealQuote,
  board: BoardArrays,
  idempotency: Idempotency | null,
  epoch: Epoch = null,
  foretell?: Foretell<Position>,
) =>
  refused(() =>
    doneBy<Done<Position>>(
      by,
      sql<{ done: unknown; userId: string; idle: number }[]>`
        select who.id as "userId", who.idle, trade_open(
          who.id, ${o.accountId}, ${o.symbol}, ${o.type}, ${o.amount}, ${o.stopLoss}, ${o.takeProfit}, ${o.currentPrice}, ${o.maxSlippage},
          ${marketOpen}, ${quoteRow(q)}::text::deed_quote, ${board.row}::text::board, ${idempotency?.key ?? null}, ${idempotency?.fingerprint ?? null},
          ${instant(q.chosenAt)}::text::timestamptz
        ) as done
        from ${actorValue(sql, by)}, deal_fence(${marketOpen ? q.seq : null}::bigint, ${epoch}::bigint, who.id)
      `,
      foretell,
    ),
  );

/** Closes the trader's position, or a part of it, on this tick. */
export const closePosition = (
  sql: Db,
  userId: string,
  positionId: string,
  part: string | null,
  requested: string | null,
  q: DealQuote,
  idempotency: Idempotency | null,
  epoch: Epoch = null,
) =>
  command<Done<Position>>(
    () => sql`
      select trade_close(
        ${userId}, ${positionId}, ${part}, 'trader', ${quoteValue(sql, q)}, ${requested}, ${idempotency?.key ?? null}, ${idempotency?.fingerprint ?? null}, ${chosenValue(sql, q)}
      ) as done
      from ${dealFence(sql, q.seq, epoch, positionId)}
    `,
  );

/** An exit that fired: which one, of which position, on which tick. */
export type DueExit = { readonly positionId: string; readonly reason: "stop_loss" | "take_profit"; readonly quote: Quote };

/**
 * Closes a position whose stop or target a tick reached. One that this very tick has closed already is answered again, since the first answer
 * may have been lost. Refuses (conflict, not_triggered) where the exit no longer holds.
 */
export async function closeByEngine(sql: Db, { positionId, reason, quote }: DueExit, epoch: Epoch = null): Promise<Position> {
  try {
    const done = await command<Done<Position>>(
      () => sql`
        select trade_close(null, ${positionId}, null, ${reason}, ${quoteValue(sql, ofEngine(quote))}, null, null, null, null) as done
        from ${leadFence(sql, epoch)}
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
export async function dealtBefore(sql: Db, positionId: string, kind: "open" | "close", seq: number): Promise<Position | null> {
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
  const list = exits.map(({ positionId, reason, quote }) => ({ id: positionId, why: reason, ...quoteFields(ofEngine(quote)) }));
  return command(() => sql`select trade_exits(${JSON.stringify(list)}::text::json) as done from ${leadFence(sql, epoch)}`);
};

type AllClosed = { closed: Position[]; refused: { id: string; symbol: string; message: string }[] };

/** Closes all of a person's open positions, or one account's, whose symbols are among `quotes`. */
export const closeAllPositions = (
  sql: Db,
  userId: string,
  accountId: string | null,
  quotes: readonly DealQuote[],
  idempotency: Idempotency | null,
  epoch: Epoch = null,
) =>
  command<Done<AllClosed>>(
    () => sql`
      select trade_close_all(${userId}, ${accountId}, ${quoteList(sql, quotes)}, ${idempotency?.key ?? null}, ${idempotency?.fingerprint ?? null}) as done
      from ${dealFence(sql, quotes.length > 0 ? Math.min(...quotes.map(({ seq }) => seq)) : null, epoch, userId)}
    `,
  );

export const symbolOf = async (sql: Sql, userId: string, positionId: string): Promise<string> => {
  const rows = await sql<{ symbol: string }[]>`select symbol from positions where id = ${positionId} and user_id = ${userId}`;
  if (!rows[0]) throw new Refusal("not_found", "Not found.");
  return rows[0].symbol;
};
