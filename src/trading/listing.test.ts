import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { holdFirst } from "../testing/instruments";
import { order, until, withoutGuard } from "../testing/scenarios";
import type { AuditEntry } from "../audit/schema";
import type { Position, Receipt } from "./schema";
import type { InstrumentVersion, StaffInstrument } from "./schema_instruments";

/** A new instrument is staff's to list: it is there for everybody at once, without a restart. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp({ MARKET_HOURS: "real" });
  ann = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
  holdFirst();
});

type Refused = { message: string; code: string; fields: Record<string, string> };
const krona = {
  symbol: "EUR/SEK",
  name: "Euro / Swedish Krona",
  group: "forex-minor",
  digits: 5,
  simulatorStart: "11.30500",
  simulatorVolatility: 0.08,
  reason: "A test",
};
const list = (over: object = {}, by = ann) => by.post<StaffInstrument & Refused>("/api/admin/instruments", { ...krona, ...over });
const change = (symbol: string, body: object) =>
  ann.patch<StaffInstrument & Refused>(`/api/admin/instruments/${encodeURIComponent(symbol)}`, { reason: "A test", ...body });
const place = (who: Awaited<ReturnType<TestApp["trader"]>>, over: object): Promise<Answer<Position & Refused>> =>
  who.post<Position & Refused>("/api/trading/positions", { ...order, ...over });

describe("a new instrument", () => {
  test("is refused by field, with row and column of its sessions", async () => {
    const refusals: [object, string, string?][] = [
      [{ symbol: "EURSEK" }, "symbol"],
      [{ symbol: "EUR/USD" }, "symbol", "It is listed already."],
      [{ name: "" }, "name"],
      [{ name: "a|b" }, "name"],
      [{ group: "metals" }, "group"],
      [{ digits: 9 }, "digits"],
      [{ digits: 2 }, "digits", "digits must be at least as many as the simulator's first price has."],
      [{ pip: "0.002" }, "pip"],
      [{ pip: "0.000001" }, "pip", "pip must not be finer than the last digit of a price."],
      [{ simulatorStart: "-1" }, "simulatorStart"],
      [{ simulatorStart: "" }, "simulatorStart", "The simulator does not know SEK yet: say the first price, and the volatility of a year."],
      [{ simulatorVolatility: undefined }, "simulatorVolatility", "The simulator does not know SEK yet: say the first price, and the volatility of a year."],
      [{ symbol: "SEK/NOK" }, "simulatorStart", "The simulator knows neither SEK nor NOK: list one of them against USD first."],
      [{ minimum: "50", step: "20" }, "step", "step must divide the minimum, which is $50.00"],
      [{ sessions: "Mon-Fri 09:00-17:30\nWed 17:00-18:00" }, "sessions", "Row 2, from: it overlaps row 1 on Wed."],
      [
        { sessions: "Mon 09:00-17:30\nMonday 10:00-11:00" },
        "sessions",
        "Row 2, day: it must be Mon, Tue, Wed, Thu, Fri, Sat or Sun, or a range such as Mon-Fri.",
      ],
      [{ sessions: "Mon 17:00-09:00" }, "sessions", "Row 1, to: it must be after from; a session over midnight is two, up to 24:00 and from 00:00."],
      [{ sessions: "Mon 09:00-24:30" }, "sessions", "Row 1, to: it must be a time from 00:00 to 24:00."],
      [{ sessions: "Mon 09:00-10:00", zone: "Europe/Nowhere" }, "zone"],
      [{ sessions: "Mon 09:00-10:00", holidays: "2026-12-24 2026-02-30" }, "holidays", "Day 2: write it as 2026-12-24, or 12-25 for each year."],
      [{ holidays: "12-25" }, "sessions", "Say the sessions together with their zone and holidays."],
      [{ kraken: "eur sek" }, "kraken"],
      [{ reason: "" }, "reason"],
    ];
    for (const [over, field, said] of refusals) {
      const { status, body } = await list(over);
      expect([over, [400, 409].includes(status), Object.keys(body.fields ?? {})]).toEqual([over, true, [field]]);
      if (said) expect(body.fields[field]).toBe(said);
    }
    expect((await list({}, (await app.trader()) as unknown as typeof ann)).status).toBe(403);
    expect((await ann.get<StaffInstrument[]>("/api/admin/instruments")).body.length).toBe(35);
  });

  test("is in lists, pages and streams at once, is dealt once it has a price, and stands in the log", async () => {
    // Open whenever this test runs, on a weekend too.
    const always = { sessions: "Mon-Sun 00:00-24:00", zone: "UTC", holidays: "" };
    const { status, body } = await list({ minimum: "20", step: "10", marginPercent: "5", ...always });
    expect([status, body]).toMatchObject([
      201,
      {
        ...{ symbol: "EUR/SEK", group: "forex-minor", version: 1, state: "tradable", minimum: "20.00", step: "10.00", marginPercent: "5.00" },
        listing: { name: "Euro / Swedish Krona", digits: 5, pip: "0.0001", hours: {}, simulator: { start: 11.305, volatility: 0.08 }, kraken: "EUR/SEK" },
      },
    ]);
    expect((await list()).body.fields).toEqual({ symbol: "It is listed already." });
    const tess = await app.trader();
    expect((await place(tess, { symbol: "EUR/SEK" })).body.code).toBe("stale_price");
    await app.quote("EUR/SEK", "11.30500", "11.30600");
    const market = (await tess.get<{ symbol: string; id: string }[]>("/api/market-data")).body.find(({ symbol }) => symbol === "EUR/SEK");
    const [stored] = await app.sql<{ id: string }[]>`select id from instruments where symbol = 'EUR/SEK'`;
    expect(market?.id).toBe(stored?.id as string);
    expect(app.market.snapshot(["EUR/SEK"])[0]).toMatchObject({ bid: "11.30500000", open: true });
    expect((await tess.get("/api/market/candles?symbol=EUR/SEK&interval=1m")).status).toBe(200);
    for (const path of ["/positions/new", "/traders-portal", "/trading?tab=trading"])
      expect((await tess.call("GET", path)).text).toMatch(/<option[^>]*>EUR\/SEK</);
    const { body: opened } = await place(tess, { symbol: "EUR/SEK", amount: 100 });
    const fill = (await tess.get<Receipt>(`/api/trading/positions/${opened.id}/receipt`)).body.fills[0];
    expect(fill).toMatchObject({ margin: "5.00", terms: { version: 1, minimum: "20.00" } });
    expect((await place(tess, { symbol: "EUR/SEK", amount: 25 })).body.fields).toEqual({ amount: "The amount must be a multiple of $10.00." });
    expect((await tess.post(`/api/trading/positions/${opened.id}/close`)).status).toBe(200);
    const [line] = (await ann.get<AuditEntry[]>("/api/admin/audit-trail?action=instrument.set")).body;
    expect(line).toMatchObject({ details: { symbol: "EUR/SEK", version: 1 }, newState: { listing: { digits: 5 }, minimum: "20.00" } });
    await expect(app.sql`update instruments set listing = '{}' where symbol = 'EUR/SEK'`).rejects.toThrow();
  });

  test("that is hidden is in no list, page, analysis or stream, and is back once it is shown", async () => {
    const tess = await app.trader();
    await list({ symbol: "EUR/HUF", name: "Euro / Hungarian Forint", digits: 3, simulatorStart: "390.5" });
    await list({ symbol: "ZZZ/USD", name: "A new coin", group: "crypto", digits: 2, simulatorStart: "5" });
    for (const n of [0, 1, 2]) {
      await app.quote("EUR/HUF", `39${n}.500`, `39${n}.600`);
      app.pass(20 * 60_000);
    }
    const stranger = app.stranger();
    const shows = async () => {
      const pages = await Promise.all(
        ["/market-analysis", "/traders-portal", "/positions/new"].map(async (path) =>
          (await tess.call("GET", path)).text.replace(/data-instruments="[^"]*"/, "").includes("EUR/HUF"),
        ),
      );
      const data = (await stranger.get<{ symbol: string }[]>("/api/market-data")).body.some(({ symbol }) => symbol === "EUR/HUF");
      return [...pages, data, app.market.snapshot().some(({ symbol }) => symbol === "EUR/HUF"), app.market.snapshot(["EUR/HUF"]).length === 1];
    };
    expect(await shows()).toEqual([true, true, true, true, true, true]);
    expect((await stranger.call("GET", "/trading-assets?tab=crypto")).text).toContain("A new coin");
    await change("EUR/HUF", { state: "hidden" });
    await until("it is known", () => app.market.snapshot(["EUR/HUF"]).length === 0);
    // The analysis is made once a minute for all.
    app.pass(61_000);
    expect(await shows()).toEqual([false, false, false, false, false, false]);
    const streamed: string[] = [];
    const stop = app.context.bus.subscribe("quotes", (quotes) => void streamed.push(...quotes.map(({ symbol }) => symbol)));
    await app.quote("EUR/HUF", "391.500", "391.600");
    await app.quote("GBP/USD", "1.30000", "1.30010");
    await until("another one is told", () => streamed.includes("GBP/USD"));
    stop();
    expect(streamed).not.toContain("EUR/HUF");
    await change("EUR/HUF", { state: "tradable" });
    await until("it is back", () => app.market.snapshot(["EUR/HUF"]).length === 1);
  });

  test("is listed by one of those who race for its symbol", async () => {
    const race = async (symbol: string) => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => list({ symbol, simulatorStart: "1.5" })));
      expect((await ann.get<InstrumentVersion[]>(`/api/admin/instruments/${encodeURIComponent(symbol)}/versions`)).body.length).toBe(1);
      return answers.map(({ status, body }) => `${status} ${body.fields?.symbol ?? ""}`).sort();
    };
    const lost = "409 It is listed already.";
    expect(await race("EUR/PLN")).toEqual(["201 ", lost, lost, lost, lost, lost]);
    const putBack = await withoutGuard(app.sql, "instrument_add", "if not found then", "if false then");
    expect(await race("EUR/CZK")).not.toEqual(["201 ", lost, lost, lost, lost, lost]);
    await putBack();
  });

  test("keeps its sessions by its own zone's clock, and is listed otherwise in versions", async () => {
    await list({ symbol: "EUR/DKK", sessions: "Mon-Fri 09:00-17:00", zone: "Europe/Copenhagen", holidays: "12-24 2026-06-05", simulatorStart: "7.45" });
    await app.quote("EUR/DKK", "7.45005", "7.45100");
    const kept = (bid: string) => until("it is stored", async () => (await app.sql`select from quotes where symbol = 'EUR/DKK' and bid = ${bid}`).length === 1);
    await kept("7.45005");
    const openAt = (at: string) => app.market.board.isOpen("EUR/DKK", Date.parse(at));
    // Winter's offset is an hour, summer's two; 5 June 2026 is a Friday.
    expect(["2026-01-16T07:59:59Z", "2026-01-16T08:00:00Z", "2026-01-16T15:59:59Z", "2026-01-16T16:00:00Z"].map(openAt)).toEqual([false, true, true, false]);
    expect(["2026-06-04T06:59:59Z", "2026-06-04T07:00:00Z", "2026-06-05T10:00:00Z", "2026-06-06T10:00:00Z"].map(openAt)).toEqual([false, true, false, false]);
    expect(["2025-12-24T10:00:00Z", "2025-12-23T10:00:00Z"].map(openAt)).toEqual([false, true]);
    expect((await change("EUR/DKK", { digits: 4 })).body.fields).toEqual({ digits: "digits must be at least 5: prices of EUR/DKK are written with so many" });
    expect((await change("EUR/DKK", { digits: 3 })).body.fields).toEqual({ pip: "pip must not be finer than the last digit of a price." });
    const same = await change("EUR/DKK", { sessions: "Mon-Fri 09:00-17:00", zone: "Europe/Copenhagen", holidays: "12-24 2026-06-05", name: krona.name });
    await app.quote("EUR/DKK", "7.45000", "7.45100");
    await kept("7.45");
    expect(same.body.version).toBe(1);
    expect((await change("EUR/DKK", { digits: 3, pip: "0.01", name: "The krone", sessions: "" })).body).toMatchObject({
      version: 2,
      listing: { name: "The krone", digits: 3, pip: "0.01", hours: null },
    });
    await until("it is known", () => openAt("2026-06-04T06:00:00Z"));
    expect((await app.stranger().call("GET", "/api/market/candles?symbol=EUR/DKK&interval=1w")).status).toBe(200);
  });
});
