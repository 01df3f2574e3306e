import { expect, test } from "bun:test";
import type { TradingAccount } from "../accounts/schema";
import { markupOf } from "../market/rules_terms";
import type { TestApp } from "../testing/app";
import { comesSoon, inHouse, versionThatHeld } from "../testing/house";
import { handHeld, heardBy, holdHouse, order, tamper, until, waiting, withoutGuard } from "../testing/scenarios";
import { standingOf } from "./rules_prices";
import type { Position, Receipt } from "./schema";
import type { Exposure } from "./schema_corrections";
import type { InstrumentVersion, StaffInstrument } from "./schema_instruments";

/** An instrument's wider mark-up holds for what opens at once, and for what is open when the notice is over: a group's notice, on the instrument. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
inHouse((house) => ({ app, ann } = house));

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const path = (symbol: string) => `/api/admin/instruments/${encodeURIComponent(symbol)}`;
const change = async (symbol: string, markup: string, more: object = {}) =>
  (await ann.patch<StaffInstrument>(path(symbol), { markup, reason: "A test", ...more })).body;
/** A market of 0.2 pips round this middle. */
const quote = (symbol: string, middle: number) => app.quote(symbol, (middle - 0.00001).toFixed(5), (middle + 0.00001).toFixed(5));
const holder = async (symbol: string) => {
  const tess = await app.trader();
  const open = async (over: object = {}) => (await tess.post<Position>("/api/trading/positions", { ...order, symbol, amount: 100_000, ...over })).body;
  return { tess, open };
};
/** What each fill names and was dealt by: a Starter account's 3.3 pips, and the version's mark-up. */
const dealt = async (tess: Trader, id: string) =>
  (await tess.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body.fills.map(
    ({ kind, tierSpreadPips, terms }) => `${kind} ${tierSpreadPips} v${terms?.version ?? 0}`,
  );
const close = async (tess: Trader, { id }: Position, body: object = {}) => {
  const { body: closed } = await tess.post<Position>(`/api/trading/positions/${id}/close`, body);
  return dealt(tess, closed.id);
};
const openNow = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body;
/** Puts what waits in force, its notice over by the operator's own hand. */
async function endNotice(symbol: string) {
  await tamper(
    app.sql,
    (tx) => tx`update instrument_terms set applies_at = greatest(effective_at, least(applies_at, clock_timestamp())) where symbol = ${symbol}`,
  );
  app.context.bus.publish("staff", { about: "setting" });
  await until("the notice is over", async () => (await app.sql`select from instruments where symbol = ${symbol} and applied = version`).length === 1);
  await until("this program knows it", async () => markupOf(symbol, null) === markupOf(symbol));
}

test("what opens is dealt by the wider one at once, what was open by its own until the notice is over, whose holders are told", async () => {
  await quote("GBP/USD", 1.3);
  const { tess, open } = await holder("GBP/USD");
  const heard = heardBy(app, tess);
  const [first, second] = [await open(), await open({ amount: 50_000 })];
  const before = Date.now();
  const wider = await change("GBP/USD", "6.7");
  expect(wider).toMatchObject({ version: 1, markup: "6.7", coming: null });
  expect(Date.parse(wider.appliesAt ?? "") - before).toBeGreaterThan(23.9 * 3_600_000);
  const told = () => heard.filter((words) => words.startsWith("GBP/USD becomes dearer to deal: ") && words.includes(", for what is open then from "));
  await until("it is told", () => told().length > 0);
  expect(told()).toHaveLength(1);

  // Nor is it told anew where something else changes.
  expect((await change("GBP/USD", "6.7", { maximum: "500000" })).appliesAt).toBe(wider.appliesAt);
  expect((await change("GBP/USD", "6.7", { maximum: "" })).version).toBe(3);
  const fresh = await open();
  // 1.65 pips below the middle, or 5.
  const prices = Object.fromEntries((await openNow(tess)).map(({ id, currentPrice, termsVersion }) => [id, [currentPrice, termsVersion]]));
  expect(prices).toEqual({ [first.id]: ["1.29983500", null], [second.id]: ["1.29983500", null], [fresh.id]: ["1.29950000", 3] });
  // A page says the same of each, and so do staff, the account and what the engine watches.
  const shown = { symbol: "GBP/USD", bid: "1.29999", ask: "1.30001", time: "", stale: false, open: true };
  for (const position of await openNow(tess))
    expect(standingOf(position, { spreadsFrom: "3.3" }, shown)).toEqual({ price: position.currentPrice, profit: position.profit });
  const floating = (await openNow(tess)).reduce((sum, { profit }) => sum + Number(profit), 0);
  const [account] = (await tess.get<TradingAccount[]>("/api/trading-accounts")).body;
  expect(account?.equity).toBe((10_000 + floating).toFixed(2));
  const [staff] = (await ann.get<Position[]>(`/api/admin/trading-positions?id=${first.id}`)).body;
  expect(staff).toMatchObject({ currentPrice: "1.29983500", termsVersion: null });
  const exposed = (await ann.get<Exposure[]>("/api/admin/exposure?account=demo")).body.find(({ symbol }) => symbol === "GBP/USD");
  expect(exposed?.profit).toBe(floating.toFixed(2));
  expect(app.trading.engine.watched).toBe(3);

  expect(await close(tess, second, { amount: 20_000 })).toEqual(["open 3.3 v0", "close 3.3 v0"]);
  expect(await close(tess, first)).toEqual(["open 3.3 v0", "close 3.3 v0"]);
  expect(await close(tess, fresh)).toEqual(["open 10.0 v3", "close 10.0 v3"]);
  // Not wider than what anything is dealt by: at once, for all.
  expect(await change("GBP/USD", "")).toMatchObject({ version: 4, markup: null, coming: null, appliesAt: null });
  expect(await close(tess, second)).toEqual(["open 3.3 v0", "close 3.3 v4"]);
  expect(told()).toHaveLength(1);
  const versions = (await ann.get<InstrumentVersion[]>(`${path("GBP/USD")}/versions`)).body;
  expect(versions.map(({ version, appliesAt, isReplaced }) => [version, appliesAt !== null, isReplaced])).toEqual([
    [4, false, false],
    [3, true, false],
    [2, true, false],
    [1, true, false],
  ]);
});

test("when the notice is over it is everybody's, by itself", async () => {
  await quote("NZD/USD", 0.6);
  const { tess, open } = await holder("NZD/USD");
  const first = await open();
  await change("NZD/USD", "6.7");
  await endNotice("NZD/USD");
  expect((await openNow(tess))[0]?.currentPrice).toBe("0.59950000");
  expect(await close(tess, first)).toEqual(["open 3.3 v0", "close 10.0 v1"]);
});

test("wider than what something open is dealt by is wider, though it is narrower than that of now", async () => {
  await quote("USD/CAD", 1.36);
  const { tess, open } = await holder("USD/CAD");
  const first = await open();
  await change("USD/CAD", "9");
  const second = await open();
  const [wide, narrower] = [
    (await ann.get<StaffInstrument[]>("/api/admin/instruments")).body.find(({ symbol }) => symbol === "USD/CAD"),
    await change("USD/CAD", "2"),
  ];
  // Of the wider one its holders know already.
  expect([narrower.appliesAt === wide?.appliesAt, narrower.appliesAt === null]).toEqual([true, false]);
  const third = await open();
  expect(await close(tess, first)).toEqual(["open 3.3 v0", "close 3.3 v0"]);
  expect(await close(tess, second)).toEqual(["open 12.3 v1", "close 12.3 v1"]);
  expect(await close(tess, third)).toEqual(["open 5.3 v2", "close 5.3 v2"]);
});

test("for later it has both its moments: nothing is dealt by it before the first", async () => {
  await quote("USD/CHF", 0.9);
  const { tess, open } = await holder("USD/CHF");
  const first = await open();
  const coming = (await change("USD/CHF", "2", { effectiveAt: new Date(Date.now() + 3_600_000).toISOString() })).coming;
  expect([coming?.markup, Date.parse(coming?.appliesAt ?? "") > Date.parse(coming?.effectiveAt ?? "")]).toEqual(["2.0", true]);
  const early = await open();
  await comesSoon(app, "USD/CHF");
  await until("it is in force", async () => (await app.sql`select from instruments where symbol = 'USD/CHF' and version = 1 and applied = 0`).length === 1);
  expect(await close(tess, await open())).toEqual(["open 5.3 v1", "close 5.3 v1"]);
  for (const each of [first, early]) expect(await close(tess, each)).toEqual(["open 3.3 v0", "close 3.3 v0"]);
});

test("the engine closes each at its own prices, moves its stop by them, and fills what waits by the mark-up of now", async () => {
  await quote("AUD/USD", 0.65);
  const { tess, open } = await holder("AUD/USD");
  const small = { amount: 1000 };
  const first = await open({ ...small, stopLoss: 0.6496 });
  const follows = await open({ ...small, stopLoss: 0.6496, trailingDistance: 0.0004 });
  await change("AUD/USD", "16.7");
  const limit = await open({ ...small, orderType: "limit", triggerPrice: "0.64900" });
  const second = await open({ ...small, stopLoss: 0.6484 });
  // Bids 1.65 pips below the middle and 10: the wide one is beyond the first two's stop loss, which answers to its own.
  await quote("AUD/USD", 0.65);
  await app.trading.engine.idle();
  expect((await openNow(tess)).length).toBe(4);
  // The stop that follows goes to 4 pips below the narrow bid.
  await quote("AUD/USD", 0.6502);
  await app.trading.engine.idle();
  expect((await openNow(tess)).find(({ id }) => id === follows.id)?.stopLoss).toBe("0.64963500");
  await quote("AUD/USD", 0.6497);
  await app.trading.engine.idle();
  for (const { id } of [first, follows]) expect([id === first.id, await dealt(tess, id)]).toEqual([id === first.id, ["open 3.3 v0", "close 3.3 v0"]]);
  await quote("AUD/USD", 0.6494);
  await app.trading.engine.idle();
  expect(await dealt(tess, second.id)).toEqual(["open 20.0 v1", "close 20.0 v1"]);
  expect((await openNow(tess)).map(({ id, status }) => [id, status])).toEqual([[limit.id, "pending"]]);
  await quote("AUD/USD", 0.6479);
  await until("the order is filled", async () => (await openNow(tess))[0]?.status === "open");
  expect([await dealt(tess, limit.id), (await openNow(tess))[0]?.termsVersion]).toEqual([["open 20.0 v1"], 1]);
});

test("a stop-out is judged and dealt by each position's own", async () => {
  await quote("EUR/GBP", 0.85);
  const { tess, open } = await holder("EUR/GBP");
  const first = await open({ amount: 500_000 });
  await change("EUR/GBP", "40");
  // $7,075 below the opening by its own, and $1,176 more by the wider one: of $5,000 margin less than half would be left by that alone.
  await quote("EUR/GBP", 0.8383);
  await app.trading.engine.idle();
  expect((await openNow(tess)).length).toBe(1);
  await quote("EUR/GBP", 0.836);
  await until("it was stopped out", async () => (await openNow(tess)).length === 0);
  expect(await dealt(tess, first.id)).toEqual(["open 3.3 v0", "close 3.3 v0"]);
});

/** Closes, and narrows the mark-up while the closing is under way: its price is made, and it waits for the house's account. */
async function crossed(symbol: string, waits: boolean) {
  await quote(symbol, 1.1);
  await change(symbol, "4");
  await endNotice(symbol);
  const { tess, open } = await holder(symbol);
  const position = await open({ amount: 1000 });
  const hand = await handHeld(app.db);
  await holdHouse(hand.sql, "house_demo");
  const closed = close(tess, position);
  await until("the closing waits", async () => (await waiting(app.sql)) === 1);
  const changed = change(symbol, "1");
  const isDone = async () => (await app.sql`select from instrument_terms where symbol = ${symbol} and version = 2`).length === 1;
  await until(waits ? "the change waits" : "the change is done", async () => (waits ? (await waiting(app.sql)) > 1 : await isDone()));
  await hand.commit();
  await hand.end();
  await changed;
  return (await closed)[1];
}

test("a closing at the moment of a change names the one version that it was dealt by; read twice it would not", async () => {
  expect(await crossed("EUR/USD", true)).toBe("close 7.3 v1");
  const late = await Promise.all(
    ["instrument_set", "instruments_come_due"].map((name) => withoutGuard(app.sql, name, "perform pg_advisory_xact_lock(lead_lock());")),
  );
  expect(await crossed("EUR/CHF", false)).toBe("close 7.3 v1");
  const again = await withoutGuard(
    app.sql,
    "position_close",
    "  insert into fills (",
    "  listed := (select i from instruments i where i.symbol = p.symbol);\n  insert into fills (",
  );
  expect(await crossed("EUR/AUD", false)).toBe("close 7.3 v2");
  await again();
  for (const putBack of late) await putBack();
});

test("the notice, and the version that a position knows, are what holds a wider one back", async () => {
  await quote("GBP/CHF", 1.12);
  const { tess, open } = await holder("GBP/CHF");
  const noticed = await withoutGuard(
    app.sql,
    "instrument_set",
    "if exists (select from generate_series(listed.applied",
    "if false and exists (select from generate_series(listed.applied",
  );
  const first = await open({ amount: 1000 });
  expect((await change("GBP/CHF", "1")).appliesAt).toBeNull();
  expect(await close(tess, first)).toEqual(["open 3.3 v0", "close 4.3 v1"]);
  await noticed();
  const second = await open({ amount: 1000 });
  await change("GBP/CHF", "3");
  const known = await withoutGuard(app.sql, "markup_held", "i.applied = i.version or own = i.version", "true");
  expect(await close(tess, second)).toEqual(["open 4.3 v1", "close 6.3 v1"]);
  await known();
});

test("closings that race changes are each dealt by one version, the one that holds for them at that moment", async () => {
  await quote("CAD/JPY", 110);
  for (let round = 0; round < 3; round++) {
    const holders = await Promise.all(Array.from({ length: 8 }, () => holder("CAD/JPY")));
    const positions = await Promise.all(holders.map(({ open }) => open({ amount: 1000 })));
    const closings = holders.map(async ({ tess }, n) => (await tess.post(`/api/trading/positions/${positions[n]?.id}/close`)).status);
    const changes = ["3", "1", "5", ""].map((markup) => change("CAD/JPY", markup));
    expect(await Promise.all(closings)).toEqual(positions.map(() => 200));
    await Promise.all(changes);
  }
  const astray = await app.sql`
    select f.id, f.kind, f.terms_version, p.terms_version as own, rule.version, f.tier_spread_pips::text
    from fills f
    join positions p on p.id = f.position_id
    cross join lateral (${versionThatHeld(app.sql)}) rule
    where p.symbol = 'CAD/JPY' and (coalesce(f.terms_version, 0) <> rule.version or f.tier_spread_pips <> 3.3 + markup_said(p.symbol, rule.version))
  `;
  expect([...astray]).toEqual([]);
});
