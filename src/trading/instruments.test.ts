import { describe, expect, test } from "bun:test";
import type { AuditEntry } from "../audit/schema";
import type { Answer, TestApp } from "../testing/app";
import { inHouse } from "../testing/house";
import { PLAIN } from "../testing/sent_orders";
import { accountsOf, handHeld, heardBy, onDevices, order, until, waiting, withoutGuard } from "../testing/scenarios";
import type { By } from "../platform/app_context";
import { openPosition, type Order } from "./commands";
import type { ClosedPosition, Position, Receipt } from "./schema";
import type { InstrumentVersion, StaffInstrument } from "./schema_instruments";

/** How an instrument is dealt is staff's to say, in versions; each deal is made on exactly one of them. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
inHouse((house) => ({ app, ann } = house));

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const path = (symbol: string) => `/api/admin/instruments/${encodeURIComponent(symbol)}`;
type Refused = { message: string; code: string; fields: Record<string, string> };
const change = (symbol: string, body: object, by = ann) => by.patch<StaffInstrument & Refused>(path(symbol), { reason: "A test", ...body });
const place = (who: Trader, over: object): Promise<Answer<Position & Refused>> => who.post<Position & Refused>("/api/trading/positions", { ...order, ...over });
const staffRow = async (symbol: string) =>
  (await ann.get<StaffInstrument[]>("/api/admin/instruments")).body.find((each) => each.symbol === symbol) as StaffInstrument;
const fillOf = async (who: Trader, id: string) => (await who.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body.fills[0];

/** An order of this person's that is filled but not committed. */
async function underWay(who: Trader, over: Partial<Order>) {
  const hand = await handHeld(app.db);
  const sent = { ...PLAIN, ...over };
  const quote = app.trading.fresh(sent.symbol);
  if (!quote) throw new Error("no price");
  await openPosition(hand.sql, who as unknown as By, sent, true, quote, app.trading.board(), null, app.trading.epoch);
  return {
    /** Commits when somebody waits for it, or when what might have waited is done. */
    async commitOnceWaitedFor<T>(other: Promise<T>): Promise<T> {
      let isDone = false;
      void other.finally(() => (isDone = true));
      await until("it is waited for", async () => isDone || (await waiting(app.sql)) > 0);
      await hand.commit();
      await hand.end();
      return other;
    },
  };
}

describe("an instrument's terms", () => {
  test("stand in versions with reason and diff, and are refused by field", async () => {
    expect(await staffRow("EUR/USD")).toMatchObject({
      version: 0,
      state: "tradable",
      minimum: null,
      step: null,
      listing: { name: "Euro / US Dollar", digits: 5 },
    });
    const refusals: [object, string][] = [
      [{ minimum: "5" }, "minimum"],
      [{ minimum: "50", maximum: "40" }, "maximum"],
      [{ minimum: "50", step: "20" }, "step"],
      [{ step: "-1" }, "step"],
      [{ marginPercent: "0.1" }, "marginPercent"],
      [{ marginPercent: "many" }, "marginPercent"],
      [{ state: "gone" }, "state"],
      [{ reason: "" }, "reason"],
      [{ effectiveAt: "2020-01-01T00:00" }, "effectiveAt"],
      [{ state: "hidden", effectiveAt: "2050-01-01T00:00" }, "effectiveAt"],
      [{ state: "shown", effectiveAt: "2050-01-01T00:00" }, "effectiveAt"],
    ];
    for (const [body, field] of refusals) {
      const { status, body: said } = await change("EUR/USD", body);
      expect([body, status, Object.keys(said.fields)]).toEqual([body, 400, [field]]);
    }
    expect((await change("EUR/XYZ", { state: "hidden" })).status).toBe(404);
    expect((await change("EUR/USD", { minimum: "50", step: "10", maximum: 5000 })).body).toMatchObject({
      version: 1,
      minimum: "50.00",
      step: "10.00",
      maximum: "5000.00",
    });
    // What changes nothing is no version; what was looked at must be the newest.
    expect((await change("EUR/USD", { minimum: "50.00" })).body.version).toBe(1);
    expect((await change("EUR/USD", { maximum: "6000", version: 0 })).status).toBe(409);
    expect((await change("EUR/USD", { maximum: "", version: "1" })).body).toMatchObject({ version: 2, maximum: null, step: "10.00" });
    const versions = (await ann.get<InstrumentVersion[]>(`${path("EUR/USD")}/versions`)).body;
    expect(versions.map(({ version, maximum, reason }) => [version, maximum, reason])).toEqual([
      [2, null, "A test"],
      [1, "5000.00", "A test"],
    ]);
    const [line] = (await ann.get<AuditEntry[]>("/api/admin/audit-trail?action=instrument.set")).body;
    expect(line).toMatchObject({
      details: { symbol: "EUR/USD", version: 2 },
      previousState: { maximum: "5000.00" },
      newState: { maximum: null },
      reason: "A test",
    });
    await expect(app.sql`update instrument_terms set maximum = 1`).rejects.toThrow();
  });

  test("bound the amount of what opens, and the receipt keeps them", async () => {
    await app.quote("GBP/USD", "1.30000", "1.30010");
    const tess = await app.trader();
    const before = (await place(tess, { symbol: "GBP/USD" })).body;
    await change("GBP/USD", { minimum: "100", step: "50", maximum: "2000", marginPercent: "3" });
    for (const [amount, said] of [
      [50, "at least $100.00"],
      [120, "a multiple of $50.00"],
      [2050, "at most $2,000.00"],
    ] as const) {
      const { status, body } = await place(tess, { symbol: "GBP/USD", amount });
      expect([status, body.fields?.amount]).toEqual([400, `The amount must be ${said}.`]);
    }
    const { body, status } = await place(tess, { symbol: "GBP/USD", amount: 1000 });
    expect(status).toBe(201);
    // Three per cent are 1:33, rounded to the house's side.
    const dealt = await fillOf(tess, body.id);
    expect(dealt).toMatchObject({ margin: "30.31", terms: { version: 1, minimum: "100.00", step: "50.00", maximum: "2000.00", marginPercent: "3.00" } });
    expect((await fillOf(tess, before.id))?.terms).toBeNull();
    for (const maximum of ["3000", "4000", "5000"]) await change("GBP/USD", { maximum });
    const again = await fillOf(tess, body.id);
    expect([again?.terms, again?.margin]).toEqual([dealt?.terms, dealt?.margin]);
    expect((await accountsOf(tess))[0]?.margin).toBe("40.31");
  });

  test("close-only is told before one orders, opens nothing, and closes always", async () => {
    await app.quote("AUD/USD", "0.65000", "0.65010");
    const tess = await app.trader();
    const heard = heardBy(app, tess);
    const held = (await place(tess, { symbol: "AUD/USD" })).body;
    const limit = (await place(tess, { symbol: "AUD/USD", orderType: "limit", triggerPrice: 0.64 })).body;
    const hidden = await change("AUD/USD", { state: "hidden" });
    expect([hidden.status, hidden.body.message]).toEqual([
      409,
      "AUD/USD can't be hidden: open positions: 1, waiting orders: 1. Make it close-only until they are gone.",
    ]);
    expect((await change("AUD/USD", { state: "close_only" })).body).toMatchObject({ state: "close_only", openPositions: 1, waitingOrders: 1 });
    await until("it is told", () => app.market.snapshot(["AUD/USD"])[0]?.closeOnly === true);
    expect((await tess.call("GET", "/positions/new?symbol=AUD%2FUSD")).text.includes("AUD/USD can only be closed at the moment")).toBe(true);
    for (const over of [{}, { orderType: "limit", triggerPrice: 0.64 }]) {
      const refused = await place(tess, { symbol: "AUD/USD", ...over });
      expect([refused.status, refused.body.code]).toEqual([422, "close_only"]);
      expect(refused.body.message).toBe("AUD/USD can only be closed at the moment: no position is opened in it.");
    }
    await app.quote("AUD/USD", "0.63900", "0.63910");
    await until("the order ended", async () => (await staffRow("AUD/USD")).waitingOrders === 0);
    expect(limit.id).toBeDefined();
    await until("it is told", () => heard.length > 0);
    expect(heard.join()).toContain("Your waiting BUY AUD/USD order was cancelled. AUD/USD can only be closed at the moment");
    expect((await tess.post<ClosedPosition>(`/api/trading/positions/${held.id}/close`)).body.status).toBe("closed");
    expect((await change("AUD/USD", { state: "hidden" })).status).toBe(200);
    await until("lists leave it out", async () => {
      const { body } = await app.stranger().get<{ symbol: string }[]>("/api/market-data");
      return !body.some(({ symbol }) => symbol === "AUD/USD");
    });
    expect((await change("AUD/USD", { state: "tradable" })).status).toBe(200);
    expect((await place(tess, { symbol: "AUD/USD" })).status).toBe(201);
  });

  test("what is only shown has its price and is not dealt in; nobody holds it then", async () => {
    await app.quote("NZD/USD", "0.60000", "0.60010");
    const tess = await app.trader();
    const { id } = (await place(tess, { symbol: "NZD/USD" })).body;
    const kept = await change("NZD/USD", { state: "shown" });
    const words = "NZD/USD can't be only shown: open positions: 1, waiting orders: 0. Make it close-only until they are gone.";
    expect([kept.status, kept.body.message]).toEqual([409, words]);
    await tess.post(`/api/trading/positions/${id}/close`);
    expect((await change("NZD/USD", { state: "shown" })).body).toMatchObject({ state: "shown", openPositions: 0 });
    await until("it is told", () => app.market.snapshot(["NZD/USD"])[0]?.closeOnly === true);
    const { body: items } = await app.stranger().get<{ symbol: string; bid: string }[]>("/api/market-data");
    expect(items.find(({ symbol }) => symbol === "NZD/USD")?.bid).toBe("0.60000000");
    const said = "NZD/USD is shown with its prices and not dealt in at the moment.";
    expect((await tess.call("GET", "/positions/new?symbol=NZD%2FUSD")).text).toContain(said);
    for (const over of [{}, { orderType: "limit", triggerPrice: 0.59 }]) {
      const refused = await place(tess, { symbol: "NZD/USD", ...over });
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([422, "close_only", said]);
    }
    expect((await change("NZD/USD", { state: "tradable" })).status).toBe(200);
    expect((await place(tess, { symbol: "NZD/USD" })).status).toBe(201);
  });

  test("a change for later waits for its time, and the next one takes its place", async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect((await change("USD/CAD", { maximum: "500", effectiveAt: later })).body).toMatchObject({
      version: 1,
      maximum: null,
      coming: { maximum: "500.00", effectiveAt: later },
    });
    expect((await change("USD/CAD", { minimum: "20" })).body).toMatchObject({ version: 2, minimum: "20.00", maximum: null, coming: null });
    const versions = (await ann.get<InstrumentVersion[]>(`${path("USD/CAD")}/versions`)).body;
    expect(versions.map(({ isReplaced }) => isReplaced)).toEqual([false, true]);
  });

  test("what one person holds stays within the bound, though two accounts order at once", async () => {
    await app.quote("USD/CHF", "0.90000", "0.90010");
    await change("USD/CHF", { clientLimit: "2500" });
    const attempt = async () => {
      const tess = await app.trader();
      await tess.post("/api/trading-accounts", { accountTypeId: "starter", isDemo: true });
      const accounts = await accountsOf(tess);
      const devices = await onDevices(app, tess, 6);
      const answers = await Promise.all(
        devices.map((device, n) => place(device as Trader, { symbol: "USD/CHF", accountId: accounts[n % accounts.length]?.id, amount: 1000 })),
      );
      return { tess, accounts: accounts.length, opened: answers.filter(({ status }) => status === 201).length, answers };
    };
    const { tess, accounts, opened, answers } = await attempt();
    expect([accounts, opened]).toEqual([2, 2]);
    expect(answers.find(({ status }) => status !== 201)?.body.fields.amount).toContain("at most $2,500.00 of USD/CHF");
    // A deal that has not committed yet is waited for.
    const meet = async () => {
      const una = await app.trader();
      await una.post("/api/trading-accounts", { accountTypeId: "starter", isDemo: true });
      const [first, second] = await accountsOf(una);
      const held = await underWay(una, { symbol: "USD/CHF", accountId: first?.id ?? null, amount: "2000" });
      const next = place(una, { symbol: "USD/CHF", accountId: second?.id, amount: 2000 });
      return (await held.commitOnceWaitedFor(next)).status;
    };
    expect(await meet()).toBe(400);
    const putBack = await withoutGuard(app.sql, "instrument_bar", "perform pg_advisory_xact_lock(hashtextextended(account.user_id || terms.symbol, 83));");
    expect(await meet()).toBe(201);
    await putBack();
    await app.quote("USD/CHF", "0.90000", "0.90010");
    // The other side counts by itself, so that a hedge takes nothing off: once one of its legs is closed, no more is held than may be.
    const refused = await place(tess, { symbol: "USD/CHF", type: "sell", amount: 3000 });
    expect([refused.status, refused.body.fields.amount]).toEqual([
      400,
      "One person may hold at most $2,500.00 of USD/CHF on each side; with this order it would be $3,000.00 sold.",
    ]);
    const hedge = await place(tess, { symbol: "USD/CHF", type: "sell", amount: 2000 });
    expect([hedge.status, (await place(tess, { symbol: "USD/CHF", amount: 1000 })).status]).toEqual([201, 400]);
    // Closing is free, also of more than may be opened by now.
    await change("USD/CHF", { clientLimit: "50" });
    expect((await tess.post(`/api/trading/positions/${hedge.body.id}/close`)).status).toBe(200);
  });

  test("what is being opened is waited for before an instrument is hidden", async () => {
    await app.quote("USD/JPY", "150.000", "150.010");
    await app.quote("EUR/JPY", "160.000", "160.010");
    const meet = async (symbol: string) => {
      const held = await underWay(await app.trader(), { symbol, amount: "1000" });
      return (await held.commitOnceWaitedFor(change(symbol, { state: "hidden" }))).status;
    };
    expect(await meet("USD/JPY")).toBe(409);
    const putBack = await withoutGuard(app.sql, "instrument_set", "perform pg_advisory_xact_lock(lead_lock());");
    expect(await meet("EUR/JPY")).toBe(200);
    await putBack();
  });

  test("of orders that race a change each is filled by exactly one version, and none after hiding", async () => {
    await app.quote("EUR/GBP", "0.85000", "0.85010");
    const race = async () => {
      const traders = await Promise.all(Array.from({ length: 16 }, () => app.trader()));
      await change("EUR/GBP", { state: "tradable", maximum: "5000" });
      const orders = traders.map((who) => place(who, { symbol: "EUR/GBP", amount: 4000 }));
      const changed = change("EUR/GBP", { maximum: "3000" });
      const answers = await Promise.all(orders);
      expect((await changed).status).toBe(200);
      // The version of each fill is the one that was in force when it was written.
      return app.sql<{ wrong: number; filled: number }[]>`
        select count(*) filter (where t.maximum < f.amount or f.created_at < t.effective_at or exists (
          select from instrument_terms n where n.symbol = t.symbol and n.version = t.version + 1 and n.effective_at <= f.created_at
        ))::integer as wrong, count(*)::integer as filled
        from fills f
        join positions p on p.id = f.position_id and p.id = any (${answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : []))})
        join instrument_terms t on t.symbol = p.symbol and t.version = f.terms_version
      `;
    };
    for (let round = 0; round < 3; round++) expect((await race())[0]?.wrong).toBe(0);
  });
});
