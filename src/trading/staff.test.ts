import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { fundLive } from "../testing/scenarios";
import type { Exposure, MarginAccount, StaffPosition } from "./schema_corrections";

/** Trade Control's lists: filters, orders, exposure, and whose margin is thin. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let ada: Awaited<ReturnType<TestApp["trader"]>>;
let bea: Awaited<ReturnType<TestApp["trader"]>>;
let live = "";
beforeAll(async () => {
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" });
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await app.quote("BTC/USD", "100000", "100010");
  admin = await app.admin();
  [ada, bea] = await Promise.all([app.trader({ firstName: "Ada" }), app.trader({ firstName: "Bea" })]);
  live = await fundLive(app, bea, "1000.00");
  const order = (by: typeof ada, symbol: string, type: string, amount: number, accountId?: string) =>
    by.post("/api/trading/positions", { symbol, type, amount, ...(accountId ? { accountId } : {}) });
  await order(ada, "EUR/USD", "buy", 1000);
  await order(ada, "BTC/USD", "sell", 500);
  await order(bea, "EUR/USD", "sell", 300, live);
  await order(bea, "EUR/USD", "buy", 50_000, live);
});
afterAll(() => app.end());

const positions = async (query = "") => (await admin.get<StaffPosition[]>(`/api/admin/trading-positions?${query}`)).body;
const deals = async (query: string) => (await positions(query)).map(({ type, symbol, amount }) => `${type} ${symbol} ${amount}`);

test("positions are filtered by symbol, account, side and client", async () => {
  expect(await positions()).toHaveLength(4);
  expect(await deals("symbol=BTC/USD")).toEqual(["sell BTC/USD 500.00"]);
  expect(await deals("account=live&sort=amount")).toEqual(["sell EUR/USD 300.00", "buy EUR/USD 50000.00"]);
  expect(await deals("account=demo&side=buy")).toEqual(["buy EUR/USD 1000.00"]);
  expect(await deals(`userId=${ada.id}&sort=-amount`)).toEqual(["buy EUR/USD 1000.00", "sell BTC/USD 500.00"]);
  for (const query of ["symbol=%27", "account=both", "side=up", "userId=5", "sort=margin"])
    expect((await admin.get(`/api/admin/trading-positions?${query}`)).status).toBe(400);
});

test("each order is whole, page by page", async () => {
  for (const sort of ["created", "name", "symbol", "amount", "profit"].flatMap((name) => [name, `-${name}`])) {
    const ids: string[] = [];
    let cursor = "";
    do {
      const page = await admin.get<StaffPosition[]>(`/api/admin/trading-positions?limit=1&sort=${sort}${cursor ? `&cursor=${cursor}` : ""}`);
      ids.push(...page.body.map(({ id }) => id));
      cursor = page.headers.get("x-next-cursor") ?? "";
    } while (cursor);
    expect([sort, new Set(ids).size, ids.length]).toEqual([sort, 4, 4]);
  }
  // By what each row shows, which is worked out another way.
  const results = (await positions("sort=-profit")).map(({ profit }) => Number(profit));
  expect(results).toEqual(results.toSorted((one, other) => other - one));
  expect(new Set(results).size).toBeGreaterThan(2);
});

test("exposure is what clients hold: long, short and net, by kind of account", async () => {
  const exposure = async (account: string) => (await admin.get<Exposure[]>(`/api/admin/exposure?account=${account}`)).body;
  const all = await exposure("all");
  expect(all.map(({ symbol, long, short, net, positions: count }) => ({ symbol, long, short, net, count }))).toEqual([
    { symbol: "EUR/USD", long: "51000.00", short: "300.00", net: "50700.00", count: 3 },
    { symbol: "BTC/USD", long: "0.00", short: "500.00", net: "-500.00", count: 1 },
  ]);
  const results = (await positions("symbol=EUR/USD")).reduce((sum, { profit }) => sum + Number(profit), 0);
  expect(Number(all[0]?.profit)).toBeCloseTo(results, 2);
  expect((await exposure("demo")).map(({ symbol }) => symbol)).toEqual(["EUR/USD", "BTC/USD"]);
  expect((await exposure("live")).map(({ net }) => net)).toEqual(["49700.00"]);
});

test("the thinnest margin stands first, with the level that the trader sees", async () => {
  const { body } = await admin.get<MarginAccount[]>("/api/admin/margin-levels");
  expect(body.map(({ firstName }) => firstName)).toEqual(["Bea", "Ada"]);
  const { body: own } = await bea.get<{ id: string; marginLevel: string; equity: string; margin: string }[]>("/api/trading-accounts");
  const account = own.find(({ id }) => id === live);
  expect(body[0]).toMatchObject({ id: live, marginLevel: account?.marginLevel, equity: account?.equity, margin: account?.margin, isDemo: false });
});

test("positions come as a file, for administrators alone", async () => {
  const { text } = await admin.get("/api/admin/trading-positions?format=csv&account=live");
  expect(text.trim().split("\r\n")).toHaveLength(3);
  expect(text).toContain('"buy","50000.00"');
  expect((await admin.get("/api/admin/trades/manipulations?format=csv")).text).toStartWith('"Position ID","Time (UTC)"');
  for (const path of ["trading-positions?format=csv", "trades/manipulations?format=csv", "exposure", "margin-levels"])
    expect((await ada.get(`/api/admin/${path}`)).status).toBe(403);
});

test("corrections, those that wait and those that are objected to: each order is whole, and each list is a file", async () => {
  const floating = await positions();
  const of = (email: string) => floating.filter((position) => position.email === email);
  for (const [n, { id }] of of(ada.email).entries()) {
    expect((await admin.post(`/api/admin/trades/${id}/force-win`, { reason: "Goodwill", profit: 10 + n })).status).toBe(200);
    expect((await ada.post(`/api/trading/positions/${id}/dispute`, { message: "Why?" })).status).toBe(201);
  }
  for (const [n, { id }] of of(bea.email).entries())
    expect((await admin.post(`/api/admin/trades/${id}/force-loss`, { reason: "Wrong price", loss: 200 + n })).status).toBe(202);
  for (const path of ["corrections", "trades/manipulations", "disputes"]) {
    for (const sort of ["created", "name", "symbol", "settled", "impact"].flatMap((name) => [name, `-${name}`])) {
      const ids: string[] = [];
      let cursor = "";
      do {
        const page = await admin.get<{ id: string }[]>(`/api/admin/${path}?limit=1&sort=${sort}${cursor ? `&cursor=${cursor}` : ""}`);
        ids.push(...page.body.map(({ id }) => id));
        cursor = page.headers.get("x-next-cursor") ?? "";
      } while (cursor);
      expect([path, sort, new Set(ids).size, ids.length]).toEqual([path, sort, 2, 2]);
    }
    const settled = async (sort: string) =>
      (await admin.get<{ settledProfit: string }[]>(`/api/admin/${path}?sort=${sort}`)).body.map(({ settledProfit }) => Number(settledProfit));
    expect(await settled("settled")).toEqual((await settled("-settled")).toReversed());
    expect((await admin.get(`/api/admin/${path}?format=csv`)).text.trim().split("\r\n")).toHaveLength(3);
    expect((await ada.get(`/api/admin/${path}?format=csv`)).status).toBe(403);
  }
});
