import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Refusal } from "../lib/refusal";
import { type Answer, type Person, type TestApp, testApp } from "../testing/app";
import { accountsOf, fundLive, handHeld, onDevices, order, until, withHastyDeals, withoutGuard } from "../testing/scenarios";
import "../testing/seed";
import { comingTogether, sentOrder } from "../testing/sent_orders";
import type { Books } from "./books";
import { closePosition, openPosition, type Order } from "./commands";
import type { Db } from "../platform/database/db";
import { openTogether, type Sent } from "./commands_together";
import { OrderBatches } from "./order_batches";
import type { Position } from "./schema";

/** Orders that come together are filled in one statement and one commit, and each is answered as if it had come alone. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});
beforeEach(() => app.quote("EUR/USD", "1.08400", "1.08412"));

type Trader = Person & { id: string };
const PLACE = "/api/trading/positions";
const place = (trader: Person, over: object = {}, key?: string): Promise<Answer<Position>> =>
  trader.post<Position>(PLACE, { ...order, ...over }, key ? { "idempotency-key": key } : {});
const traders = (count: number) => Promise.all(Array.from({ length: count }, () => app.trader() as Promise<Trader>));
/** In how many transactions these positions were written. */
async function commits(ids: string[]): Promise<number> {
  const [row] = await app.sql<{ commits: number }[]>`select count(distinct xmin::text)::integer as commits from positions where id = any (${ids})`;
  return row?.commits ?? 0;
}

const engineKnows = (accountId: string) => (Reflect.get(app.trading.engine, "books") as Books).knows(accountId) ?? "";

const sent = (trader: Trader, over: Partial<Order> = {}) => sentOrder(app, trader, over);
const together = (list: Sent[]) => openTogether(app.context.sql, list, app.trading.board());

/** All that an order left in the database, without what is new each time. */
async function leftBy(trader: Trader) {
  await app.sql`select notifications_take()`;
  const [row] = await app.sql<{ left: unknown }[]>`
    select json_build_object(
      'positions', (select json_agg(to_jsonb(p) - array['id', 'account_id', 'user_id', 'created_at', 'opened_at']) from positions p where p.user_id = ${trader.id}),
      'fills', (
        select json_agg(to_jsonb(f) - array['id', 'position_id', 'actor_id', 'quote_age_ms', 'latency_ms', 'created_at'] || jsonb_build_object('own', f.actor_id = p.user_id))
        from fills f join positions p on p.id = f.position_id where p.user_id = ${trader.id}
      ),
      'news', (
        select json_agg(to_jsonb(n) - array['place', 'number', 'id', 'user_id', 'related_id', 'created_at'])
        from (select title, message, priority, metadata, type from admin_notifications where user_id = ${trader.id} and type = 'trade') n
      ),
      'dealt', (select count(*) from trading_accounts where user_id = ${trader.id} and last_traded_at is not null)
    ) as left
  `;
  return row?.left;
}

describe("an order among others", () => {
  test("of forty people costs a fraction of forty commits, and each hears of its own", async () => {
    const all = await traders(40);
    const letGo = comingTogether(40);
    const answers = await Promise.all(all.map((trader, n) => place(trader, { amount: 100 + n })));
    letGo();
    expect(answers.map(({ status, body }) => [status, body.amount])).toEqual(all.map((_, n) => [201, `${100 + n}.00`]));
    for (const [n, trader] of all.entries()) {
      const { body } = await trader.get<Position[]>("/api/trading/positions/open");
      expect(body.map(({ id }) => id)).toEqual([answers[n]?.body.id as string]);
    }
    expect(await commits(answers.map(({ body }) => body.id))).toBeLessThan(20);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(40);
    // The engine watches each of them.
    await app.trading.engine.idle();
    for (const { body } of answers) expect(engineKnows(body.accountId).split(" ")[1]).toBe("1");
  });

  test("leaves what it leaves alone, or is left to be placed alone, which refuses it", async () => {
    const mid = 1.08406;
    const price = fc.double({ min: mid - 0.0004, max: mid + 0.0004, noNaN: true }).map((value) => value.toFixed(5));
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 });
    const orders = fc.record({
      type: fc.constantFrom("buy" as const, "sell" as const),
      amount: fc.constantFrom("9.99", "10", "10.01", "1234.56", "999999.99", "1000000", "1000000.01", "5000000"),
      stopLoss: maybe(price),
      takeProfit: maybe(price),
      currentPrice: maybe(price),
      maxSlippage: maybe(fc.constantFrom("0", "0.00005", "0.0001", "0.001")),
    });
    let filled = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(orders, { minLength: 8, maxLength: 8 }), async (list) => {
        const ones = await traders(list.length);
        const others = await traders(list.length);
        const sentOnes = await Promise.all(list.map((over, n) => sent(ones[n] as Trader, over)));
        const done = await together(sentOnes);
        for (const [n, over] of list.entries()) {
          const mine = done.find(({ place: at }) => at === n);
          const alone = await sent(others[n] as Trader, over).then(async ({ by, order: asked, quote }) =>
            openPosition(app.context.sql, by, asked, true, quote, app.trading.board(), null, app.trading.epoch).catch((error: unknown) => error),
          );
          if (alone instanceof Refusal) refused++;
          else filled++;
          expect([over, alone instanceof Refusal ? "refused" : "filled"]).toEqual([over, mine ? "filled" : "refused"]);
          if (alone instanceof Error || !mine) continue;
          const { id, accountId, openedAt, createdAt } = mine.answer;
          expect({ ...(alone as { answer: Position }).answer, id, accountId, openedAt, createdAt }).toEqual(mine.answer);
          expect(mine.userId).toBe((ones[n] as Trader).id);
          expect(await leftBy(ones[n] as Trader)).toEqual(await leftBy(others[n] as Trader));
        }
      }),
      { numRuns: 8 },
    );
    expect(Math.min(filled, refused)).toBeGreaterThan(5);
  });

  test("is left where person, account or house stand against it", async () => {
    const [plain, stranger, approved, crowded, closed] = (await traders(5)) as [Trader, Trader, Trader, Trader, Trader];
    const [mine] = await accountsOf(plain);
    await app.sql`update users set registration_status = 'approved' where id = ${approved.id}`;
    const live = await approved.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
    const pending = (await app.trader()) as Trader;
    const funded = await fundLive(app, pending, "500.00");
    await app.sql`update users set registration_status = 'pending' where id = ${pending.id}`;
    const [shut] = await accountsOf(closed);
    await app.sql`update trading_accounts set status = 'closed' where id = ${shut?.id ?? ""}`;
    for (let n = 0; n < 200; n++) await place(crowded, { amount: 10 });
    const cases: [string, Trader, Partial<Order>][] = [
      ["somebody else's account", stranger, { accountId: mine?.id ?? "" }],
      ["a live account without its first deposit", approved, { accountId: live.body.id }],
      ["a live account whose owner waits for approval", pending, { accountId: funded }],
      ["a closed account", closed, { accountId: shut?.id ?? "" }],
      ["an account with 200 positions", crowded, {}],
    ];
    const list = await Promise.all(cases.map(([, trader, over]) => sent(trader, over)));
    const control = await sent(plain);
    expect((await together([...list, control])).map(({ place: at }) => at)).toEqual([cases.length]);
    await app.sql`update trading_accounts set status = 'active' where id = ${shut?.id ?? ""}`;
    const banned = await sent((await app.trader()) as Trader);
    const old = await sent((await app.trader()) as Trader);
    await app.sql`update users set account_status = 'banned' where id = ${await banned.by.person()}`;
    const late = { ...old, quote: { ...old.quote, chosenAt: old.quote.chosenAt - 1_500 } };
    const earlier = { ...(await sent((await app.trader()) as Trader)), quote: { ...old.quote, seq: 0 } };
    const putBack = await withHastyDeals(app.sql);
    expect(await together([banned, late, earlier]).finally(putBack)).toEqual([]);
    await app.sql`update leadership set first_seq = first_seq + 1000000`;
    const fresh = (await app.trader()) as Trader;
    expect(await together([await sent(fresh)])).toEqual([]);
    await app.sql`update leadership set first_seq = first_seq - 1000000`;
    await app.sql`update ledger_state set halted = true, reason = 'A test'`;
    expect(await together([await sent(fresh)])).toEqual([]);
    await app.sql`update ledger_state set halted = false, reason = null`;
    expect(await together([await sent(fresh)])).toHaveLength(1);
  });

  test("is told to staff once, and by what it was for, though a part of it was closed before anybody looked", async () => {
    const tess = (await app.trader()) as Trader;
    const { order: asked, quote, epoch } = await sent(tess);
    const id = await app.sql.begin(async (tx) => {
      const sql = tx as unknown as Db;
      const { answer } = await openPosition(sql, { id: tess.id }, asked, true, quote, app.trading.board(), null, epoch);
      await closePosition(sql, tess.id, answer.id, "400", null, quote, null, epoch);
      return answer.id;
    });
    await Promise.all(Array.from({ length: 4 }, () => app.sql`select notifications_take()`));
    const told = await app.sql<{ message: string; amount: string }[]>`
      select message, metadata ->> 'amount' as amount from admin_notifications where related_id = ${id}`;
    expect([...told]).toEqual([{ message: expect.stringMatching(/: BUY EUR\/USD for \$1,000\.00 on a demo account\.$/), amount: "1000.00" }]);
    expect(await app.sql`select from order_news where position_id = ${id}`).toHaveLength(0);
  });

  test("that the engine's program does not send leaves it a look at the person", async () => {
    const [near, far] = (await traders(2)) as [Trader, Trader];
    const list = [await sent(near), { ...(await sent(far)), epoch: null }];
    // Before the commit nobody else has taken them.
    const looks = await app.sql.begin(async (tx) => {
      expect(await openTogether(tx as unknown as Db, list, app.trading.board())).toHaveLength(2);
      return [...(await tx<{ subject: string }[]>`select subject from engine_looks where subject in (${near.id}, ${far.id})`)];
    });
    expect(looks).toEqual([{ subject: far.id }]);
  });
});

/** A database that writes nothing until it is told to, and how many orders stand in each statement that it was sent. */
function heldDatabase() {
  const sizes: number[] = [];
  const ends: (() => void)[] = [];
  const sql = (strings: TemplateStringsArray, list: string) => {
    if (!strings[0]?.includes("trade_open")) return "a part of a statement";
    const places = strings[0].includes("trade_opens") ? (JSON.parse(list) as { place: number }[]) : null;
    sizes.push(places?.length ?? 1);
    const written = Promise.withResolvers<unknown[]>();
    const answer = { place: 0, userId: "", idle: 0, answer: {} };
    ends.push(() => written.resolve(places ? [{ done: places.map(({ place: at }) => ({ ...answer, place: at })) }] : [{ userId: "", idle: 0, done: answer }]));
    return written.promise;
  };
  return { sql: sql as unknown as Db, sizes, ends };
}

test("what comes while a batch is written gathers, and many go beside it, of each session one", async () => {
  const { sql, sizes, ends } = heldDatabase();
  const batches = new OrderBatches(sql, app.trading.board);
  const plain = await sent((await app.trader()) as Trader);
  const come = (count: number, session: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => batches.open({ ...plain, by: { ...plain.by, session: session(n), used: () => {} } }));
  // All within one turn of the program, so that nobody's patience ends.
  const answers = come(1, () => "the first");
  answers.push(...come(30, () => "one in haste"));
  answers.push(...come(14, (n) => `the next ${n}`));
  expect(sizes).toEqual([1]);
  answers.push(...come(1, () => "the last"));
  expect(sizes).toEqual([1, 16]);
  answers.push(...come(40, (n) => `later ${n}`));
  expect(sizes).toEqual([1, 16]);
  for (let n = 0; n < ends.length; n++) {
    ends[n]?.();
    await Bun.sleep(1);
  }
  await Promise.all(answers);
  expect(sizes.slice(0, 3)).toEqual([1, 16, 40]);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(answers.length);
});

describe("nobody waits for another", () => {
  test("an account that is locked keeps only its own order waiting", async () => {
    const [held, ...free] = (await traders(6)) as [Trader, ...Trader[]];
    const [account] = await accountsOf(held);
    const hand = await handHeld(app.db);
    await hand.sql`select from trading_accounts where id = ${account?.id ?? ""} for update`;
    const slow = place(held);
    const answers = await Promise.all(free.map((trader) => place(trader)));
    expect(answers.map(({ status }) => status)).toEqual(free.map(() => 201));
    // Nor within one batch.
    expect((await together([await sent(held), await sent(free[0] as Trader)])).map(({ place: at }) => at)).toEqual([1]);
    expect(await Promise.race([slow, Promise.resolve("waits")])).toBe("waits");
    await hand.commit();
    await hand.end();
    expect((await slow).status).toBe(201);
  });

  test("one that can't be written costs the others nothing but their company", async () => {
    const all = await traders(10);
    const [sabotaged] = await accountsOf(all[4] as Trader);
    await app.sql.unsafe(`alter table positions add constraint sabotage check (account_id <> '${sabotaged?.id}') not valid`);
    try {
      const answers = await Promise.all(all.map((trader) => place(trader)));
      expect(answers.map(({ status }) => status)).toEqual(all.map((_, n) => (n === 4 ? 500 : 201)));
    } finally {
      await app.sql`alter table positions drop constraint sabotage`;
    }
    expect((await place(all[4] as Trader)).status).toBe(201);
  });

  test("where the line is cut in the middle all hear that it is not known, and nothing was done", async () => {
    const all = await traders(8);
    const hand = await handHeld(app.db);
    await hand.sql`lock table fills in exclusive mode`;
    const letGo = comingTogether(8);
    const answers = Promise.all(all.map((trader) => place(trader)));
    const statements = () => app.sql`
      select from pg_stat_activity where query like '%trade_open%' and wait_event_type = 'Lock' and datname = current_database() and pid <> pg_backend_pid()`;
    // The first alone, and the others in one batch once it holds them up no longer.
    await until("both wait", async () => (await statements()).length === 2);
    letGo();
    await app.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where query like '%trade_open%' and wait_event_type = 'Lock' and datname = current_database() and pid <> pg_backend_pid()
    `;
    await hand.end();
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(1);
    const placed = await Promise.all(all.map(async (trader) => (await trader.get<Position[]>("/api/trading/positions/open")).body.length));
    expect(placed).toEqual(statuses.map((status) => (status === 201 ? 1 : 0)));
  });
});

describe("one answer for each", () => {
  test("a key pressed twice among others opens one position, and both presses hear of it", async () => {
    const all = await traders(6);
    const twice = all[0] as Trader;
    const again = Object.assign(app.stranger(), { cookie: twice.cookie, device: twice.device });
    const answers = await Promise.all([...all, again].map((trader) => place(trader, {}, "twice")));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(answers.at(-1)?.body.id).toBe(answers[0]?.body.id as string);
    expect((await twice.get<Position[]>("/api/trading/positions/open")).body).toHaveLength(1);
    expect((await place(twice, {}, "twice")).body.id).toBe(answers[0]?.body.id as string);
    expect((await place(twice, { amount: 2000 }, "twice")).body).toMatchObject({ code: "conflict" });
  });

  test("two sessions of one person with one key in one batch are one order", async () => {
    const tess = (await app.trader()) as Trader;
    const first = await sent(tess);
    const [second] = await app.sql<{ sid: string }[]>`
      insert into sessions (sid, user_id, sess, expire) values (${"f".repeat(64)}, ${tess.id}, '{}', now() + interval '1 hour') returning sid
    `;
    const key = { key: "shared", fingerprint: "same" };
    const done = await together([
      { ...first, key },
      { ...first, by: { ...first.by, session: second?.sid ?? "" }, key },
    ]);
    expect(done).toHaveLength(1);
    const kept = await app.sql`select status, answer ->> 'id' as id from idempotency where user_id = ${tess.id} and key = 'shared'`;
    expect([...kept]).toEqual([{ status: 201, id: done[0]?.answer.id }]);
  });

  test("a key that was used is left to be answered alone, and one whose order was left is free again", async () => {
    const tess = (await app.trader()) as Trader;
    const key = { key: "used", fingerprint: "same" };
    const again = await sent(tess);
    expect(await together([{ ...again, key }])).toHaveLength(1);
    expect(await together([{ ...again, key }])).toEqual([]);
    expect(await together([{ ...(await sent(tess, { amount: "50000000" })), key: { ...key, key: "left" } }])).toEqual([]);
    expect(Array.from(await app.sql`select key, status from idempotency where user_id = ${tess.id}`)).toEqual([{ key: "used", status: 201 }]);
  });

  test("a key whose order was left is free again for the order alone, which says why", async () => {
    const all = await traders(4);
    const answers = await Promise.all(all.map((trader, n) => place(trader, { amount: n === 2 ? 50_000_000 : 100 }, "left")));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 422, 201]);
    expect(answers[2]?.body).toMatchObject({ code: "insufficient_margin" });
    expect((await place(all[2] as Trader, { amount: 50_000_000 }, "left")).body).toEqual(answers[2]?.body as Position);
    expect((await app.sql`select from idempotency where status = 0`).length).toBe(0);
  });

  test("margin for one is given once, however many sessions of a person ask at once; without the lock on the account it is not", async () => {
    const most = { amount: 600_000 };
    const race = async () => {
      const tess = await app.trader();
      const others = await traders(5);
      const sessions = await onDevices(app, tess, 6);
      const answers = await Promise.all([...sessions.map((session) => place(session, most)), ...others.map((trader) => place(trader, most))]);
      return answers.slice(0, 6).filter(({ status }) => status === 201).length;
    };
    expect(await race()).toBe(1);
    const restore = [
      await withoutGuard(app.sql, "trade_opens", "select distinct on (b.id) o.place", "select o.place"),
      await withoutGuard(app.sql, "trade_opens", "and m.margin <= s.free", ""),
    ];
    try {
      const tess = (await app.trader()) as Trader;
      expect(await together([await sent(tess, { amount: "600000" }), await sent(tess, { amount: "600000" })])).toHaveLength(2);
    } finally {
      for (const back of restore.reverse()) await back();
    }
  });
});
