import type { Order } from "../trading/commands";
import type { Sent } from "../trading/commands_together";
import type { TestApp } from "./app";

/** As the program sends an order of this person. */
export async function sentOrder(app: TestApp, trader: { id: string }, over: Partial<Order> = {}): Promise<Sent> {
  const quote = app.trading.fresh("EUR/USD");
  if (!quote) throw new Error("no price");
  const [row] = await app.sql<{ sid: string }[]>`select sid from sessions where user_id = ${trader.id} limit 1`;
  const by = { session: row?.sid ?? "", person: async () => trader.id, meet: () => Promise.reject(new Error("not met")), used: () => {} };
  const plain: Order = {
    accountId: null,
    symbol: "EUR/USD",
    type: "buy",
    amount: "1000",
    stopLoss: null,
    takeProfit: null,
    currentPrice: null,
    maxSlippage: null,
  };
  return { by, order: { ...plain, ...over }, quote, key: null, epoch: app.trading.epoch };
}
