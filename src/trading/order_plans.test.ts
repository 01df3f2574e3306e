import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Db } from "../platform/database/db";
import { type Person, type TestApp, testApp } from "../testing/app";
import { sentOrder } from "../testing/sent_orders";
import { openPosition } from "./commands";
import { openTogether } from "./commands_together";

/** What PostgreSQL must plan for an order, and for the log behind it, once a connection has done some: nothing, as planning a question may take longer than asking it. */

/** From the sixth time on a statement's plan is kept, unless another each time is thought to pay. */
const [KNOWN, DEALS] = [8, 3];

let app: TestApp;
/** One connection, of which every statement is counted, within functions too. */
let sql: Db;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08400", "1.08412");
  await app.sql.unsafe("create schema if not exists statements; create extension if not exists pg_stat_statements with schema statements");
  sql = connect(app.db.url, { max: 1, name: "counted" });
  await sql.unsafe("set pg_stat_statements.track = 'all'; set pg_stat_statements.track_planning = on");
});
afterAll(async () => {
  await sql.end({ timeout: 2 });
  await app.end();
});

/** The statements that are planned for each deal even after some of its kind; a table's new statistics may have any planned once more. */
async function plannedFor(deal: () => Promise<unknown>, known = KNOWN): Promise<string[]> {
  for (let n = 0; n < known; n++) await deal();
  const planned: string[][] = [];
  for (let n = 0; n < DEALS; n++) {
    await app.sql`select statements.pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)`;
    await deal();
    const rows = await app.sql<{ query: string }[]>`
      select s.query from statements.pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = current_database() and s.plans > 0`;
    planned.push(rows.map(({ query }) => query));
  }
  return (planned[0] ?? []).filter((query) => planned.every((list) => list.includes(query)));
}

test("an order that is placed alone", async () => {
  const tess = (await app.trader()) as Person & { id: string };
  const { order, quote, epoch } = await sentOrder(app, tess);
  const place = () => openPosition(sql, { id: tess.id }, order, true, { ...quote, chosenAt: Date.now() }, app.trading.board(), null, epoch);
  expect(await plannedFor(place)).toEqual([]);
});

test("orders that are placed together", async () => {
  const [tess, vera] = [(await app.trader()) as Person & { id: string }, (await app.trader()) as Person & { id: string }];
  const place = async () => {
    const sent = [await sentOrder(app, tess), await sentOrder(app, vera)];
    expect(await openTogether(sql, sent, app.trading.board())).toHaveLength(2);
  };
  expect(await plannedFor(place)).toEqual([]);
});

test("what a round of the public log writes behind an order, from its second time on", async () => {
  const tess = (await app.trader()) as Person & { id: string };
  const { order, quote, epoch } = await sentOrder(app, tess);
  Reflect.set(app.logbook, "app", { ...app.context, sql });
  const before = app.logbook.counts.entries;
  const logged = async () => {
    await openPosition(app.sql, { id: tess.id }, order, true, { ...quote, chosenAt: Date.now() }, app.trading.board(), null, epoch);
    await app.logbook.wake();
  };
  const planned = await plannedFor(logged, 2);
  Reflect.set(app.logbook, "app", app.context);
  expect(planned.filter((query) => query.includes("insert into proof_entries"))).toEqual([]);
  expect(app.logbook.counts.entries).toBeGreaterThanOrEqual(before + 2 + DEALS);
});
