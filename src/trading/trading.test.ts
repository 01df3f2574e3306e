import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import type { Position, Receipt } from "./schema";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const eurusd = { symbol: "EUR/USD", type: "buy", amount: 1000, openPrice: 1, currentPrice: null, stopLoss: null, takeProfit: null, status: "pending" };
const balanceOf = async (person: Awaited<ReturnType<TestApp["trader"]>>) => {
  const { body } = await person.get<{ balance: string }[]>("/api/trading-accounts");
  return (body as unknown as { balance: string }[])[0]?.balance;
};

test("a buy opens at the account's ask, closes at its bid, and the balance moves by exactly the profit", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const opened = await tess.post<Position>("/api/trading/positions", eurusd);
  expect(opened.status).toBe(201);
  // Starter: 3.3 pips round the middle 1.10001.
  expect(opened.body).toMatchObject({ status: "open", openPrice: "1.10017500", currentPrice: "1.09984500", profit: "-0.30", volume: "908.94630400" });
  await app.quote("EUR/USD", "1.15000", "1.15040");
  const closed = await tess.post<Position>(`/api/trading/positions/${opened.body.id}/close`);
  expect(closed.body).toMatchObject({ status: "closed", closePrice: "1.15000000", profit: "45.29", closeReason: "trader" });
  expect(await balanceOf(tess)).toBe("10045.29");
  expect((await tess.post(`/api/trading/positions/${opened.body.id}/close`)).status).toBe(409);
  const { body } = await tess.get<Receipt>(`/api/trading/positions/${opened.body.id}/receipt`);
  expect(body.fills.map(({ kind, price, bid, ask, tierSpreadPips, by }) => ({ kind, price, bid, ask, tierSpreadPips, by }))).toEqual([
    { kind: "open", price: "1.10017500", bid: "1.10000000", ask: "1.10002000", tierSpreadPips: "3.3", by: "you" },
    { kind: "close", price: "1.15000000", bid: "1.15000000", ask: "1.15040000", tierSpreadPips: "3.3", by: "you" },
  ]);
});

test("a stop fills at the tick's price, gap and all, long and short", async () => {
  const tess = await app.trader();
  await app.quote("GBP/USD", "1.25000", "1.25040");
  const long = await tess.post<Position>("/api/trading/positions", { ...eurusd, symbol: "GBP/USD", stopLoss: 1.24, takeProfit: 1.27 });
  const short = await tess.post<Position>("/api/trading/positions", { ...eurusd, symbol: "GBP/USD", type: "sell", stopLoss: 1.26, takeProfit: 1.23 });
  expect([long.status, short.status]).toEqual([201, 201]);
  await app.quote("GBP/USD", "1.24001", "1.24041");
  expect((await tess.get<Position[]>("/api/trading/positions/open")).body).toHaveLength(2);
  await app.quote("GBP/USD", "1.22500", "1.22540");
  const { body } = await tess.get<Position[]>("/api/trading/positions/history");
  expect(body.find(({ id }) => id === long.body.id)).toMatchObject({ closeReason: "stop_loss", closePrice: "1.22500000", profit: "-20.31" });
  expect(body.find(({ id }) => id === short.body.id)).toMatchObject({ closeReason: "take_profit", closePrice: "1.22540000", profit: "19.68" });
});

test("an order needs margin, and says how much", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const refused = await tess.post("/api/trading/positions", { ...eurusd, amount: 1_000_001 });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ code: "insufficient_margin", message: "This order needs $10,000.01 of margin; $10,000.00 is free." });
});

test("stop and target on the wrong side are refused by name", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10040");
  const buy = await tess.post("/api/trading/positions", { ...eurusd, stopLoss: "1.10" });
  expect(buy).toMatchObject({
    status: 400,
    body: { message: "stopLoss must be below the current price for a buy", fields: { stopLoss: expect.any(String) } },
  });
  const sell = await tess.post("/api/trading/positions", { ...eurusd, type: "sell", takeProfit: "1.2" });
  expect(sell).toMatchObject({ status: 400, body: { message: "takeProfit must be below the current price for a sell" } });
});

test("no order fills on a stale price, and no stop fires on it", async () => {
  const tess = await app.trader();
  await app.quote("AUD/USD", "0.65000", "0.65040");
  app.pass(10_001);
  const refused = await tess.post("/api/trading/positions", { ...eurusd, symbol: "AUD/USD" });
  expect(refused).toMatchObject({ status: 503, body: { code: "stale_price" } });
  expect(refused.headers.get("retry-after")).toBe("2");
});

test("the same key opens one position, whoever is how fast; another body with it is a conflict", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const key = { "idempotency-key": "tap" };
  const answers = await Promise.all(Array.from({ length: 10 }, () => tess.post<Position>("/api/trading/positions", eurusd, key)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect((await tess.get<Position[]>("/api/trading/positions/open")).body).toHaveLength(1);
  expect((await tess.post("/api/trading/positions", { ...eurusd, amount: 2000 }, key)).status).toBe(409);
});

test("parts of a position add up exactly, and leave no dust", async () => {
  const tess = await app.trader();
  await app.quote("USD/JPY", "150.000", "150.040");
  const { body: whole } = await tess.post<Position>("/api/trading/positions", { ...eurusd, symbol: "USD/JPY", amount: "1000.01" });
  for (const amount of ["333.33", "323.33", "10.01"]) expect((await tess.post(`/api/trading/positions/${whole.id}/close`, { amount })).status).toBe(200);
  expect((await tess.post(`/api/trading/positions/${whole.id}/close`, { amount: "333.35" })).status).toBe(400);
  const { body: rest } = await tess.get<Position[]>("/api/trading/positions/open");
  expect(rest).toMatchObject([{ id: whole.id, amount: "333.34" }]);
  expect((await tess.post<Position>(`/api/trading/positions/${whole.id}/close`)).body).toMatchObject({ amount: "333.34", status: "closed" });
  expect((await tess.get<Position[]>("/api/trading/positions/open")).body).toEqual([]);
  expect((await tess.get<Position[]>("/api/trading/positions/history")).body).toHaveLength(4);
});
