import type { Order } from "../trading/commands";
import type { Sent } from "../trading/commands_together";
import type { TestApp } from "./app";

/** An order of $1,000 at the market, as the program reads it, with nothing that a person may leave out. */
export const PLAIN: Order = {
  accountId: null,
  symbol: "EUR/USD",
  type: "buy",
  amount: "1000",
  stopLoss: null,
  takeProfit: null,
  currentPrice: null,
  maxSlippage: null,
};

/** As the program sends an order of this person. */
export async function sentOrder(app: TestApp, trader: { id: string }, over: Partial<Order> = {}): Promise<Sent> {
  const quote = app.trading.fresh("EUR/USD");
  if (!quote) throw new Error("no price");
  const [row] = await app.sql<{ sid: string }[]>`select sid from sessions where user_id = ${trader.id} limit 1`;
  const by = { session: row?.sid ?? "", person: async () => trader.id, meet: () => Promise.reject(new Error("not met")), used: () => {} };
  return { by, order: { ...PLAIN, ...over }, quote, key: null, epoch: app.trading.epoch };
}
