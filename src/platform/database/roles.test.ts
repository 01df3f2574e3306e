import { afterAll, expect, test } from "bun:test";
import { connect, type Db } from "./db";
import { emptyDatabase, type TestDatabase, testDatabase } from "../../testing/database";
import { readSchema } from "../files";
import { createLog } from "../log";
import { giveRights, migrate } from "./migrate";
import { bringUp, PROGRAM, warnOfMight } from "./roles";

const dropped: TestDatabase[] = [];
const pools: Db[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await Promise.all(dropped.map((db) => db.drop()));
});

/** A database with its owner's pool and one of the program's role. */
async function fresh(make = testDatabase) {
  const db = await make();
  dropped.push(db);
  const program = connect(db.programUrl, { max: 2 });
  pools.push(program);
  return { ...db, program };
}

const amiss = async (sql: Db) =>
  (await sql`select format('%s %s %s', of_relation, of_column, privilege) as what from rights_amiss(${PROGRAM})`).map(({ what }) => what);
const codeOf = (statement: Promise<unknown>) =>
  statement.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

const shared = fresh();

/** What would change money, deals, decisions or the trail of them, by a fault or by somebody who can make the program say any SQL. */
const FORBIDDEN = [
  "update deposits set status = 'approved'",
  "update withdrawals set status = 'approved'",
  "insert into deposits default values",
  "update positions set status = 'closed'",
  "delete from positions",
  "update ledger_accounts set balance = balance + 1000",
  "insert into ledger_accounts (book, kind) values ('live', 'house_adjustment')",
  "insert into ledger_entries (kind) values ('deposit')",
  "insert into ledger_postings values (1, 1, 1, 1)",
  "update ledger_state set halted = false",
  "delete from ledger_postings",
  "insert into admin_actions (action) values ('nothing')",
  "update admin_actions set reason = ''",
  "delete from admin_actions",
  "update audit_head set hash = ''",
  "update users set role = 'admin'",
  "update users set account_status = 'active'",
  "update users set kyc_status = 'verified'",
  "insert into users (email, password, first_name, last_name, referral_code, role) values ('a@t.test', '', 'A', 'B', 'X', 'admin')",
  "delete from users",
  "update trading_accounts set is_demo = false",
  "update account_types set spreads_from = 0",
  "update corrections set reason = ''",
  "delete from correction_requests",
  "insert into bonuses default values",
  "update chat_messages set message = ''",
  "update ticket_messages set message = ''",
  "truncate ticks",
  "alter table positions disable trigger user",
  "alter table positions disable row level security",
  "drop table positions",
  "drop function iso",
  "create table mine (id int)",
  "create or replace function iso(at timestamptz) returns text language sql as $$ select '' $$",
  "set session_replication_role = replica",
  "set role halyard",
  "set session authorization halyard",
  "copy users to program 'cat'",
  "select pg_read_file('PG_VERSION')",
  "select ledger_post('deposit', null, '', array[]::bigint[], array[1::numeric])",
  "select ledger_account_open(gen_random_uuid(), 'live', 'wallet')",
  "insert into schema_migrations values (999, 'x', 'y')",
  "delete from role_requests",
];

test.each(FORBIDDEN)("the program is refused: %s", async (statement) => {
  const { program } = await shared;
  expect(await codeOf(program.unsafe(statement))).toBe("42501");
});

test("its rights are those that sql/functions/platform_rights.sql names, on every table", async () => {
  const { sql } = await shared;
  expect(await amiss(sql)).toEqual([]);
  const undecided = await sql`
    select relname as "hasNoLineInPlatformRights" from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
      and relname not in (select rights_to_read() union all select of_table from rights_to_write())`;
  expect([...undecided]).toEqual([]);
  const unknown = await sql`
    select name as "namesNoFunction" from rights_to_call() as name where not exists (select from pg_proc where proname = name and pronamespace = 'public'::regnamespace)`;
  expect([...unknown]).toEqual([]);
});

test("its functions run with the owner's rights on a path of their own, and nobody else may call them", async () => {
  const { sql } = await shared;
  expect([...(await sql`select rights_uncalled(${PROGRAM}) as name`)]).toEqual([]);
  const [other] = await sql<{ calls: boolean }[]>`
    select bool_or(has_function_privilege('pg_monitor', oid, 'EXECUTE')) as calls from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`;
  expect(other?.calls).toBe(false);
});

test("what was given by hand beyond is taken, and what was taken is given", async () => {
  const { sql, program } = await fresh();
  await sql.unsafe(`grant update, delete on deposits to ${PROGRAM}; grant update (role) on users to ${PROGRAM}; revoke all on sessions from ${PROGRAM};
    alter function audit_append security invoker; grant execute on function person_open to public; revoke all on sequence account_numbers from ${PROGRAM}`);
  expect((await amiss(sql)).length).toBe(8);
  expect(await codeOf(program`update deposits set status = 'approved'`)).toBe("done");
  await giveRights(sql, PROGRAM);
  expect(await amiss(sql)).toEqual([]);
  expect([...(await sql`select rights_uncalled(${PROGRAM})`)]).toEqual([]);
  expect(await codeOf(program`update deposits set status = 'approved'`)).toBe("42501");
});

test("a role that has them keeps them when functions are put in place anew", async () => {
  const { sql, program } = await fresh(emptyDatabase);
  const { migrations, functions } = readSchema();
  const newest = migrations.at(-1)?.name.slice(0, 3);
  const next = { name: `${String(Number(newest) + 1).padStart(3, "0")}_more.sql`, text: "create table more (id int);" };
  expect((await bringUp({ owner: sql, sql: program }, { migrations, functions })).length).toBe(migrations.length);
  expect(await bringUp({ owner: sql, sql: program }, { migrations, functions })).toEqual([]);
  // Somebody migrates who does not know of the role.
  await migrate(sql, { migrations: [...migrations, next], functions });
  expect([...(await sql`select rights_uncalled(${PROGRAM})`)]).toEqual([]);
  expect(await codeOf(program`select audit_append(null, null, 'nothing', '{}', '{}', '{}', '', '', '')`)).toBe("done");
});

test("a role that may make nothing starts where the schema is there, and is told what is missing where it is not", async () => {
  const here = await fresh();
  expect(await bringUp({ owner: here.program, sql: here.program }, readSchema())).toEqual([]);
  const empty = await fresh(emptyDatabase);
  await expect(bringUp({ owner: empty.program, sql: empty.program }, readSchema())).rejects.toThrow("The database's schema is behind this program");
});

test("who connects as the owner is told at the start, louder where money is live; the program's own role is told nothing", async () => {
  const { sql, program } = await shared;
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  await warnOfMight(program, log, true);
  expect(lines).toEqual([]);
  await warnOfMight(sql, log, false);
  await warnOfMight(sql, log, true);
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(["info", "warn"]);
  expect(lines[0]).toContain("DATABASE_OWNER_URL");
});
