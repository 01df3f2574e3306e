import { expect, test } from "bun:test";
import { priceText } from "../lib/money";
import type { Answer, TestApp } from "../testing/app";
import { comesSoon, inHouse } from "../testing/house";
import { accountsOf, order, until } from "../testing/scenarios";
import type { Position, Receipt } from "./schema";
import type { StaffInstrument } from "./schema_instruments";

/** An instrument's mark-up adds to every account's spread. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
inHouse((house) => ({ app, ann } = house));

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

test("a version for later takes effect by itself, for all at one moment", async () => {
  await app.quote("USD/CHF", "0.90000", "0.90004");
  await change("USD/CHF", { markup: "1.0", effectiveAt: new Date(Date.now() + 3_600_000).toISOString() });
  expect((await app.sql<{ markup: string }[]>`select markup::text from instruments where symbol = 'USD/CHF'`)[0]?.markup).toBe("0.0");
  await comesSoon(app, "USD/CHF");
  await until("it is in force", async () => (await app.sql`select from instruments where symbol = 'USD/CHF' and markup = 1 and version = 1`).length === 1);
});
