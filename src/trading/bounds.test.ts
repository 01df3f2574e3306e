import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { profitOf, priceUnits } from "../lib/money";
import { Pace } from "../platform/http/pace";
import { type TestApp, testApp } from "../testing/app";
import "../testing/seed";
import { handHeld, order, until, waiting } from "../testing/scenarios";
import { partFaults } from "./rules_terms";
import type { Position } from "./schema";

/** What bounds one person: the smallest deal, how parts are rounded, how many positions, how many at once, how many a second. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ COMMANDS_PER_SECOND: "10000" });
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const place = (tess: Trader, over: object = {}) => tess.post<Position>("/api/trading/positions", { ...order, ...over });
const close = (tess: Trader, id: string, amount?: string) => tess.post<Position>(`/api/trading/positions/${id}/close`, amount ? { amount } : {});

describe("the smallest deal", () => {
  test("an order below $10 is refused at its field", async () => {
    const tess = await app.trader();
    await app.quote("EUR/USD", "1.10000", "1.10002");
    expect(await place(tess, { amount: "9.99" })).toMatchObject({ status: 400, body: { fields: { amount: "The amount must be at least $10.00." } } });
    expect((await place(tess, { amount: "10.00" })).status).toBe(201);
  });

  test("an amount to close that can't be closed is refused in the sentence that a form says before it is sent", async () => {
    const tess = await app.trader();
    await app.quote("EUR/USD", "1.10000", "1.10002");
    const { body } = await place(tess, { amount: "120" });
    for (const amount of ["", "0", "0.01", "9.99", "120.01", "5000", "1.001"]) {
      const said = partFaults({ amount }, body.amount);
      expect([amount, Object.keys(said)]).toEqual([amount, ["amount"]]);
      expect([amount, await tess.post(`/api/trading/positions/${body.id}/close`, { amount })]).toMatchObject([amount, { status: 400, body: { fields: said } }]);
    }
    expect(partFaults({ amount: "9.99" }, "120.00")).toEqual({ amount: "The amount to close must be at least $10.00, or the whole position." });
    expect(partFaults({ amount: "120.01" }, "120.00")).toEqual({ amount: "The amount to close must be at most $120.00." });
    expect(["10", "119.99", "120"].map((amount) => partFaults({ amount }, body.amount))).toEqual([{}, {}, {}]);
    for (const amount of ["10", "110"]) expect([amount, (await close(tess, body.id, amount)).status]).toEqual([amount, 200]);
  });

  test("an instrument may ask for more, and the database refuses what is less", async () => {
    const tess = await app.trader();
    await app.quote("EUR/GBP", "0.86000", "0.86002");
    await app.sql`update instruments set smallest_deal = 50 where symbol = 'EUR/GBP'`;
    expect(await place(tess, { symbol: "EUR/GBP", amount: 49 })).toMatchObject({
      status: 400,
      body: { fields: { amount: "The amount must be at least $50.00." } },
    });
    const { body } = await place(tess, { symbol: "EUR/GBP", amount: 120 });
    expect(await close(tess, body.id, "49.99")).toMatchObject({
      status: 400,
      body: { fields: { amount: "The amount to close must be at least $50.00, or the whole position." } },
    });
    expect((await close(tess, body.id, "50.00")).body).toMatchObject({ amount: "50.00", status: "closed" });
    // A rest of $20 would be left: all of it closes.
    expect((await close(tess, body.id, "50.00")).body).toMatchObject({ id: body.id, amount: "70.00", status: "closed" });
  });
});

test("however a position is parted, its parts bring what the whole would have, to the cent", async () => {
  const tess = await app.trader();
  const cents = (text: string) => BigInt(text.replace(".", ""));
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        side: fc.constantFrom("buy", "sell"),
        parts: fc.array(fc.integer({ min: 1_000, max: 9_999 }), { minLength: 1, maxLength: 8 }),
        rest: fc.integer({ min: 1_000, max: 50_000 }),
        move: fc.integer({ min: -4_000, max: 4_000 }),
      }),
      async ({ side, parts, rest, move }) => {
        await app.quote("BTC/USD", "60000.00", "60000.00");
        const total = parts.reduce((sum, each) => sum + each, rest);
        const text = (units: number) => (units / 100).toFixed(2);
        const { body } = await place(tess, { symbol: "BTC/USD", type: side, amount: text(total) });
        const price = `${60_000 + move / 100}`;
        await app.quote("BTC/USD", price, price);
        const closed: Position[] = [];
        for (const part of parts) closed.push((await close(tess, body.id, text(part))).body);
        closed.push((await close(tess, body.id)).body);
        const whole = profitOf(side as "buy" | "sell", text(total), priceUnits("60000"), priceUnits(price));
        expect(closed.reduce((sum, { profit }) => sum + cents(profit ?? "0.00"), 0n)).toBe(cents(whole));
      },
    ),
    { numRuns: 25 },
  );
});

test("an account holds 200 open positions at most: of two for the last place one is taken", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  for (let n = 0; n < 199; n++) expect((await place(tess, { amount: 10 })).status).toBe(201);
  // Two at once for the last place: one gets it.
  const last = await Promise.all([place(tess, { amount: 10 }), place(tess, { amount: 10 })]);
  expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const [{ id } = { id: "" }] = (await tess.get<Position[]>("/api/trading/positions/open")).body;
  await close(tess, id);
  expect((await place(tess, { amount: 10 })).status).toBe(201);
});

test("of one person's commands two are worked on; the others are told so at once, and nobody else waits", async () => {
  const [tess, una] = [await app.trader(), await app.trader()];
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { body: mine } = await place(tess);
  const hand = await handHeld(app.db);
  try {
    await hand.sql`select 1 from trading_accounts where id = ${mine.accountId} for update`;
    let told = 0;
    const sent = Array.from({ length: 40 }, async () => {
      const answer = await place(tess);
      told++;
      return answer;
    });
    // The second comes after the first, which waits.
    await until("one waits", async () => (await waiting(app.sql)) >= 1);
    await until("the others are told so", () => told === 38);
    expect((await place(una)).status).toBe(201);
    await hand.sql.unsafe("rollback");
    const answers = await Promise.all(sent);
    const refused = answers.filter(({ status }) => status === 429);
    expect([refused.length, answers.filter(({ status }) => status === 201).length]).toEqual([38, 2]);
    expect(refused[0]).toMatchObject({ body: { code: "too_many_requests" } });
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
  } finally {
    await hand.end();
  }
});

test("of one person's edits and cancellations one is worked on; the others wait in line, and nobody else does", async () => {
  const [tess, una] = [await app.trader(), await app.trader()];
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { body: limit } = await place(tess, { orderType: "limit", triggerPrice: 1.05 });
  const hand = await handHeld(app.db);
  try {
    await hand.sql`select 1 from trading_accounts where id = ${limit.accountId} for update`;
    const many = <T>(act: (n: number) => Promise<T>) => Promise.all(Array.from({ length: 40 }, (_, n) => act(n)));
    const edits = many((n) => tess.patch(`/api/trading/positions/${limit.id}`, { triggerPrice: 1.05 - n / 1000 }));
    const cancels = many(() => tess.post(`/api/trading/positions/${limit.id}/cancel`));
    const all = many(() => tess.post("/api/trading/positions/cancel-all"));
    await until("one waits", async () => (await waiting(app.sql)) >= 1);
    // Whoever came later is signed in and asks for an order of his own: all connections but one are free.
    expect((await place(una)).status).toBe(201);
    await until("one alone waits on", async () => (await waiting(app.sql)) === 1);
    await hand.sql.unsafe("rollback");
    const states = async (sent: Promise<{ status: number }[]>) => new Set((await sent).map(({ status }) => status));
    expect([...(await states(edits)), ...(await states(cancels)), ...(await states(all))].filter((status) => ![200, 409].includes(status))).toEqual([]);
  } finally {
    await hand.end();
  }
});

test("the engine has connections of its own: stops fire while people's are all held", async () => {
  const tess = await app.trader();
  await app.quote("GBP/USD", "1.25000", "1.25002");
  const { body } = await place(tess, { symbol: "GBP/USD", stopLoss: 1.24 });
  const hand = await handHeld(app.db);
  try {
    await hand.sql`select pg_advisory_lock(4711)`;
    const { sql: people } = app.context;
    const held = Array.from({ length: people.options.max }, async () => void (await people`select pg_advisory_xact_lock(4711)`));
    await until("all are held", async () => (await waiting(hand.sql)) === people.options.max);
    await app.quote("GBP/USD", "1.23000", "1.23002");
    const [row] = await hand.sql<{ status: string }[]>`select status from positions where id = ${body.id}`;
    expect(row?.status).toBe("closed");
    await hand.sql`select pg_advisory_unlock(4711)`;
    await Promise.all(held);
  } finally {
    await hand.end();
  }
});

test("a person's commands a second are bounded over time, and come back with it", async () => {
  let now = 0;
  const pace = new Pace({ atOnce: 2, perSecond: 5, clock: () => now });
  const command = async () => "done";
  const many = async (count: number) => {
    let done = 0;
    for (let n = 0; n < count; n++)
      await pace.keep("tess", command).then(
        () => done++,
        (refusal: unknown) => expect(refusal).toMatchObject({ code: "too_many_requests" }),
      );
    return done;
  };
  expect(await many(80)).toBe(50);
  expect(await pace.keep("una", command)).toBe("done");
  now += 2_000;
  expect(await many(80)).toBe(10);
});
