import { spyOn } from "bun:test";
import type { Order } from "../trading/commands";
import type { Sent } from "../trading/commands_together";
import { OrderBatches } from "../trading/order_batches";
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

/** Orders that the program has before it sends any of them: how near they come otherwise is the machine's. Undone by what is returned. */
export function comingTogether(count: number): () => void {
  const { open } = OrderBatches.prototype;
  const all = Promise.withResolvers<void>();
  let come = 0;
  const gate = spyOn(OrderBatches.prototype, "open").mockImplementation(async function (this: OrderBatches, each: Sent) {
    if (++come === count) all.resolve();
    await all.promise;
    return open.call(this, each);
  });
  return () => gate.mockRestore();
}
