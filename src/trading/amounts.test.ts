import { afterAll, beforeAll, expect, test } from "bun:test";
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

const positionsOf = async (person: Awaited<ReturnType<TestApp["trader"]>>) => (await person.get<Position[]>("/api/trading/positions/open")).body;

/** JSON as it goes over the wire, so that what JSON.stringify would smooth out arrives as it is. */
const badAmounts = [
  ...[
    "-100",
    "0",
    "-0",
    "0.00",
    "-0.01",
    "0.001",
    "0.005",
    "100.001",
    "0.30000000000000004",
    "1e999",
    "-1e999",
    "1e21",
    "1e-7",
    "100000000.01",
    "9999999999999.99",
  ],
  ...[
    "9007199254740993",
    "NaN",
    "Infinity",
    "0x10",
    "1_000",
    "+5",
    "5.",
    "null",
    "true",
    '""',
    '" "',
    '" 5"',
    '"-100"',
    '"0"',
    '"-0"',
    '"1e3"',
    '"0x10"',
    '"NaN"',
  ],
  ...['"Infinity"', '"１００"', '"1,000.00"', '"$5"', '"5.001"', '"1_000"', "[]", "[100]", '["100"]', "{}", '{"value":100}', '"5\\u0000"', '"99999999999999"'],
];

test.each(badAmounts)("an order or a closing of %s is refused and changes nothing", async (amount) => {
  const tess = await shared();
  const [open] = await positionsOf(tess);
  const placed = await tess.call("POST", "/api/trading/positions", { raw: JSON.stringify({ ...order, amount: "RAW" }).replace('"RAW"', amount) });
  expect([placed.status, placed.body.code]).toEqual([400, "invalid"]);
  if (amount !== "null") expect((await tess.call("POST", `/api/trading/positions/${open?.id}/close`, { raw: `{"amount":${amount}}` })).status).toBe(400);
  expect(await positionsOf(tess)).toEqual([open as Position]);
  expect((await accountsOf(tess))[0]).toMatchObject({ balance: "10000.00", margin: "10.00" });
});

let one: ReturnType<TestApp["trader"]> | undefined;
/** A trader with one open position, the same for a whole table of refusals. */
const shared = () => {
  one ??= (async () => {
    const tess = await app.trader();
    await app.quote("EUR/USD", "1.10000", "1.10002");
    expect((await tess.post("/api/trading/positions", order)).status).toBe(201);
    return tess;
  })();
  return one;
};

test.each(["-1", "0", "-0", "1e999", "NaN", "0x10", '"１"', '"1e0"', "[1.2]", "{}", "true", '""', "90000001", '"0.000000001"'])(
  "an exit of %s is refused and moves nothing",
  async (price) => {
    const tess = await shared();
    const [open] = await positionsOf(tess);
    for (const field of ["stopLoss", "takeProfit"]) {
      expect((await tess.call("PATCH", `/api/trading/positions/${open?.id}`, { raw: `{"${field}":${price}}` })).status).toBe(400);
      expect((await tess.call("POST", "/api/trading/positions", { raw: JSON.stringify({ ...order, [field]: "RAW" }).replace('"RAW"', price) })).status).toBe(
        400,
      );
    }
    expect(await positionsOf(tess)).toEqual([open as Position]);
  },
);

test("a closing of more than there is, or of nothing that is the caller's, changes nothing", async () => {
  const [tess, other] = [await shared(), await app.trader()];
  const [open] = await positionsOf(tess);
  expect(await tess.post(`/api/trading/positions/${open?.id}/close`, { amount: "1000.01" })).toMatchObject({
    status: 400,
    body: { fields: { amount: expect.any(String) } },
  });
  for (const path of [`${open?.id}/close`, `${open?.id}/cancel`, `${crypto.randomUUID()}/close`, "1/close", "0x10/close", "%00/close"])
    expect((await other.post(`/api/trading/positions/${path}`)).status).toBe(404);
  expect((await other.patch(`/api/trading/positions/${open?.id}`, { stopLoss: null })).status).toBe(404);
  expect((await other.get(`/api/trading/positions/${open?.id}/receipt`)).status).toBe(404);
  expect(await positionsOf(tess)).toEqual([open as Position]);
});

test("what only the server may say is ignored when a client says it", async () => {
  const [tess, victim] = [await app.trader(), await app.trader()];
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const forged = {
    ...{ openPrice: 0.5, entryPrice: 0.5, currentPrice: 0.5, status: "closed", profit: 1e6, volume: 1e9, leverage: 5000, margin: 0, id: crypto.randomUUID() },
    ...{ userId: victim.id, user_id: victim.id, balance: 1e6, isDemo: false, accountNumber: (await accountsOf(victim))[0]?.accountNumber, closePrice: 9 },
  };
  const { status, body } = await tess.post<Position>("/api/trading/positions", { ...order, ...forged });
  expect(status).toBe(201);
  expect(body).toMatchObject({ status: "open", openPrice: "1.10017500", volume: "908.94630400", profit: "-0.30", closePrice: null });
  expect(body.id).not.toBe(forged.id);
  expect((await accountsOf(tess))[0]).toMatchObject({ balance: "10000.00", margin: "10.00" });
  expect(await positionsOf(victim)).toEqual([]);

  const [theirs] = await accountsOf(victim);
  expect((await tess.post("/api/trading/positions", { ...order, accountId: theirs?.id })).status).toBe(404);
  expect((await tess.post("/api/trading/positions/close-all", { accountId: theirs?.id })).status).toBe(404);

  const opened = await tess.post("/api/trading-accounts", { ...forged, accountTypeId: "platinum", isDemo: false, status: "active" });
  expect(opened).toMatchObject({ status: 201, body: { balance: "0.00", leverage: "1:100", isDemo: false, fundedTotal: "0.00" } });
  expect(opened.body.accountNumber).not.toBe(theirs?.accountNumber);
  const { body: closed } = await tess.post<Position>(`/api/trading/positions/${body.id}/close`, {
    ...forged,
    closePrice: 99,
    closeReason: "admin",
    currentPrice: 99,
  });
  expect(closed).toMatchObject({ closePrice: "1.09984500", profit: "-0.30", closeReason: "trader" });
});

test("the dearest and the cheapest price fit, and profits on them are exact", async () => {
  const tess = await app.trader();
  await app.quote("BTC/USD", "123456.78901", "123456.78901");
  const { body: coin } = await tess.post<Position>("/api/trading/positions", {
    ...order,
    symbol: "BTC/USD",
    stopLoss: 123450.00001,
    takeProfit: "130000.12345678",
  });
  expect(coin).toMatchObject({
    openPrice: "123456.78901000",
    volume: "0.00810000",
    stopLoss: "123450.00001000",
    takeProfit: "130000.12345678",
    profit: "0.00",
  });
  await app.quote("SHIB/USD", "0.00001234", "0.00001234");
  const { body: dust } = await tess.post<Position>("/api/trading/positions", { ...order, symbol: "SHIB/USD", type: "sell", takeProfit: 0.00001 });
  expect(dust).toMatchObject({ openPrice: "0.00001234", volume: "81037277.14748784", takeProfit: "0.00001000" });
  await app.quote("SHIB/USD", "0.00001233", "0.00001233");
  expect((await tess.post<Position>(`/api/trading/positions/${dust.id}/close`)).body).toMatchObject({ closePrice: "0.00001233", profit: "0.81" });
});

test("sums on the API are SQL's sums, and demo money is in none of the live ones", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const live = await fundLive(app, tess, "449.10");
  const ids: string[] = [];
  for (const accountId of [live, undefined]) ids.push((await tess.post<Position>("/api/trading/positions", { ...order, accountId })).body.id);
  const demo = (await accountsOf(tess)).find(({ isDemo }) => isDemo)?.id;
  ids.push((await tess.post<Position>("/api/trading/positions", { ...order, accountId: demo, amount: 500_000 })).body.id);
  await app.quote("EUR/USD", "1.12000", "1.12002");
  for (const id of ids) expect((await tess.post(`/api/trading/positions/${id}/close`)).status).toBe(200);
  const [sums] = await app.sql<{ trading: string; profit: string }[]>`
    select (select sum(p.amount) from ledger_postings p join ledger_accounts a on a.id = p.account_id where a.owner_id = ${tess.id} and a.kind = 'trading' and a.book = 'live') as trading,
      (select sum(profit) from positions where account_id = ${live}) as profit
  `;
  expect(sums).toEqual({ trading: "484.86", profit: "35.76" });
  const figures = { accountBalance: "0.00", tradingBalance: "484.86", totalProfit: "35.76" };
  expect((await tess.get("/api/user/financials")).body).toMatchObject(figures);
  expect((await tess.get("/api/auth/user")).body).toMatchObject(figures);
  const accounts = await accountsOf(tess);
  expect(accounts.find(({ id }) => id === live)).toMatchObject({ balance: "484.86", equity: "484.86", margin: "0.00", freeMargin: "484.86" });
});
