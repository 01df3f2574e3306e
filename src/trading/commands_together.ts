import type { Caller } from "../platform/app_context";
import type { Db } from "../platform/database/db";
import type { Idempotency } from "../platform/http/routes";
import type { BoardArrays } from "../market/board_sql";
import { command, type DealQuote, type Epoch, type Order, quoteFields } from "./commands";
import type { Position } from "./schema";

/** An order at the market as it is sent: on which tick, under which key, in which epoch. */
export type Sent = { by: Caller; order: Order; quote: DealQuote; key: Idempotency | null; epoch: Epoch };
/** An order that was filled: its place among those sent, whose it is, and for how many seconds the session had not been noted. */
export type Filled = { place: number; userId: string; idle: number; answer: Position };

/**
 * Fills orders of as many sessions in one statement and one commit (trade_opens), or none of them where it fails. Answers with those it filled;
 * the others must be placed alone, which fills them or says why not.
 */
export const openTogether = (sql: Db, sent: readonly Sent[], board: BoardArrays): Promise<Filled[]> => {
  const list = sent.map(({ by, order, quote, key, epoch }, place) => ({
    place,
    session: by.session,
    account: order.accountId,
    side: order.type,
    amount: order.amount,
    stop: order.stopLoss,
    target: order.takeProfit,
    requested: order.currentPrice,
    slippage: order.maxSlippage,
    key: key?.key ?? null,
    fingerprint: key?.fingerprint ?? null,
    epoch,
    ...quoteFields(quote),
  }));
  return command(() => sql`select trade_opens(${JSON.stringify(list)}::text::json, ${board.row}::text::board) as done`);
};
