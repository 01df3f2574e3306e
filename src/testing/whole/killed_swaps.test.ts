import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pricedDatabase } from "../database";
import { buildProgram, launch, runProgram } from "../program";
import { handHeld, tamper, until, waiting } from "../scenarios";

/**
 * A program is killed in the middle of a night's batch, once with what it had under way rolled back, once with that still being written, and the next
 * one that leads charges the rest: each position, each night, once.
 */

const db = await pricedDatabase();
const home = mkdtempSync(join(tmpdir(), "halyard-swaps-"));
afterAll(async () => {
  await db.drop();
  rmSync(home, { recursive: true, force: true });
});
buildProgram();

const { sql } = db;
/** More than are charged in one statement. */
const ACCOUNTS = 230;
/** Keeps the statement that charges the last accounts of the first night from its end. */
const HELD = 4711;
const NIGHTS = ["2026-11-19", "2026-11-20", "2026-11-23"];

/** One person's accounts in a group with swap, each with a position that was opened before the first night. */
async function prepare(): Promise<void> {
  await sql`
    insert into account_types (id, name, minimum_deposit, spreads_from, leverage, features, is_active, place, version)
    select 'swapped', 'Swapped', 0, 0, '1:100', '[]', true, max(place) + 1, 1 from account_types`;
  await sql`
    insert into group_versions (group_id, version, name, spreads_from, commission, minimum_deposit, leverage, is_active, effective_at, applies_at, swaps)
    values ('swapped', 1, 'Swapped', 0, 0, 0, 100, true, '-infinity', '-infinity', '[{"for":"EUR/USD","unit":"percent","long":"-36","short":"0","tripleDay":null}]')`;
  const [person] = await sql<{ id: string }[]>`
    insert into users (email, password, long_password, first_name, last_name, referral_code)
    values ('tess@t.test', '', false, 'Tess', 'Trader', 'TESS') returning id`;
  await sql`select person_open(${person?.id ?? ""})`;
  await sql`
    select trade_open(
      ${person?.id ?? ""}, account_open(${person?.id ?? ""}, 'swapped', true), 'EUR/USD', 'buy', 1000, null, null, null, null, true,
      row(0, now(), 0, 1.1, 1.1, 0.0001)::deed_quote, row('{}', '{}', '{}', '{}')::board, null, null, clock_timestamp()
    )
    from generate_series(1, ${ACCOUNTS})`;
  await tamper(sql, async (tx) => {
    await tx`update positions set opened_at = '2026-11-19T12:00:00Z'`;
    await tx`delete from swap_nights`;
    await tx`insert into swap_nights (night) values ('2026-11-18')`;
  });
  await sql.unsafe(`
    create function held_back() returns trigger language plpgsql as $$
    begin
      if new.night = '${NIGHTS[0]}' and (select count(*) from swaps) >= 200 then perform pg_advisory_xact_lock(${HELD}); end if;
      return new;
    end $$;
    create trigger held_back before insert on swaps for each row execute function held_back();
  `);
}
const charged = async () => (await sql<{ n: number }[]>`select count(*)::integer as n from swaps`)[0]?.n ?? 0;
const start = async () => {
  const program = launch(home, { ...db.env, PORT: "0", HOST: "127.0.0.1", ADMIN_EMAIL: "admin@t.test", ADMIN_PASSWORD: "correct horse battery" });
  await program.logged("listening");
  return program;
};
const isHeld = async () => (await charged()) >= 200 && (await waiting(sql)) > 0;

test("each position is charged each night once, over a kill -9 in the middle of a batch", async () => {
  await prepare();
  const hand = await handHeld(db);
  await hand.sql`select pg_advisory_xact_lock(${HELD})`;
  const first = await start();
  await until("the first program is in the middle of a night", isHeld);
  first.signal("SIGKILL");
  await first.ended;
  // In this database alone: on the same server other test files wait for locks of this number.
  await sql`
    select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.objid = ${HELD} and not l.granted and a.datname = current_database()
  `;
  await until("what it had under way is rolled back", async () => (await waiting(sql)) === 0);
  expect(await charged()).toBe(200);

  const second = await start();
  await until("the second program is in the middle of the same night", isHeld);
  second.signal("SIGKILL");
  await second.ended;
  expect(await charged()).toBe(200);
  await hand.commit();
  await hand.end();

  const third = await start();
  await until("all nights are charged", async () => {
    const [row] = await sql<{ done: boolean }[]>`select max(night) = night_at(clock_timestamp()) as done from swap_nights`;
    return row?.done === true;
  });
  third.signal("SIGTERM");
  await third.ended;
  const rows = await sql<{ night: string; positions: number; amount: string }[]>`
    select night::text, count(distinct position_id)::integer as positions, sum(amount)::text as amount from swaps where night <= '2026-11-23' group by night order by night`;
  expect(rows.map((row) => ({ ...row }))).toEqual(NIGHTS.map((night) => ({ night, positions: ACCOUNTS, amount: (-ACCOUNTS).toFixed(2) })));
  const [unequal] = await sql<{ n: number }[]>`
    select count(*)::integer as n from (select position_id from swaps group by position_id having count(*) <> count(distinct night)) p`;
  expect(unequal?.n).toBe(0);
  const { status, stdout } = await runProgram(home, db.env, ["verify"]);
  expect([status, status === 0 ? "" : stdout]).toEqual([0, ""]);
});
