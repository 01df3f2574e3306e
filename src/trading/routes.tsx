import type { House } from "../platform/house";
import { Doors, paged } from "../platform/http";
import { dispute } from "./commands_corrections";
import { cursorOf, historyOf, openPositionsOf, receiptOf } from "./queries";
import * as calls from "./schema";
import { disputeCorrection } from "./schema_corrections";
import type { Trading } from "./trading";

/** The trader's doors: orders, positions, history and receipts. */
export function tradingDoors(house: House, trading: Trading): Doors {
  const { sql } = house;

  return new Doors(house)
    .deed(calls.placeOrder, ({ by, body, visit }) =>
      trading.place(by, { ...orderOf(body), maxSlippage: body.maxSlippage == null ? null : String(body.maxSlippage) }, visit.once),
    )
    .user(calls.openPositions, ({ me }) => openPositionsOf(sql, me.id, trading.board()))
    .user(calls.closeAll, ({ me, body, visit }) => trading.closeAll(me, body.accountId ?? null, visit.once))
    .user(calls.positionHistory, async ({ me, query, visit }) => paged(visit.headers, await historyOf(sql, me.id, query), query.limit, cursorOf))
    .user(calls.editPosition, ({ me, params, body }) => trading.edit(me, params.id, body))
    .user(calls.closePosition, ({ me, params, body, visit }) => trading.close(me, params.id, body.amount ?? null, body.currentPrice ?? null, visit.once))
    .user(calls.cancelOrder, ({ me, params }) => trading.cancel(me, params.id))
    .user(calls.receipt, ({ me, params }) => receiptOf(sql, me.id, params.id))
    .user(disputeCorrection, ({ me, params, body }) => dispute(house, me.id, params.id, body.message ?? ""));
}

const orderOf = (
  body: { symbol: string; type: "buy" | "sell"; amount: string } & Record<"accountId" | "currentPrice" | "stopLoss" | "takeProfit", string | null | undefined>,
) => ({
  symbol: body.symbol,
  type: body.type,
  amount: body.amount,
  accountId: body.accountId ?? null,
  currentPrice: body.currentPrice ?? null,
  stopLoss: body.stopLoss ?? null,
  takeProfit: body.takeProfit ?? null,
});
