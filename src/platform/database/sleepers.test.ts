import { afterAll, expect, test } from "bun:test";
import { testDatabase } from "../../testing/database";
import { faultOf, until } from "../../testing/scenarios";
import { connect, isUnavailable, type Tx } from "./db";
import { cutIdle } from "./sleepers";

const { sql, url, drop } = await testDatabase();
afterAll(drop);

test("who fell asleep in the middle of a command keeps nobody's row for ever; who works, or is not ours, is left alone", async () => {
  await sql`create table rows (id integer primary key, taken integer not null default 0)`;
  await sql`insert into rows values (1), (2), (3)`;
  const [ours, theirs] = [connect(url, { name: "halyard" }), connect(url, { name: "psql" })];
  const awake = Promise.withResolvers<void>();
  const take = (tx: Tx, id: number) => tx`update rows set taken = taken + 1 where id = ${id}`;
  const asleep = faultOf(
    ours.begin((tx) =>
      take(tx, 1)
        .then(() => awake.promise)
        .then(() => take(tx, 1)),
    ),
  );
  const other = theirs.begin((tx) => take(tx, 2).then(() => awake.promise));
  const busy = faultOf(ours.begin((tx) => take(tx, 3).then(() => tx`select pg_sleep(600)`)));
  const states = () =>
    sql<{ state: string }[]>`select state from pg_stat_activity where datname = current_database() and application_name in ('halyard', 'psql') order by state`;
  const started = "active,idle in transaction,idle in transaction";
  await until("all are under way", async () => (await states()).map(({ state }) => state).join() === started);

  expect(await cutIdle(sql, 60_000)).toBe(0);
  await until("it is cut off", async () => (await cutIdle(sql, 200)) === 1);
  await sql`update rows set taken = taken + 10 where id = 1`;
  awake.resolve();
  expect(isUnavailable(await asleep)).toBe(true);
  await other;
  expect(await sql`select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`).toHaveLength(1);
  expect(await busy).toMatchObject({ code: "57014" });
  expect((await sql`select taken from rows order by id`).map(({ taken }) => taken)).toEqual([10, 1, 0]);
  await Promise.all([ours.end(), theirs.end()]);
});
