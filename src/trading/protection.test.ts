import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { equityOf } from "./rules_prices";
import type { TradingAccount } from "../accounts/schema";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, fundLive, order } from "../testing/scenarios";
import type { Position } from "./schema";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const open = async (tess: Trader, over: object = {}) => (await tess.post<Position>("/api/trading/positions", { ...order, symbol: "BTC/USD", ...over })).body;
const close = async (tess: Trader, id: string) => (await tess.post<Position>(`/api/trading/positions/${id}/close`)).body;
/** Closes what the engine has not closed by itself already: so deep in loss an account may be stopped out. */
const closeAnyhow = async (tess: Trader, id: string) => {
  expect([200, 409]).toContain((await tess.post(`/api/trading/positions/${id}/close`)).status);
  return (await tess.get<Position[]>("/api/trading/positions/history")).body.find((closed) => closed.id === id);
};
const account = async (tess: Trader) => (await accountsOf(tess))[0];
const covered = async (id: string) => (await app.sql<{ covered: string }[]>`select covered from positions where id = ${id}`)[0]?.covered;
const advance = async (tess: Trader) =>
  (await app.sql<{ advance: string }[]>`select advance from trading_accounts where user_id = ${tess.id} order by last_traded_at desc nulls last limit 1`)[0]
    ?.advance;

/** What the receipt says, in words. */
const receiptOf = async (tess: Trader, id: string) => (await tess.call("GET", `/positions/${id}/receipt`)).text.replace(/<[^>]*>/g, "");

describe("a loss beyond the balance", () => {
  test("leaves 0.00, and the house covers the rest", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000", "100000");
    const { id } = await open(tess, { amount: 1_000_000 });
    await app.quote("BTC/USD", "98000", "98000");
    expect(await closeAnyhow(tess, id)).toMatchObject({ profit: "-20000.00", closePrice: "98000.00000000" });
    expect(await account(tess)).toMatchObject({ balance: "0.00", equity: "0.00", freeMargin: "0.00", margin: "0.00" });
    expect([await covered(id), await advance(tess)]).toEqual(["10000.00", "0.00"]);
    const receipt = await receiptOf(tess, id);
    for (const words of ["Negative balance protection", "The house carries $10,000.00 of it", "The balance moved by −$10,000.00."])
      expect(receipt).toContain(words);
    expect((await tess.post("/api/trading/positions", { ...order, symbol: "BTC/USD", amount: 10 })).status).toBe(422);
  });

  test("with other positions open is an advance, which their profit repays first", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000", "100000");
    const loser = await open(tess, { amount: 500_000 });
    const winner = await open(tess, { amount: 450_000, type: "sell" });
    await app.quote("BTC/USD", "97000", "97000");
    // −15,000 on 10,000 of balance: 5,000 are advanced, the winner floats at +13,500.
    await close(tess, loser.id);
    expect(await account(tess)).toMatchObject({ balance: "0.00", equity: "8500.00", margin: "4500.00", freeMargin: "4000.00" });
    expect([await covered(loser.id), await advance(tess)]).toEqual(["5000.00", "5000.00"]);
    // The browser, which works it out anew on each quote, comes to the same.
    const [own] = (await tess.get<TradingAccount[]>("/api/trading-accounts")).body;
    const held = (await tess.get<Position[]>("/api/trading/positions/open")).body;
    const quoteFor = (symbol: string) => app.market.snapshot([symbol])[0] ?? null;
    expect(own && equityOf(own, held, quoteFor)).toBe("8500.00");
    expect(own && equityOf({ ...own, advance: "0.00" }, held, quoteFor)).toBe("13500.00");
    await close(tess, winner.id);
    const receipt = await receiptOf(tess, winner.id);
    for (const words of ["$5,000.00 of this result repaid what the house had advanced", "The balance moved by +$8,500.00."]) expect(receipt).toContain(words);
    expect(await account(tess)).toMatchObject({ balance: "8500.00", equity: "8500.00" });
    expect([await covered(winner.id), await advance(tess)]).toEqual(["-5000.00", "0.00"]);
  });

  test("is repaid by a winner's parts, one after the other", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000", "100000");
    const loser = await open(tess, { amount: 500_000 });
    const winner = await open(tess, { amount: 450_000, type: "sell" });
    await app.quote("BTC/USD", "97000", "97000");
    await close(tess, loser.id);
    for (const [amount, balance, owed] of [
      ["100000.00", "0.00", "2000.00"],
      ["100000.00", "1000.00", "0.00"],
      ["250000.00", "8500.00", "0.00"],
    ] as const) {
      expect((await tess.post(`/api/trading/positions/${winner.id}/close`, { amount })).status).toBe(200);
      expect([(await account(tess))?.balance, await advance(tess)]).toEqual([balance, owed]);
    }
  });

  test("is forgiven with the last position, so that the next profit is the trader's own", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000", "100000");
    const first = await open(tess, { amount: 500_000 });
    const second = await open(tess, { amount: 300_000 });
    await app.quote("BTC/USD", "97000", "97000");
    for (const { id } of [first, second]) await closeAnyhow(tess, id);
    expect(await covered(first.id)).toBe("5000.00");
    expect([(await account(tess))?.balance, await advance(tess), await covered(second.id)]).toEqual(["0.00", "0.00", "9000.00"]);
  });

  test("by close-all in any order ends where equity said, and never below zero", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000", "100000");
    for (const over of [{ amount: 400_000 }, { amount: 300_000, type: "sell" }, { amount: 250_000 }]) await open(tess, over);
    await app.quote("BTC/USD", "97500", "97500");
    expect((await account(tess))?.equity).toBe("1250.00");
    await tess.post("/api/trading/positions/close-all");
    expect([(await account(tess))?.balance, await advance(tess)]).toEqual(["1250.00", "0.00"]);
  });

  test("on a live account is paid by the house's own books", async () => {
    const tess = await app.trader();
    const live = await fundLive(app, tess, "1000.00");
    await app.quote("BTC/USD", "100000", "100000");
    const bank = async (kind: string) =>
      Number((await app.sql<{ balance: string }[]>`select sum(balance) as balance from ledger_accounts where kind = ${kind}`)[0]?.balance);
    const before = [await bank("house_pnl"), await bank("house_adjustment")] as const;
    const { id } = await open(tess, { accountId: live, amount: 100_000 });
    await app.quote("BTC/USD", "97000", "97000");
    expect(await closeAnyhow(tess, id)).toMatchObject({ profit: "-3000.00" });
    // The market's result is the house's profit, what it could not collect its cost.
    expect([(await bank("house_pnl")) - before[0], (await bank("house_adjustment")) - before[1]]).toEqual([3000, -2000]);
    expect((await tess.get("/api/user/financials")).body).toMatchObject({ accountBalance: "0.00", tradingBalance: "0.00", totalProfit: "-3000.00" });
  });
});

describe("a live account", () => {
  const refusal = async (tess: Trader, accountId: string) => {
    const { status, body } = await tess.post("/api/trading/positions", { ...order, symbol: "BTC/USD", accountId });
    return [status, body.code];
  };

  test("trades once the registration is approved and the tier's minimum was moved in", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000", "100000");
    const { body } = await tess.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
    expect(await refusal(tess, body.id)).toEqual([422, "registration_pending"]);
    await app.sql`update users set registration_status = 'approved' where id = ${tess.id}`;
    expect(await refusal(tess, body.id)).toEqual([422, "not_funded"]);
    const almost = await fundLive(app, tess, "299.99");
    expect(await refusal(tess, almost)).toEqual([422, "not_funded"]);
    expect(await refusal(tess, await fundLive(app, tess, "300.00"))).toEqual([201, undefined]);
  });

  test("says in words what is missing", async () => {
    const tess = await app.trader();
    const id = await fundLive(app, tess, "299.99");
    const { body } = await tess.post("/api/trading/positions", { ...order, symbol: "BTC/USD", accountId: id });
    expect(body.message).toBe("This account can trade once $300.00 has been moved into it; so far it is $299.99.");
    await app.sql`update users set registration_status = 'pending' where id = ${tess.id}`;
    expect((await tess.post("/api/trading/positions", { ...order, symbol: "BTC/USD", accountId: id })).body.message).toBe(
      "Your registration is awaiting approval.",
    );
  });

  test("keeps its right to trade after losses", async () => {
    const tess = await app.trader();
    const live = await fundLive(app, tess, "300.00");
    await app.quote("BTC/USD", "100000", "100000");
    const { id } = await open(tess, { accountId: live, amount: 10_000 });
    await app.quote("BTC/USD", "99000", "99000");
    await close(tess, id);
    expect(await refusal(tess, live)).toEqual([201, undefined]);
  });

  test("can't be the demo account's: margin of one is never the other's", async () => {
    const tess = await app.trader();
    const live = await fundLive(app, tess, "300.00");
    await app.quote("BTC/USD", "100000", "100000");
    expect((await tess.post("/api/trading/positions", { ...order, symbol: "BTC/USD", accountId: live, amount: 30_001 })).status).toBe(422);
    expect((await open(tess, { accountId: live, amount: 30_000 })).status).toBe("open");
  });
});

test("an order without an account goes to the one last traded on, else to the oldest", async () => {
  const tess = await app.trader();
  const [oldest] = await accountsOf(tess);
  const { body: newer } = await tess.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "gold", isDemo: true });
  await app.quote("BTC/USD", "100000", "100000");
  expect((await open(tess)).accountId).toBe(oldest?.id as string);
  expect((await open(tess, { accountId: newer.id })).accountId).toBe(newer.id);
  expect((await open(tess)).accountId).toBe(newer.id);
});

test("a fill further from the price seen than the trader allows is refused with the new price", async () => {
  const tess = await app.trader();
  await app.quote("BTC/USD", "100000", "100010");
  const ask = (currentPrice: number, maxSlippage: number | string) =>
    tess.post("/api/trading/positions", { ...order, symbol: "BTC/USD", currentPrice, maxSlippage });
  expect(await ask(100_000, 9.99)).toMatchObject({ status: 409, body: { code: "price_moved", message: "The price moved to 100,010.00." } });
  expect((await ask(100_000, 10)).status).toBe(201);
  expect((await ask(100_010, 0)).status).toBe(201);
  expect((await ask(100_009.99, "0")).status).toBe(409);
});
