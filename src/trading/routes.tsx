import { accountOf } from "../accounts/queries";
import type { Market } from "../market/market";
import type { QuoteMessage } from "../platform/bus";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { Fan } from "../platform/stream";
import { dispute } from "./commands_corrections";
import { cursorOf, historyOf, openPositionsOf, positionOf, receiptOf } from "./queries";
import * as calls from "./schema";
import { disputeCorrection } from "./schema_corrections";
import type { Trading } from "./trading";

/** The trader's doors: orders, positions, history, receipts and the live stream. */
export function tradingDoors(house: House, market: Market, trading: Trading): Doors {
  const { sql, bus } = house;
  // No ids on quotes here: an id marks the last notice that was seen.
  const fan = new Fan<QuoteMessage>("quotes", ({ symbol }) => symbol);
  bus.subscribe("quotes", (quotes) => fan.publish(quotes));

  return new Doors(house)
    .user(calls.placeOrder, ({ me, body, visit }) =>
      trading.place(me, { ...orderOf(body), maxSlippage: body.maxSlippage == null ? null : String(body.maxSlippage) }, visit.once),
    )
    .user(calls.openPositions, ({ me }) => openPositionsOf(sql, me.id, trading.board()))
    .user(calls.closeAll, ({ me, body, visit }) => trading.closeAll(me, body.accountId ?? null, visit.once))
    .user(calls.positionHistory, async ({ me, query, visit }) => {
      const list = await historyOf(sql, me.id, query);
      const last = list.at(-1);
      if (last && list.length === query.limit) visit.headers.set("X-Next-Cursor", cursorOf(last));
      return list;
    })
    .user(calls.editPosition, ({ me, params, body }) => trading.edit(me, params.id, body))
    .user(calls.closePosition, ({ me, params, body, visit }) => trading.close(me, params.id, body.amount ?? null, body.currentPrice ?? null, visit.once))
    .user(calls.cancelOrder, ({ me, params }) => trading.cancel(me, params.id))
    .user(calls.receipt, ({ me, params }) => receiptOf(sql, me.id, params.id))
    .user(disputeCorrection, ({ me, params, body }) => dispute(sql, me.id, params.id, body.message ?? ""))
    .user(calls.myStream, ({ me, visit }) =>
      house.streams.open(
        visit,
        (stream) => {
          stream.send("snapshot", market.snapshot());
          const tell = (event: string, load: () => Promise<object | null>) => {
            load().then(
              (found) => found && stream.send(event, found),
              (error: unknown) => house.log.warn("a change could not be told", { event, error }),
            );
          };
          const stops = [
            fan.join(stream),
            bus.subscribe(
              "position",
              ({ userId, positionId }) => userId === me.id && tell("position", () => positionOf(sql, me.id, positionId, trading.board())),
            ),
            bus.subscribe(
              "account",
              ({ userId, accountId }) => userId === me.id && accountId && tell("account", () => accountOf(sql, me.id, accountId, trading.board())),
            ),
            bus.subscribe("notice", ({ userId, title, message, kind }) => userId === me.id && stream.send("notice", { title, message, kind })),
            bus.subscribe("sessions", ({ userId, sessionId }) => userId === me.id && (sessionId === null || sessionId === me.sessionId) && stream.end()),
          ];
          return () => stops.forEach((stop) => stop());
        },
        { stillWelcome: async () => (await house.gate.whoIs(visit))?.role === me.role },
      ),
    );
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
