import { afterAll, beforeAll, expect, test } from "bun:test";
import { lose, openLive, openPosition, quoteTwice, win } from "../testing/corrections";
import { type Person, type TestApp, testApp } from "../testing/app";
import type { Tx } from "../platform/database/db";
import { rowsCounted } from "../testing/scenarios";
import { executionQuality } from "../trading/queries_quality";

/** The page of execution quality says what the receipts say. */

/** So long everybody is shown the same count. */
const SHARED_MS = 10_000;

let app: TestApp;
let ann: Person & { id: string };
let tess: Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp();
  [ann, tess] = await Promise.all([app.admin(), app.trader()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const page = async () => (await tess.get("/execution-quality")).text.replaceAll("<!-- -->", "");

test("is for the signed-in", async () => {
  const { status, headers } = await app.stranger().get("/execution-quality");
  expect([status, headers.get("location")]).toEqual([302, "/login?returnTo=%2Fexecution-quality"]);
});

test("says so where nothing was filled", async () => {
  expect(await executionQuality(app.sql)).toEqual([]);
  expect(await page()).toContain("Nothing was filled in the last 30 days");
});

test("counts fills, slippage both ways, ages, corrections; demo and live apart", async () => {
  await quoteTwice(app, "1.10000", "1.10002");
  // The account's ask is 1.100175: as requested, worse by little and by much, better by little and by much, and nothing requested.
  const requested = ["1.100175", "1.10016", "1.09", "1.10019", "1.11", null];
  const ids: string[] = [];
  for (const currentPrice of requested) ids.push((await openPosition(tess, { currentPrice })).id);
  app.pass(700);
  await tess.post(`/api/trading/positions/${ids[0]}/close`);
  await win(ann, ids[1] ?? "", 5);
  await lose(ann, ids[2] ?? "", 5);
  const [demo, ...more] = await executionQuality(app.sql);
  expect(more).toEqual([]);
  // Each receipt says how old its tick was when all was locked; the one that waited 700 ms is the oldest.
  const ages = (await app.sql<{ age: number }[]>`select quote_age_ms as age from fills order by quote_age_ms`).map(({ age }) => age);
  const worst = ages.at(-1) ?? 0;
  expect(worst).toBeGreaterThanOrEqual(700);
  expect(demo).toMatchObject({
    isDemo: true,
    fills: 9,
    opened: 6,
    closed: 3,
    asRequested: 1,
    worse: 1,
    worseByMore: 1,
    better: 1,
    betterByMore: 1,
    medianAge: `${ages[4]}`,
    worstAge: `${worst}`,
    corrections: 2,
    correctionsAgainst: 1,
    stopOuts: 0,
  });
  expect(Number(demo?.medianLatency)).toBeGreaterThan(0);
  app.pass(SHARED_MS);
  const html = await page();
  for (const words of ["Demo accounts", "6 opening, 3 closing", `${worst} ms`, "1 below the market result", "of which 2 better and 2 worse"])
    expect(html).toContain(words);
  expect(html).not.toContain("Live accounts");
});

/** Fills at hours of the last forty days, with ages and latencies of their own; undone by the caller's transaction. */
const spreadFills = async (tx: Tx) => {
  await tx`alter table fills drop constraint fills_position_id_kind_key`;
  await tx`
    insert into fills (position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, requested_price, price, slippage, amount, margin, latency_ms, created_at)
    select f.position_id, 'open', f.quote_seq, f.quote_at, n * 37 % 211, f.bid, f.ask, 0, f.requested_price, f.price, (n % 7 - 3) * 0.00007, f.amount, f.margin, n * 53 % 97 + 0.123,
      now() - n * interval '1 hour'
    from (select * from fills where kind = 'open' and requested_price is not null order by id limit 1) f, generate_series(1, 960) n
  `;
};

/** What the page says, by a plain sum over the receipts of thirty days. */
const plainly = (tx: Tx) => tx<Record<string, unknown>[]>`
  select a.is_demo as "isDemo", count(*) as fills, count(*) filter (where f.kind = 'open') as opened, count(*) filter (where f.kind = 'close') as closed,
    count(*) filter (where points > 1) as "worseByMore", count(*) filter (where points > 0 and points <= 1) as worse, count(*) filter (where points = 0) as "asRequested",
    count(*) filter (where points < 0 and points >= -1) as better, count(*) filter (where points < -1) as "betterByMore", round(avg(points), 3) as "averageSlippage",
    (percentile_disc(0.5) within group (order by quote_age_ms))::text as "medianAge", (percentile_disc(0.99) within group (order by quote_age_ms))::text as "worstAge",
    round(percentile_disc(0.5) within group (order by latency_ms), 1)::text as "medianLatency", round(percentile_disc(0.99) within group (order by latency_ms), 1)::text as "worstLatency",
    count(*) filter (where f.reason = 'stop_out') as "stopOuts", count(c.position_id) as corrections, count(*) filter (where c.settled_profit < c.market_profit) as "correctionsAgainst"
  from fills f
  join positions p on p.id = f.position_id
  join trading_accounts a on a.id = p.account_id
  left join corrections c on c.position_id = f.position_id and f.kind = 'close'
  cross join lateral (select f.slippage / f.requested_price * 10000 as points) s
  where f.created_at >= now() - interval '30 days'
  group by a.is_demo
  order by a.is_demo
`;

test("says the same of days that were written down as of single fills", async () => {
  const undone = app.sql.begin(async (tx) => {
    await spreadFills(tx);
    await tx`delete from quality_days`;
    const plain = await plainly(tx);
    expect(plain.map(({ fills }) => fills)).toEqual([729]);
    expect(await executionQuality(tx)).toEqual([...plain] as never);
    const [kept] = await tx<{ n: number }[]>`select count(distinct day)::integer as n from quality_days where opened + closed > 0`;
    expect(kept?.n).toBeGreaterThanOrEqual(28);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
});

test("forgets what is older than thirty days", async () => {
  await app.sql.begin(async (tx) => {
    await tx`alter table fills disable trigger fills_append_only`;
    await tx`update fills set created_at = created_at - interval '31 days'`;
    expect(await executionQuality(tx)).toEqual([]);
    await tx`update fills set created_at = created_at + interval '31 days'`;
    await tx`alter table fills enable trigger fills_append_only`;
  });
  expect((await executionQuality(app.sql))[0]?.fills).toBe(9);
});

/** Everything that was closed once more, twice on each of these past days, with its fills and corrections. */
const dealtBefore = async (tx: Tx, { from, to }: { from: number; to: number }) => {
  await tx`set local session_replication_role = replica`;
  await tx`
    create temporary table copies on commit drop as
    select p.id as of, gen_random_uuid() as id, now() - n * interval '12 hours' as at
    from positions p, generate_series(${from * 2 + 1}::integer, ${to * 2}::integer) n
    where p.status = 'closed' and p.closed_at > now() - interval '1 hour'
  `;
  await tx`analyze copies`;
  await tx`
    insert into positions
    select (jsonb_populate_record(p, jsonb_build_object('id', c.id, 'created_at', c.at, 'opened_at', c.at, 'closed_at', c.at))).* from copies c join positions p on p.id = c.of
  `;
  await tx`
    insert into fills overriding system value
    select (jsonb_populate_record(f, jsonb_build_object('id', nextval(pg_get_serial_sequence('fills', 'id')), 'position_id', c.id, 'created_at', c.at))).*
    from copies c join fills f on f.position_id = c.of
  `;
  await tx`
    insert into corrections
    select (jsonb_populate_record(k, jsonb_build_object('position_id', c.id, 'created_at', c.at))).* from copies c join corrections k on k.position_id = c.of
  `;
  await tx`drop table copies`;
  await tx`set local session_replication_role = origin`;
  // All was written down day by day, but for the last thirty, on which nobody looked.
  await tx`select quality_seal(${to})`;
  await tx`delete from quality_days where day >= (now() at time zone 'UTC')::date - 30`;
  await tx.unsafe("analyze positions, fills, corrections, trading_accounts, quality_days");
};

test("reads the last thirty days at the first look and today at the next, however long the house has dealt, live and demo apart", async () => {
  await quoteTwice(app, "1.10000", "1.10002");
  const { position } = await openLive(app);
  expect((await win(ann, position.id, 5)).status).toBe(200);
  const undone = app.sql.begin(async (tx) => {
    const looks = async () => {
      const plain = await plainly(tx);
      expect(plain).toMatchObject([
        { isDemo: false, corrections: 61 },
        { isDemo: true, corrections: 122, correctionsAgainst: 61 },
      ]);
      const rows: number[] = [await rowsCounted(tx)];
      for (let look = 0; look < 2; look++) {
        expect(await executionQuality(tx)).toEqual([...plain] as never);
        rows.push(await rowsCounted(tx));
      }
      // And a day by itself, told by a row, as the check asks for it.
      await tx`select from generate_series(4, 4) n cross join lateral quality_of(now() - (n + 1) * interval '1 day', now() - n * interval '1 day')`;
      rows.push(await rowsCounted(tx));
      return rows.slice(1).map((after, n) => after - (rows[n] ?? 0));
    };
    await dealtBefore(tx, { from: 0, to: 40 });
    const young = await looks();
    await dealtBefore(tx, { from: 40, to: 400 });
    const old = await looks();
    const [first = 0, next = 0] = young;
    // Of ten times as many fills. The planner may look up the same rows in another order, and so a few of them once more.
    expect(old.map((rows, look) => Math.max(0, rows - (young[look] ?? 0) - 100))).toEqual([0, 0, 0]);
    // What was corrected in the month is looked up each time, the rest is what today holds and the thirtieth day.
    expect(next).toBeLessThan(first * 0.6);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
});
