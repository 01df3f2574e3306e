import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cents } from "../lib/money";
import { connect, type Db } from "../platform/database/db";
import { type TestApp, testApp } from "../testing/app";
import { faultOf, fundLive, handHeld, holdHouse, order, tamper, until, waiting, withoutGuard } from "../testing/scenarios";
import type { Position } from "./schema";

/** What every closing books on is striped: closings do not queue on one row, and together the stripes are the house's account to the cent. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
type Hand = Awaited<ReturnType<typeof handHeld>>;
type Book = "live" | "demo";

const stripeOf = async (sql: Db) => (await sql<{ stripe: number }[]>`select pg_backend_pid() % 16 as stripe`)[0]?.stripe;

/** Two transactions in the test's hand, on connections that book on one stripe or on two. */
async function hands(isSame: boolean): Promise<[Hand, Hand]> {
  const first = await handHeld(app.db);
  const stripe = await stripeOf(first.sql);
  for (let tries = 0; tries < 1000; tries++) {
    const second = await handHeld(app.db);
    if (((await stripeOf(second.sql)) === stripe) === isSame) return [first, second];
    await second.end();
  }
  throw new Error("no connection of such a stripe");
}

const demoOf = async ({ id }: Trader) => (await app.sql<{ id: string }[]>`select id from trading_accounts where user_id = ${id} and is_demo`)[0]?.id ?? "";

/** Somebody with a position; on a live account with $1,000.00. */
async function holder(book: Book, over: object = {}) {
  const tess = await app.trader();
  const accountId = book === "live" ? await fundLive(app, tess, "1000.00") : await demoOf(tess);
  const { status, body, text } = await tess.post<Position>("/api/trading/positions", { ...order, accountId, ...over });
  if (status !== 201) throw new Error(text);
  return { tess, accountId, id: body.id };
}

/** The tick that all is closed by: EUR/USD fell to 1.09, by which each loses. */
const tick = async () => {
  const [row] = await app.sql<{ seq: number }[]>`select max(quote_seq) as seq from fills`;
  return { seq: row?.seq ?? 0, at: new Date().toISOString(), age_ms: 0, bid: "1.09000", ask: "1.09002", pip: "0.0001" };
};
type Tick = Awaited<ReturnType<typeof tick>>;
const close = (sql: Db, { tess, id }: { tess: Trader; id: string }, { seq, at, bid, ask, pip }: Tick, part: string | null = null) =>
  sql`
    select trade_close(
      ${tess.id}, ${id}, ${part}::numeric, 'trader', row(${seq}::bigint, ${at}::timestamptz, 0, ${bid}::numeric, ${ask}::numeric, ${pip}::numeric)::deed_quote, null, null,
      null, clock_timestamp()
    )`.then(() => {});
const closeAll = (sql: Db, { id }: Trader, on: Tick) =>
  sql`select trade_close_all(${id}, null, ${JSON.stringify([{ ...on, symbol: "EUR/USD" }])}::text::json, null, null)`.then(() => {});

/** Closes somebody's position while another's closing is not committed yet: whether it is done, or waits for that. */
async function beside(book: Book, [first, second]: [Hand, Hand]): Promise<"done" | "waits"> {
  const [one, other] = [await holder(book), await holder(book)];
  const on = await tick();
  await close(first.sql, one, on);
  let isDone = false;
  const closing = close(second.sql, other, on).then(() => (isDone = true));
  await until("the other is done or waits", async () => isDone || (await waiting(app.sql)) > 0);
  const found = isDone ? "done" : "waits";
  await first.commit();
  await closing;
  await second.commit();
  await Promise.all([first.end(), second.end()]);
  return found;
}

describe.each(["live", "demo"] as const)("in the %s book", (book) => {
  test("closings of two connections do not wait for each other's commit; on one stripe they do", async () => {
    expect(await beside(book, await hands(false))).toBe("done");
    expect(await beside(book, await hands(true))).toBe("waits");
  });
});

test("what a closing names and does not move is no queue either; without the guard it is", async () => {
  const back = await withoutGuard(app.sql, "ledger_post", "where id = any (moving)", "where id = any (accounts)");
  try {
    // The house's adjustment, of which there is one.
    expect(await beside("live", await hands(false))).toBe("waits");
  } finally {
    await back();
  }
});

/** Somebody with a position on a demo account and on a live one, where the demo one's id comes first. */
async function both() {
  for (let tries = 0; tries < 1000; tries++) {
    const live = await holder("live");
    const demo = await demoOf(live.tess);
    if (demo > live.accountId) continue;
    await live.tess.post("/api/trading/positions", { ...order, accountId: demo });
    return live;
  }
  throw new Error("no such accounts");
}

/** Closes all of both books, while somebody else takes the house's accounts in their order, as the closing of a day does: what failed. */
async function crossed(): Promise<unknown[]> {
  const { tess } = await both();
  const on = await tick();
  const [hand, closer] = [await handHeld(app.db), await handHeld(app.db)];
  await holdHouse(hand.sql, "house_pnl");
  const closing = faultOf(closeAll(closer.sql, tess, on));
  await until("the closing waits", async () => (await waiting(app.sql)) === 1);
  const held = await faultOf(holdHouse(hand.sql, "house_demo"));
  await hand.sql.unsafe("rollback");
  const faults = [held, await closing];
  await closer.sql.unsafe("rollback");
  await Promise.all([hand.end(), closer.end()]);
  return faults.filter((fault) => fault !== null);
}

test("all of both books is closed live first, in the order of the house's accounts; in another it meets whoever takes them in theirs", async () => {
  expect(await crossed()).toEqual([]);
  const back = await withoutGuard(app.sql, "trade_close_all", "order by a.is_demo, o.account_id", "order by o.account_id");
  try {
    expect(await crossed()).toMatchObject([{ code: "40P01" }]);
  } finally {
    await back();
  }
});

/** A stop of a demo account fires while somebody holds the house's live account: whether it is done, or waits for that. */
async function stoppedBeside(): Promise<"done" | "waits"> {
  const { id } = await holder("demo", { stopLoss: 1.095 });
  const exits = JSON.stringify([{ ...(await tick()), id, why: "stop_loss" }]);
  const hand = await handHeld(app.db);
  await holdHouse(hand.sql, "house_pnl");
  let isDone = false;
  const firing = app.sql<{ done: unknown[] }[]>`select trade_exits(${exits}::text::json) as done`.then((rows) => {
    isDone = true;
    return rows[0]?.done;
  });
  await until("it is done or waits", async () => isDone || (await waiting(app.sql)) > 0);
  const found = isDone ? "done" : "waits";
  await hand.commit();
  await hand.end();
  expect(await firing).toHaveLength(1);
  return found;
}

test("whoever moves demo money alone does not come to live money's accounts; without the guard he does", async () => {
  expect(await stoppedBeside()).toBe("done");
  const back = await withoutGuard(app.sql, "booked_hold", "where id = any (accounts)) b", ") b");
  try {
    expect(await stoppedBeside()).toBe("waits");
  } finally {
    await back();
  }
});

test("the house's ids: every stripe before all else, live before demo", async () => {
  const rows = await app.sql<{ kind: string; stripe: number }[]>`select kind, stripe from ledger_accounts where id < 0 order by id`;
  expect([...rows]).toEqual(["house_pnl", "house_demo"].flatMap((kind) => Array.from({ length: 15 }, (_, n) => ({ kind, stripe: n + 1 }))));
  const [first] = await app.sql<{ id: number }[]>`select min(id)::integer as id from ledger_accounts where id >= 0`;
  expect(first?.id).toBeGreaterThan(0);
});

const GROUP = "costly";
/** A group with a commission and swaps, which by many exits at once nobody leaves. */
async function openGroup(): Promise<void> {
  await app.sql`
    insert into account_types (id, name, minimum_deposit, spreads_from, leverage, features, is_active, place, version, commission)
    select ${GROUP}, ${GROUP}, 0, 0, '1:100', '[]', true, max(place) + 1, 1, 5 from account_types`;
  await app.sql`
    insert into group_versions (group_id, version, name, spreads_from, commission, minimum_deposit, leverage, is_active, effective_at, applies_at, created_at, swaps)
    values (
      ${GROUP}, 1, ${GROUP}, 0, 5, 0, 100, true, '-infinity', '-infinity', '2020-01-01', '[{"for":"EUR/USD","unit":"points","long":"-900","short":"0","tripleDay":null}]'
    )`;
}

const emptyBoard = () => app.sql`row('{}'::text[], '{}'::numeric[], '{}'::numeric[], '{}'::numeric[])::board`;
/** Somebody with a position of that group. */
async function costly(book: Book) {
  const tess = await app.trader();
  const funded = book === "live" ? await fundLive(app, tess, "1000.00") : null;
  const { body: account } = await tess.post<{ id: string }>("/api/trading-accounts", { accountTypeId: GROUP, isDemo: book === "demo" });
  if (funded) await app.sql`select transfer_make(${tess.id}, ${funded}, ${account.id}, 900, ${emptyBoard()}, null, null)`;
  const { status, body, text } = await tess.post<Position>("/api/trading/positions", { ...order, accountId: account.id });
  if (status !== 201) throw new Error(text);
  return { tess, accountId: account.id, id: body.id };
}

const each = <T>(make: (book: Book) => Promise<T>) => Promise.all(Array.from({ length: 6 }, (_, n) => make(n % 2 ? "live" : "demo")));

/** What the house's accounts of a book hold, and what results, commissions, swaps and virtual money come to, each added up from where it is told. */
async function sums(book: Book): Promise<{ held: bigint; told: bigint; stripes: number }> {
  const isDemo = book === "demo";
  const [row] = await app.sql<{ held: string; told: string; stripes: number }[]>`
    with mine as (select p.id from positions p join trading_accounts a on a.id = p.account_id where a.is_demo = ${isDemo})
    select
      (select sum(balance) from ledger_accounts where kind = ${isDemo ? "house_demo" : "house_pnl"})::text as held,
      (
        (select coalesce(sum(amount), 0) from commissions where position_id in (select id from mine))
        - (select coalesce(sum(amount), 0) from swaps where position_id in (select id from mine))
        - (select coalesce(sum(profit), 0) from fills where kind = 'close' and position_id in (select id from mine))
        - (select coalesce(sum(p.amount), 0) from ledger_entries e join ledger_postings p on p.entry_id = e.id and p.amount > 0 where ${isDemo} and e.kind = 'demo_grant')
      )::text as told,
      (
        select count(distinct p.account_id)::integer from ledger_postings p join ledger_accounts a on a.id = p.account_id
        where a.kind = ${isDemo ? "house_demo" : "house_pnl"}
      ) as stripes`;
  return { held: cents(row?.held ?? ""), told: cents(row?.told ?? ""), stripes: row?.stripes ?? 0 };
}

test("closings, parts, exits, nights, commissions and whoever takes all of the house's come to the cent, and none has to yield", async () => {
  await openGroup();
  const [byHand, held, stopped, all] = await Promise.all([
    each(costly),
    each(costly),
    each((book) => holder(book, { stopLoss: 1.095 })),
    Promise.all(Array.from({ length: 4 }, both)),
  ]);
  await tamper(app.sql, async (tx) => {
    for (const { id } of held) await tx`update positions set opened_at = '2026-11-10T12:00:00Z' where id = ${id}`;
  });
  const on = await tick();
  // None is tried again.
  const sql = connect(app.db.url, { max: 20, tries: 1 });
  const night = (people: typeof held) =>
    sql.begin(async (tx) => {
      await tx`select from trading_accounts where id = any (${people.map(({ accountId }) => accountId)}::uuid[]) order by id for update`;
      await tx`select swaps_charge(${people.map(({ id }) => id)}::uuid[], '2026-11-10', '2026-11-10')`;
    });
  const exits = (people: typeof stopped) => sql`select trade_exits(${JSON.stringify(people.map(({ id }) => ({ ...on, id, why: "stop_loss" })))}::text::json)`;
  const sealing = () => sql.begin((tx) => tx`select from ledger_accounts where owner_id is null order by id for update`);
  try {
    await Promise.all([
      ...byHand.map(async (person) => {
        await close(sql, person, on, "250.00");
        await close(sql, person, on);
      }),
      ...[held.slice(0, 3), held.slice(3)].map(night),
      // The last two stay open, and have their night in any case.
      ...held.slice(0, 4).map((person) => close(sql, person, on)),
      ...[stopped.slice(0, 3), stopped.slice(3)].map(exits),
      ...all.map(({ tess }) => closeAll(sql, tess, on)),
      ...Array.from({ length: 6 }, sealing),
    ]);
  } finally {
    await sql.end();
  }
  const open = await app.sql`select id from positions where status = 'open' and id = any (${[...byHand, ...held, ...stopped].map(({ id }) => id)}::uuid[])`;
  expect(open.map(({ id }) => id).toSorted()).toEqual(
    held
      .slice(4)
      .map(({ id }) => id)
      .toSorted(),
  );
  expect(await app.sql`select distinct kind from ledger_entries where kind in ('trade_close', 'swap', 'commission')`).toHaveLength(3);
  for (const book of ["live", "demo"] as const) {
    const { held: holds, told, stripes } = await sums(book);
    expect([book, holds]).toEqual([book, told]);
    expect(stripes).toBeGreaterThan(1);
  }
  expect([...(await app.sql`select subject from ledger_check`)]).toEqual([]);
  expect(await app.faults()).toEqual([]);
});
