import { afterAll, beforeAll, expect, test } from "bun:test";
import { priceText } from "../lib/money";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { holdFirst } from "../testing/instruments";
import { accountsOf, heardBy, order, until, withoutGuard } from "../testing/scenarios";
import type { Position, Receipt } from "./schema";
import type { InstrumentVersion, StaffInstrument } from "./schema_instruments";

/** An instrument's mark-up adds to every account's spread; where somebody holds it, a wider one waits for the notice. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  ann = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
  holdFirst();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
type Refused = { message: string; code: string; fields: Record<string, string> };
const path = (symbol: string) => `/api/admin/instruments/${encodeURIComponent(symbol)}`;
const change = (symbol: string, body: object) => ann.patch<StaffInstrument & Refused>(path(symbol), { reason: "A test", ...body });
const place = (who: Trader, over: object): Promise<Answer<Position & Refused>> => who.post<Position & Refused>("/api/trading/positions", { ...order, ...over });
const receiptOf = async (who: Trader, id: string) => (await who.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body;

test("it is in the price of every deal, of every way to deal, and the receipt says it", async () => {
  expect((await change("EUR/USD", { markup: "-1" })).body.fields).toHaveProperty("markup");
  expect((await change("EUR/USD", { markup: "1.55" })).body.fields).toHaveProperty("markup");
  expect((await change("BTC/USD", { markup: "1" })).body.fields).toEqual({ markup: "markup is counted in pips, of which a coin has none" });
  await app.quote("EUR/USD", "1.10000", "1.10004");
  expect((await change("EUR/USD", { markup: "2.0" })).body).toMatchObject({ version: 1, markup: "2.0", coming: null });
  const tess = await app.trader();
  // A Starter account's 3.3 pips and 2 of the mark-up: half of 5.3 on each side of the middle, 1.10002.
  const { body: opened, status } = await place(tess, { symbol: "EUR/USD", amount: 1000 });
  expect([status, opened.openPrice]).toEqual([201, "1.10028500"]);
  const [fill] = (await receiptOf(tess, opened.id)).fills;
  expect(fill).toMatchObject({ tierSpreadPips: "5.3", terms: { version: 1, markup: "2.0" } });
  const [account] = await accountsOf(tess);
  const [{ equity } = { equity: "" }] = await app.sql<{ equity: string }[]>`
    select equity::text from account_state(${account?.id ?? ""}, row(array['EUR/USD'], array[1.10000], array[1.10004], array[0.0001])::board)
  `;
  // $1,000 from 1.100285 to 1.099755.
  expect(equity).toBe("9999.52");
  // The engine's stop fires on the account's own price: 1.0990 is reached by its bid, 26.5 points below the middle.
  await tess.patch(`/api/trading/positions/${opened.id}`, { stopLoss: 1.099 });
  await app.quote("EUR/USD", "1.09925", "1.09927");
  const closed = (await receiptOf(tess, opened.id)).position;
  expect([closed.status, closed.closeReason, closed.closePrice]).toEqual(["closed", "stop_loss", "1.09899500"]);
  const limit = (await place(tess, { symbol: "EUR/USD", amount: 1000, orderType: "limit", triggerPrice: 1.0985 })).body;
  await app.quote("EUR/USD", "1.09822", "1.09824");
  expect((await receiptOf(tess, limit.id)).position.openPrice).toBe(priceText(109_849_500));
  expect((await tess.post(`/api/trading/positions/${limit.id}/close`)).status).toBe(200);
  const ends = (await receiptOf(tess, limit.id)).fills.map(({ tierSpreadPips, price }) => [tierSpreadPips, price]);
  expect(ends).toEqual([
    ["5.3", "1.09849500"],
    ["5.3", "1.09796500"],
  ]);
});

test("wider, it holds for nobody before the notice is over where somebody holds it, who is told; narrower it holds at once", async () => {
  await app.quote("GBP/USD", "1.30000", "1.30004");
  const tess = await app.trader();
  const heard = heardBy(app, tess);
  const { body: held } = await place(tess, { symbol: "GBP/USD" });
  const before = Date.now();
  const { body } = await change("GBP/USD", { markup: "3.0" });
  expect(body).toMatchObject({ version: 1, markup: null, coming: { markup: "3.0" } });
  expect(Date.parse(body.coming?.effectiveAt ?? "") - before).toBeGreaterThan(23.9 * 3_600_000);
  const told = () => heard.filter((words) => words.startsWith("GBP/USD becomes dearer to deal: ") && words.includes("3.0 pips are added to your account's"));
  await until("it is told", () => told().length > 0);
  expect(told()).toHaveLength(1);
  expect((await receiptOf(tess, (await place(tess, { symbol: "GBP/USD" })).body.id)).fills[0]?.tierSpreadPips).toBe("3.3");
  // The next change takes its place; what nobody holds any more changes at once.
  expect((await change("GBP/USD", { markup: "" })).body).toMatchObject({ version: 2, coming: null });
  await tess.post("/api/trading/positions/close-all");
  expect((await change("GBP/USD", { markup: "3.0" })).body).toMatchObject({ version: 3, markup: "3.0", coming: null });
  expect((await receiptOf(tess, held.id)).fills.map(({ tierSpreadPips }) => tierSpreadPips)).toEqual(["3.3", "3.3"]);
  const versions = (await ann.get<InstrumentVersion[]>(`${path("GBP/USD")}/versions`)).body.map(({ version, markup, isReplaced }) => [
    version,
    markup,
    isReplaced,
  ]);
  expect(versions).toEqual([
    [3, "3.0", false],
    [2, null, false],
    [1, "3.0", true],
  ]);
});

test("a version for later takes effect by itself, for all at one moment", async () => {
  await app.quote("USD/CHF", "0.90000", "0.90004");
  await change("USD/CHF", { markup: "1.0", effectiveAt: new Date(Date.now() + 1_500).toISOString() });
  expect((await app.sql<{ markup: string }[]>`select markup::text from instruments where symbol = 'USD/CHF'`)[0]?.markup).toBe("0.0");
  await until("it is in force", async () => (await app.sql`select from instruments where symbol = 'USD/CHF' and markup = 1 and version = 1`).length === 1);
});

test("the guard of the notice is what holds it", async () => {
  await app.quote("AUD/USD", "0.65000", "0.65004");
  await place(await app.trader(), { symbol: "AUD/USD" });
  const putBack = await withoutGuard(app.sql, "instrument_set", "if coalesce(after.markup, 0) > coalesce(before.markup, 0) and", "if false and");
  expect((await change("AUD/USD", { markup: "1.0" })).body).toMatchObject({ markup: "1.0", coming: null });
  await putBack();
});
