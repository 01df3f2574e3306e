import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { priceText } from "../lib/money";
import { midOf, type Quote } from "../market/board";
import { type TestApp, testApp } from "../testing/app";
import { until, withoutGuard } from "../testing/scenarios";
import "../testing/seed";
import { AlertBook, reaches, type Watched } from "./book";
import { AlertEngine } from "./engine";
import type { Alert } from "./schema";

/** The engine of alerts: what the book finds, and that each fires once, whichever program leads and however it ended. */

const CASES = Number(process.env.CASES ?? 200);

const SYMBOLS = ["EUR/USD", "BTC/USD"];
const units = fc.integer({ min: 100, max: 140 });
const alert = fc.record({
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom("bid" as const, "ask" as const, "mid" as const),
  price: units,
  condition: fc.constantFrom("above" as const, "below" as const, "crosses" as const),
  from: units,
  /** Dropped before this tick, or never. */
  gone: fc.option(fc.nat(30)),
});
const tick = fc.record({ symbol: fc.constantFrom(...SYMBOLS), bid: units, spread: fc.nat(6) });

test("of random alerts each tick fires those that a plain look at all of them finds", () => {
  fc.assert(
    fc.property(fc.array(alert, { maxLength: 40 }), fc.array(tick, { maxLength: 30 }), (drawn, ticks) => {
      const alerts = drawn.map(({ condition, from, ...rest }, n) => ({
        ...rest,
        id: `alert ${n}`,
        condition,
        rises: condition === "above" || (condition === "crosses" && from <= rest.price),
        falls: condition === "below" || (condition === "crosses" && from >= rest.price),
        sinceSeq: 0,
        until: Number.POSITIVE_INFINITY,
        from,
      }));
      const book = new AlertBook();
      for (const each of alerts) book.add(each);
      const left = new Map(alerts.map((each) => [each.id, each]));
      for (const [n, { symbol, bid, spread }] of ticks.entries()) {
        for (const each of alerts.filter(({ gone }) => gone === n)) {
          book.drop(each.id);
          left.delete(each.id);
        }
        const quote: Quote = { symbol, bid, ask: bid + spread, at: n, receivedAt: n, seq: n + 1 };
        const priceOf = { bid, ask: bid + spread, mid: midOf(quote) };
        const plain = [...left.values()].filter((each) => {
          const at = priceOf[each.side];
          if (each.symbol !== symbol) return false;
          if (each.condition === "above") return at >= each.price;
          if (each.condition === "below") return at <= each.price;
          return (each.from <= each.price && at >= each.price) || (each.from >= each.price && at <= each.price);
        });
        for (const each of plain) left.delete(each.id);
        const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort();
        expect(ids(plain)).toEqual(ids(plain.filter((each) => reaches(each, quote))));
        expect(ids(book.reached(quote))).toEqual(ids(plain));
        expect(book.size).toBe(left.size);
      }
    }),
    { numRuns: CASES },
  );
});

test("a book that is edited all day does not grow, and forgets what has run out", () => {
  const book = new AlertBook();
  const watched = (n: number): Watched => ({ id: `${n}`, symbol: "EUR/USD", side: "mid", price: 200, rises: true, falls: false, sinceSeq: 0, until: n });
  for (let n = 0; n < 5_000; n++) {
    book.add(watched(n));
    if (n >= 10) book.drop(`${n - 10}`);
  }
  expect(book.size).toBe(10);
  book.expire(4_994);
  expect(book.size).toBe(5);
  const quote: Quote = { symbol: "EUR/USD", bid: 200, ask: 200, at: 0, receivedAt: 0, seq: 1 };
  expect(
    book
      .reached(quote)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(["4995", "4996", "4997", "4998", "4999"]);
  expect(book.reached(quote)).toEqual([]);
});

describe("two programs on one database", () => {
  let old: TestApp;
  let next: TestApp | null = null;
  beforeEach(async () => {
    old = await testApp();
  });
  afterEach(async () => {
    await next?.close();
    next = null;
    await old.end();
  });

  const wish = { symbol: "BTC/USD", side: "bid", condition: "above", price: "50500" };
  const setAlert = async (who: Awaited<ReturnType<TestApp["trader"]>>, over: object = {}) => (await who.post<Alert>("/api/alerts", { ...wish, ...over })).body;
  const alertsIn = async (at: TestApp, cookie: string) => (await Object.assign(at.stranger(), { cookie }).get<Alert[]>("/api/alerts")).body;

  test("the one that leads no longer fires nothing; the next one does, once", async () => {
    await old.quote("BTC/USD", "50000", "50001");
    const tess = await old.trader();
    await setAlert(tess);
    await old.alerts.idle();
    next = await testApp({}, old.db);
    await old.quote("BTC/USD", "51000", "51001");
    expect(await alertsIn(next, tess.cookie)).toMatchObject([{ status: "active" }]);
    await next.quote("BTC/USD", "50600", "50601");
    expect(await alertsIn(next, tess.cookie)).toMatchObject([{ status: "fired", firedPrice: "50600.00000000" }]);
    expect((await old.sql`select from person_outbox`).length).toBeLessThanOrEqual(1);
  });

  test("without the fence the old one would fire on a tick of its own", async () => {
    await old.quote("BTC/USD", "50000", "50001");
    const tess = await old.trader();
    await setAlert(tess);
    await old.alerts.idle();
    next = await testApp({}, old.db);
    await withoutGuard(old.sql, "alerts_fire", "if of_epoch is not null then perform lead_fence(of_epoch); end if;");
    await old.quote("BTC/USD", "51000", "51001");
    expect(await alertsIn(next, tess.cookie)).toMatchObject([{ status: "fired", firedPrice: "51000.00000000" }]);
  });

  test("an alert set where no engine runs is found by the one that leads, with the ticks that came meanwhile", async () => {
    await old.quote("BTC/USD", "50000", "50001");
    const tess = await old.trader();
    next = await testApp({}, old.db);
    await next.quote("BTC/USD", "50010", "50011");
    // The old program's bus is not the new one's: nothing tells it.
    await setAlert(tess);
    await next.quote("BTC/USD", "50700", "50701");
    await next.quote("BTC/USD", "50100", "50101");
    await until("the leader has found it", async () => (await alertsIn(next as TestApp, tess.cookie))[0]?.status === "fired");
    expect(await alertsIn(next, tess.cookie)).toMatchObject([{ firedPrice: "50700.00000000" }]);
  });

  test("a start fires what the recorded ticks reached while nobody wrote it, and nothing that was set after them", async () => {
    await old.quote("BTC/USD", "50000", "50001");
    const tess = await old.trader();
    const early = await setAlert(tess);
    await old.alerts.rest();
    await old.quote("BTC/USD", "50800", "50801");
    await old.quote("BTC/USD", "50000", "50001");
    const late = await setAlert(tess);
    await old.market.pause();
    next = await testApp({}, old.db);
    await next.alerts.idle();
    const byId = new Map((await alertsIn(next, tess.cookie)).map((each) => [each.id, each]));
    expect(byId.get(early.id)).toMatchObject({ status: "fired", firedPrice: "50800.00000000" });
    expect(byId.get(late.id)).toMatchObject({ status: "active" });
  });

  test("engines that fire one alert at the same moment: it fires once, and its person is told once", async () => {
    await old.quote("BTC/USD", "50000", "50001");
    const tess = await old.trader();
    await old.teller.stop();
    const race = async (): Promise<number> => {
      const { id } = await setAlert(tess);
      const { market, context } = old;
      const parts = {
        sql: context.engineSql,
        market,
        bus: { publish: () => {}, subscribe: () => () => {} },
        log: context.log,
        epoch: null,
        onDeposed: () => {},
      };
      const engines = Array.from({ length: 6 }, () => new AlertEngine(parts));
      await Promise.all(engines.map((engine) => engine.start()));
      await old.quote("BTC/USD", "50600", "50601");
      await Promise.all(engines.map((engine) => engine.stop()));
      await old.quote("BTC/USD", "50000", "50001");
      const told = await old.sql<{ count: number }[]>`select count(*)::integer as count from person_outbox where tag = ${`alert-${id}`}`;
      return told[0]?.count ?? 0;
    };
    for (let round = 0; round < 5; round++) expect(await race()).toBe(1);
    await withoutGuard(old.sql, "alert_is_active", "a.fired_at is null and ");
    expect(await race()).toBeGreaterThan(1);
  });
});

test("what the database can't take at the moment is tried again until it can", async () => {
  const app = await testApp();
  await app.quote("BTC/USD", "50000", "50001");
  const tess = await app.trader();
  await tess.post("/api/alerts", { symbol: "BTC/USD", side: "bid", condition: "above", price: "50500" });
  await app.alerts.idle();
  await app.sql.unsafe(`
    create or replace function alert_side(side text, bid numeric, ask numeric) returns numeric language plpgsql as $$
    begin
      if nextval('troubles') <= 3 then raise exception 'out of order' using errcode = '53200'; end if;
      return bid;
    end $$;
    create sequence troubles;
  `);
  await app.quote("BTC/USD", priceText(5_060_000_000_000), priceText(5_060_100_000_000));
  expect((await tess.get<Alert[]>("/api/alerts")).body).toMatchObject([{ status: "fired" }]);
  await app.end();
});
