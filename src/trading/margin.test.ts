import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, fundLive, handHeld, ledgerAccount, order, post, until, waiting } from "../testing/scenarios";
import { nextNoon } from "../testing/week";
import type { ClosedPosition, Position, Receipt } from "./schema";

/** Margin calls and stop-outs as the trader meets them. Each test has a symbol of its own, so that no tick is another's. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const open = async (tess: Trader, over: object) => (await tess.post<Position>("/api/trading/positions", { ...order, ...over })).body;
const openOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body;
const historyOf = async (tess: Trader) => (await tess.get<ClosedPosition[]>("/api/trading/positions/history")).body;
const eventsOf = async (tess: { id: string }, sql = app.sql) =>
  (
    await sql<{ kind: string; equity: string; used: string }[]>`
      select e.kind, e.equity, e.used from margin_events e join trading_accounts a on a.id = e.account_id where a.user_id = ${tess.id} order by e.id
    `
  ).map(({ kind, equity, used }) => `${kind} ${equity} ${used}`);

/** What the streams of a person are told from here on. */
function notices(of: { id: string }) {
  const heard: { kind: string; title: string; message: string; topic?: string }[] = [];
  app.context.bus.subscribe("notice", ({ userId, ...notice }) => userId === of.id && heard.push(notice));
  return heard;
}

describe("a margin call", () => {
  test("comes below 100%, once, and again only after a recovery", async () => {
    const tess = await app.trader();
    const heard = notices(tess);
    await app.quote("LTC/USD", "100.00", "100.00");
    await open(tess, { symbol: "LTC/USD", amount: 500_000 });
    await app.quote("LTC/USD", "99.00", "99.00");
    // 10,000 − 5,000 on 5,000 of margin: 100 % is not below it.
    expect(await eventsOf(tess)).toEqual([]);
    await app.quote("LTC/USD", "98.99", "98.99");
    await app.quote("LTC/USD", "98.80", "98.80");
    expect(await eventsOf(tess)).toEqual(["margin_call 4950.00 5000.00"]);
    const { accountNumber } = (await accountsOf(tess))[0] ?? { accountNumber: "" };
    expect(heard).toEqual([
      {
        kind: "warning",
        topic: "margin",
        title: "Margin call",
        message: `Account ${accountNumber}: margin level 99.00% (equity $4,950.00, used margin $5,000.00). Below 50% positions are closed, the largest loss first.`,
      },
    ]);
    await app.quote("LTC/USD", "99.00", "99.00");
    await app.quote("LTC/USD", "98.90", "98.90");
    expect(await eventsOf(tess)).toEqual(["margin_call 4950.00 5000.00", "margin_call 4500.00 5000.00"]);
    expect(heard).toHaveLength(2);
    expect(await openOf(tess)).toHaveLength(1);
  });

  test("reaches the trader's open stream", async () => {
    const tess = await app.trader();
    await app.quote("ADA/USD", "1.00000", "1.00000");
    const stream = await tess.fetch("GET", "/api/stream");
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    const reading = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += new TextDecoder().decode(part.value);
    })();
    await open(tess, { symbol: "ADA/USD", amount: 900_000 });
    await app.quote("ADA/USD", "0.99800", "0.99800");
    await app.quote("ADA/USD", "0.99000", "0.99000");
    await until("the notices arrive", () => text.includes('"Stop-out"') && text.includes('"closeReason":"stop_out"'));
    expect(text).toMatch(/event: notice\n(id: .*\n)?data: {"title":"Margin call".*"kind":"warning"/);
    await reader.cancel();
    await reading;
  });
});

describe("a stop-out", () => {
  test("closes the largest loss first, one by one, until the level is back, and says why", async () => {
    const tess = await app.trader();
    const heard = notices(tess);
    await app.quote("DOT/USD", "10.0000", "10.0000");
    await app.quote("LINK/USD", "20.0000", "20.0000");
    const small = await open(tess, { symbol: "DOT/USD", amount: 200_000 });
    const large = await open(tess, { symbol: "DOT/USD", amount: 500_000 });
    const other = await open(tess, { symbol: "LINK/USD", amount: 200_000 });
    await app.quote("DOT/USD", "9.9400", "9.9400");
    expect(await openOf(tess)).toHaveLength(3);
    // 4,400 on 9,000 of margin is below half; without the large one it is 4,400 on 4,000.
    await app.quote("DOT/USD", "9.9200", "9.9200");
    expect(await eventsOf(tess)).toEqual(["margin_call 5800.00 9000.00", "stop_out 4400.00 9000.00"]);
    expect(await historyOf(tess)).toMatchObject([{ id: large.id, closeReason: "stop_out", closePrice: "9.92000000", profit: "-4000.00" }]);
    expect((await openOf(tess)).map(({ id }) => id).toSorted()).toEqual([small.id, other.id].toSorted());
    const { body } = await tess.get<Receipt>(`/api/trading/positions/${large.id}/receipt`);
    expect(body.fills[1]).toMatchObject({ reason: "stop_out", by: "the trading engine", marginLevel: "48.89", equity: "4400.00", usedMargin: "9000.00" });
    expect(body.marginCall).toMatchObject({ level: "64.44", equity: "5800.00", usedMargin: "9000.00" });
    expect((await tess.call("GET", "/")).text).toMatch(/Margin call on \w[\w-]*: level 64.44%/);
    expect(body.fills[0]).toMatchObject({ marginLevel: null, equity: null, usedMargin: null });
    expect(heard.at(-1)).toEqual({
      topic: "margin",
      kind: "warning",
      title: "Stop-out",
      message: "BUY DOT/USD closed with −$4,000.00: the margin level was 48.89% (equity $4,400.00, used margin $9,000.00), below 50%.",
    });
    const page = (await tess.call("GET", `/positions/${large.id}/receipt`)).text;
    for (const text of ["Stop-out: margin level below 50%", "48.89%", "$4,400.00", "$9,000.00", "Margin call before", "fell to 64.44%: equity $5,800.00"])
      expect(page).toContain(text);
    expect((await tess.call("GET", "/traders-portal?tab=history")).text).toContain("Stop-out: margin level below 50%");
  });

  test("through a gap closes everything and leaves 0.00", async () => {
    const tess = await app.trader();
    await app.quote("AVAX/USD", "50.000", "50.000");
    for (const amount of [300_000, 500_000]) await open(tess, { symbol: "AVAX/USD", amount });
    await app.quote("AVAX/USD", "45.000", "45.000");
    expect((await historyOf(tess)).map(({ closeReason, profit }) => [closeReason, profit])).toEqual([
      ["stop_out", "-30000.00"],
      ["stop_out", "-50000.00"],
    ]);
    expect((await accountsOf(tess))[0]).toMatchObject({ balance: "0.00", margin: "0.00" });
  });

  test("comes after the exits of its tick, which may make it needless", async () => {
    const tess = await app.trader();
    await app.quote("SOL/USD", "100.000", "100.000");
    const stopped = await open(tess, { symbol: "SOL/USD", amount: 800_000, stopLoss: 99.5 });
    const kept = await open(tess, { symbol: "SOL/USD", amount: 100_000 });
    await app.quote("SOL/USD", "99.300", "99.300");
    expect(await historyOf(tess)).toMatchObject([{ id: stopped.id, closeReason: "stop_loss", profit: "-5600.00" }]);
    expect((await openOf(tess)).map(({ id }) => id)).toEqual([kept.id]);
    expect(await eventsOf(tess)).toEqual([]);
  });

  test("takes each account by its own prices: the tier's spread counts", async () => {
    const tess = await app.trader();
    await app.quote("NZD/USD", "0.60000", "0.60001");
    const { body: gold } = await tess.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "platinum", isDemo: true });
    const starter = (await accountsOf(tess)).find(({ id }) => id !== gold.id)?.id;
    for (const accountId of [gold.id, starter]) await open(tess, { symbol: "NZD/USD", amount: 950_000, accountId });
    // Opened and valued 3.3 pips apart instead of half a pip: the wide one is called first.
    await app.quote("NZD/USD", "0.59985", "0.59986");
    const called = await app.sql<{ id: string }[]>`select id from trading_accounts where margin_called_at is not null and user_id = ${tess.id}`;
    expect(called.map(({ id }) => id)).toEqual([starter as string]);
  });

  test("comes sooner where money left, and later where it came in", async () => {
    const tess = await app.trader();
    const live = await fundLive(app, tess, "6000.00");
    await app.quote("ATOM/USD", "10.0000", "10.0000");
    await open(tess, { symbol: "ATOM/USD", amount: 90_000, accountId: live });
    expect((await tess.post("/api/transfers", { fromAccountId: live, toAccountId: null, amount: "5000.00" })).status).toBe(201);
    await app.trading.engine.idle();
    await app.quote("ATOM/USD", "9.9800", "9.9800");
    expect(await eventsOf(tess)).toEqual(["margin_call 820.00 900.00"]);
    expect((await tess.post("/api/transfers", { fromAccountId: null, toAccountId: live, amount: "5000.00" })).status).toBe(201);
    await app.trading.engine.idle();
    // Far beyond where the old balance would have been stopped out.
    await app.quote("ATOM/USD", "9.6000", "9.6000");
    expect(await openOf(tess)).toHaveLength(1);
    await app.quote("ATOM/USD", "9.3800", "9.3800");
    expect(await historyOf(tess)).toMatchObject([{ closeReason: "stop_out" }]);
    expect(await eventsOf(tess)).toEqual(["margin_call 820.00 900.00", "margin_call 420.00 900.00", "stop_out 420.00 900.00"]);
  });
});

describe("prices that can't be dealt on", () => {
  test("a stale price closes nothing: the fresh symbol's position goes, the other stays until its next tick", async () => {
    const tess = await app.trader();
    await app.quote("UNI/USD", "10.0000", "10.0000");
    await app.quote("FIL/USD", "10.0000", "10.0000");
    const frozen = await open(tess, { symbol: "UNI/USD", amount: 500_000 });
    const alive = await open(tess, { symbol: "FIL/USD", amount: 400_000 });
    await app.quote("UNI/USD", "9.9200", "9.9200");
    app.pass(10_001);
    await app.quote("FIL/USD", "9.9000", "9.9000");
    // The silent symbol has some seconds to speak before the account is judged by its last price.
    expect(await openOf(tess)).toHaveLength(2);
    app.pass(10_001);
    await app.quote("FIL/USD", "9.8900", "9.8900");
    expect((await historyOf(tess)).map(({ id, closeReason }) => [id, closeReason])).toEqual([[alive.id, "stop_out"]]);
    expect((await openOf(tess)).map(({ id }) => id)).toEqual([frozen.id]);
    await app.quote("UNI/USD", "9.8500", "9.8500");
    expect((await historyOf(tess))[0]).toMatchObject({ id: frozen.id, closeReason: "stop_out", closePrice: "9.85000000" });
  });

  test("a closed market closes nothing until it opens", async () => {
    const real = await testApp({ MARKET_HOURS: "real" });
    try {
      const tess = await real.trader();
      // A Friday, and with it a Monday, that Christmas or New Year's Day does not close.
      real.pass(nextNoon(5, real.market.clock(), 3) - real.market.clock());
      await real.quote("EUR/USD", "1.10000", "1.10002");
      await real.quote("BTC/USD", "100000", "100000");
      await open(tess, { symbol: "EUR/USD", amount: 400_000 });
      await open(tess, { symbol: "BTC/USD", amount: 450_000 });
      await real.quote("EUR/USD", "1.09000", "1.09002");
      expect(await openOf(tess)).toHaveLength(2);
      real.pass(86_400_000);
      // A price out of hours is no price to deal on, though it makes this the larger loss.
      await real.quote("EUR/USD", "1.08900", "1.08902");
      await real.quote("BTC/USD", "99200", "99200");
      expect((await historyOf(tess)).map(({ symbol, closeReason }) => [symbol, closeReason])).toEqual([["BTC/USD", "stop_out"]]);
      expect((await openOf(tess)).map(({ symbol }) => symbol)).toEqual(["EUR/USD"]);
      await real.quote("EUR/USD", "1.05000", "1.05002");
      expect(await openOf(tess)).toHaveLength(1);
      real.pass(2 * 86_400_000);
      await real.quote("EUR/USD", "1.06000", "1.06002");
      expect(await openOf(tess)).toEqual([]);
      expect(await real.faults()).toEqual([]);
    } finally {
      await real.end();
    }
  });
});

describe("faults", () => {
  test("a stop-out whose write fails is tried until it lands, on the tick that caused it, and once", async () => {
    const tess = await app.trader();
    await app.quote("ICP/USD", "10.0000", "10.0000");
    const { id } = await open(tess, { symbol: "ICP/USD", amount: 900_000, stopLoss: 9 });
    await app.trading.engine.idle();
    const tries = () => app.lines.filter((line) => line.includes("could not be written yet")).length;
    const before = tries();
    await app.sql`alter table fills add constraint sabotage check (kind <> 'close') not valid`;
    const fired = app.quote("ICP/USD", "9.9300", "9.9300");
    await until("the engine tries again", () => tries() >= before + 2);
    await app.sql`alter table fills drop constraint sabotage`;
    await fired;
    await app.quote("ICP/USD", "9.9900", "9.9900");
    expect(await historyOf(tess)).toMatchObject([{ id, closeReason: "stop_out", closePrice: "9.93000000" }]);
    expect(await eventsOf(tess)).toHaveLength(2);
  });

  test.each(["trader", "stop_out", "admin"] as const)("trader, stop-out and correction wait for one account: who comes first closes it: %s", async (winner) => {
    const [tess, admin] = [await app.trader(), await app.admin()];
    await app.quote("VET/USD", "0.030000", "0.030000");
    const { id, accountId } = await open(tess, { symbol: "VET/USD", amount: 900_000 });
    await app.quote("VET/USD", "0.029840", "0.029840");
    const runs = {
      trader: () => tess.post(`/api/trading/positions/${id}/close`),
      stop_out: () => app.quote("VET/USD", "0.029800", "0.029800"),
      admin: () => admin.post(`/api/admin/trades/${id}/force-win`, { profit: "10.00", reason: "A test" }),
    };
    const hand = await handHeld(app.db);
    const answers: Promise<{ status: number } | void>[] = [];
    try {
      await hand.sql`select from trading_accounts where id = ${accountId} for update`;
      const others = (["trader", "stop_out", "admin"] as const).filter((who) => who !== winner);
      for (const who of [winner, ...others]) {
        answers.push(runs[who]());
        await until(`${who} waits for the account`, async () => (await waiting(app.sql)) === answers.length);
      }
      await hand.commit();
      const statuses = (await Promise.all(answers)).flatMap((answer) => answer?.status ?? []);
      expect(statuses.toSorted()).toEqual(winner === "stop_out" ? [409, 409] : [200, 409]);
    } finally {
      await hand.end();
    }
    expect(await historyOf(tess)).toMatchObject([{ id, closeReason: winner }]);
    const [row] = await app.sql<{ fills: number; entries: number }[]>`
      select (select count(*)::integer from fills where position_id = ${id} and kind = 'close') as fills,
        (select count(*)::integer from ledger_entries where object_id = ${id} and kind = 'trade_close') as entries
    `;
    expect(row).toEqual({ fills: 1, entries: 1 });
  });

  test("the database decides once more: money that the engine has not heard of averts a stop-out, and is then known", async () => {
    const tess = await app.trader();
    const live = await fundLive(app, tess, "1000.00");
    await app.quote("TRX/USD", "0.100000", "0.100000");
    await open(tess, { symbol: "TRX/USD", amount: 90_000, accountId: live });
    await app.quote("TRX/USD", "0.099800", "0.099800");
    expect(await eventsOf(tess)).toEqual(["margin_call 820.00 900.00"]);
    await post(app.sql, await ledgerAccount(app.sql, "trading", tess.id), await ledgerAccount(app.sql, "house_clearing"), "5000.00");
    await app.quote("TRX/USD", "0.099200", "0.099200");
    expect(await openOf(tess)).toHaveLength(1);
    await app.quote("TRX/USD", "0.099100", "0.099100");
    await app.quote("TRX/USD", "0.094000", "0.094000");
    expect(await eventsOf(tess)).toEqual(["margin_call 820.00 900.00", "margin_call 600.00 900.00"]);
  });

  test("an order on an account that is known costs the database no look", async () => {
    const tess = await app.trader();
    await app.quote("ALGO/USD", "0.10000", "0.10000");
    await open(tess, { symbol: "ALGO/USD", amount: 1_000 });
    await app.trading.engine.idle();
    const { moment } = app.trading.engine;
    for (let n = 0; n < 5; n++) {
      await open(tess, { symbol: "ALGO/USD", amount: 160_000 });
      // While the account is being judged of one, another has it looked at.
      await app.trading.engine.idle();
    }
    expect(app.trading.engine.moment).toBe(moment);
    // And is watched all the same: six positions on 8,010 of margin.
    await app.quote("ALGO/USD", "0.09970", "0.09970");
    expect(await eventsOf(tess)).toEqual(["margin_call 7597.00 8010.00"]);
    for (const { id } of await openOf(tess)) await tess.post(`/api/trading/positions/${id}/close`);
  });

  test("a program that starts again neither repeats a call nor forgets an account", async () => {
    const first = await testApp();
    const tess = await first.trader();
    await first.quote("BNB/USD", "600.00", "600.00");
    await tess.post<Position>("/api/trading/positions", { ...order, symbol: "BNB/USD", amount: 500_000 });
    await first.quote("BNB/USD", "593.00", "593.00");
    expect(await eventsOf(tess, first.sql)).toEqual(["margin_call 4166.67 5000.00"]);
    await first.close();
    const second = await testApp({}, first.db);
    try {
      await second.quote("BNB/USD", "592.90", "592.90");
      expect(await eventsOf(tess, second.sql)).toHaveLength(1);
      await second.quote("BNB/USD", "590.00", "590.00");
      expect(await eventsOf(tess, second.sql)).toEqual(["margin_call 4166.67 5000.00", "stop_out 1666.67 5000.00"]);
      expect(await second.faults()).toEqual([]);
    } finally {
      await second.end();
    }
  });
});
