import type { AppContext } from "../platform/app_context";
import { Routes, paged } from "../platform/http/routes";
import { dispute } from "./commands_corrections";
import { cursorOf as createdCursor } from "../lib/cursor";
import { orderOf } from "./rules_written";
import { proofResponse } from "../proof/queries_files";
import { positionFile } from "./queries_proofs";
import { cancelledOf, cursorOf, historyOf, openPositionsOf, receiptOf } from "./queries";
import * as calls from "./schema";
import { cancelAll, cancelledOrders, editAny, placeAnyOrder } from "./schema_orders";
import { disputeCorrection } from "./schema_corrections";
import type { Trading } from "./trading";

/** The trader's routes: orders, positions, history and receipts. */
export function tradingRoutes(app: AppContext, trading: Trading): Routes {
  const { sql } = app;

  return new Routes(app, import.meta.path)
    .command(placeAnyOrder, ({ by, body, context, foretell }) => trading.place(by, orderOf(body), context.idempotency, foretell))
    .user(calls.openPositions, ({ me }) => openPositionsOf(sql, me.id, trading.board()))
    .user(cancelAll, async ({ me, body }) => trading.cancelAll(me, body.accountId ?? null))
    .user(calls.closeAll, ({ me, body, context }) => trading.closeAll(me, body.accountId ?? null, context.idempotency))
    .user(calls.positionHistory, async ({ me, query, context }) => paged(context.headers, await historyOf(sql, me.id, query), query.limit, cursorOf))
    .user(cancelledOrders, async ({ me, query, context }) => paged(context.headers, await cancelledOf(sql, me.id, query), query.limit, createdCursor))
    .user(editAny, ({ me, params, body }) => trading.edit(me, params.id, body))
    .user(calls.closePosition, ({ me, params, body, context }) =>
      trading.close(me, params.id, body.amount ?? null, body.currentPrice ?? null, context.idempotency),
    )
    .user(calls.cancelOrder, ({ me, params }) => trading.cancel(me, params.id))
    .user(calls.receipt, ({ me, params }) => receiptOf(sql, me.id, params.id))
    .user(calls.receiptProof, async ({ me, params, query }) =>
      proofResponse(await positionFile(sql, me.id, params.id, query.since), `proof-${params.id.slice(0, 8)}`),
    )
    .user(disputeCorrection, ({ me, params, body }) => dispute(app, me.id, params.id, body.message ?? ""));
}
