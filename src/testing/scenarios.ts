import postgres from "postgres";
import { connect, type Db, type Sql, type Tx } from "../platform/database/db";
import type { TestDatabase } from "./database";
import type { Person, TestApp } from "./app";

/** What several tests do: hold a transaction open in the middle, bring live money in, take a guard out. */

/** An order for 1,000.00 EUR/USD at the market, without exits. */
export const order = { symbol: "EUR/USD", type: "buy", amount: 1000, openPrice: 1, currentPrice: null, stopLoss: null, takeProfit: null, status: "pending" };

export type Account = { id: string; balance: string; equity: string; margin: string; freeMargin: string; isDemo: boolean; accountNumber: string };

/** The person's trading accounts as the API tells them. */
export const accountsOf = async (person: Person): Promise<Account[]> => (await person.get<Account[]>("/api/trading-accounts")).body;

/** What the person is told from here on, on open pages. */
export function heardBy(app: TestApp, { id }: { id: string }): string[] {
  const heard: string[] = [];
  app.context.bus.subscribe("notice", ({ userId, title, message }) => userId === id && heard.push(`${title}: ${message}`));
  return heard;
}

/** A busy machine is no failure: what takes longer than this, in ms, does not come at all. */
const PATIENCE = 300_000;

/** Waits for something that must come, by looking again and again. */
export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`did not happen: ${what}`);
    await Bun.sleep(5);
  }
}

/**
 * Waits until the database's clock shows a later millisecond, the finest that stamps tell apart. Rows made before and after it have a sure
 * order; of two made in one millisecond either may come first, since their ids are random.
 */
export const nextMillisecond = (sql: Sql): Promise<void> =>
  sql
    .unsafe(
      `do $$
    declare
      begun timestamptz := date_trunc('milliseconds', clock_timestamp());
    begin
      while date_trunc('milliseconds', clock_timestamp()) <= begun loop perform pg_sleep(0.0002); end loop;
    end $$`,
    )
    .then(() => {});

/** The person on so many devices: each session's orders go one after another, those of several meet in the database. */
export async function onDevices(app: TestApp, { email }: { email: string }, count: number): Promise<Person[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const device = app.stranger();
      const { status, text } = await device.post("/api/auth/login", { email, password: "Corr3ct-horse" });
      if (status !== 200) throw new Error(`sign-in failed: ${status} ${text}`);
      return device;
    }),
  );
}

/** What a command failed by; null where it did not. */
export async function faultOf(command: PromiseLike<unknown>): Promise<unknown> {
  try {
    await command;
    return null;
  } catch (error) {
    return error;
  }
}

/**
 * What emptying this table and all that refer to it fails by. Its many locks may meet those of a recurring job, which
 * the database answers with a deadlock: that says nothing of the guard, and the statement is made again.
 */
export async function faultOfEmptying(sql: Sql, table: string): Promise<unknown> {
  for (;;) {
    const fault = await faultOf(sql.unsafe(`truncate ${table} cascade`));
    if (!(fault instanceof postgres.PostgresError && fault.code === "40P01")) return fault;
  }
}

/** How many sessions of this database wait for a lock just now, of one mode alone where it is named; other test files' wait on the same server. */
export async function waiting(sql: Sql, mode: string | null = null): Promise<number> {
  // A transaction in the test's hand would see for ever what it saw at its first look.
  await sql`select pg_stat_clear_snapshot()`;
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::integer as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
      and (${mode}::text is null or pid in (select pid from pg_locks where not granted and mode = ${mode}::text))
  `;
  return row?.waiting ?? 0;
}

/** A transaction in the test's hand, on a connection of its own; `end` rolls back what was not committed. */
export async function handHeld(db: TestDatabase): Promise<{ sql: Db; commit(): Promise<void>; end(): Promise<void> }> {
  // What was rolled back there is not tried again: the rest of the transaction is gone with it.
  const sql = connect(db.url, { max: 1, tries: 1, name: "in the test's hand" });
  await sql.unsafe("begin");
  return { sql, commit: async () => void (await sql.unsafe("commit")), end: () => sql.end({ timeout: 2 }) };
}

/** Does something while no wait for another try ends: those that come at once are refused, though a busy machine takes a second over them. */
export async function whileWaitsLast<T>(sql: Sql, act: () => Promise<T>): Promise<T> {
  await sql.unsafe(`
    create function lasting() returns trigger language plpgsql as $$ begin new.failed_at := clock_timestamp() + interval '1 hour'; return new; end $$;
    create trigger lasting before update on throttles for each row execute function lasting();
  `);
  try {
    return await act();
  } finally {
    await sql.unsafe("drop function lasting() cascade");
  }
}

/** No wait that goes on for another try ends under the test, however long a busy machine takes. */
export const waitsLast = (sql: Sql) => sql`update throttles set failed_at = clock_timestamp() + interval '1 hour'`.then(() => {});

/** Gives or takes the role as somebody would who has no panel: at once, with a line in the audit book. */
export const setRole = (sql: Sql, id: string, role: "user" | "admin") => sql`
  with person as (update users set role = ${role} where id = ${id} returning id)
  select audit_append(null, id, 'user.role', '{"by":"operator"}', '{}', ${JSON.stringify({ role })}::text::json, '', '', '') from person
`;

/** Writes behind the triggers' back, as somebody with full rights on the database can. */
export const tamper = (sql: Db, write: (tx: Tx) => PromiseLike<unknown>) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await write(tx);
  });

/**
 * A decision is taken back within twelve seconds by the database's clock: the last one on this person's registration for as long as the test needs.
 * Returns the way to put the audit book back.
 */
export async function keepFresh(sql: Db, target: string): Promise<() => Promise<void>> {
  const [last] = await sql<{ id: number; at: string }[]>`
    select id, created_at::text as at from admin_actions
    where target_user_id = ${target} and action like 'registration.%' order by id desc limit 1
  `;
  const { id, at } = last as { id: number; at: string };
  await tamper(sql, (tx) => tx`update admin_actions set created_at = clock_timestamp() + interval '1 hour' where id = ${id}`);
  return () => tamper(sql, (tx) => tx`update admin_actions set created_at = ${at}::timestamptz where id = ${id}`);
}

/** How many rows of tables named so PostgreSQL has counted as read in this session; what was read between two counts is their difference. */
export async function rowsCounted(tx: Tx, tables = "%"): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer as n from pg_stat_xact_user_tables where relname like ${tables}
  `;
  return row?.n ?? 0;
}

/** The SQL functions of this name that hold such a piece exactly once. */
const holding = (sql: Sql, name: string, piece: string) =>
  sql<{ text: string }[]>`
    select pg_get_functiondef(oid) as text from pg_proc where proname = ${name} and pronamespace = current_schema()::regnamespace
  `.then((rows) => rows.flatMap(({ text }) => (text.split(piece).length === 2 ? text : [])));

/** Replaces a piece of a SQL function, which must be there, and so takes a guard out. Returns the way to put it back. */
export async function withoutGuard(sql: Sql, name: string, guard: string, instead = ""): Promise<() => Promise<void>> {
  const held = await holding(sql, name, guard);
  const text = held[0] ?? "";
  if (held.length !== 1) throw new Error(`${name} does not hold this guard exactly once: ${guard}`);
  await sql.unsafe(text.replace(guard, () => instead));
  return async () => void (await sql.unsafe(text));
}

/** How long a chosen tick may wait for its deal alone and among others, and in tests. */
const TICK_MAY_WAIT = [
  ["tick_age", "if waited > 1000 then", "if waited > 600000 then"],
  ["trade_opens", "o.chosen <= interval '1 second'", "o.chosen <= interval '10 minutes'"],
] as const;

/** Lets a deal wait for as long as a busy machine needs, or a test that holds what it waits for; on a database that does so already, too. */
export async function withPatientDeals(sql: Sql): Promise<void> {
  for (const [name, own, patient] of TICK_MAY_WAIT) if ((await holding(sql, name, patient)).length === 0) await withoutGuard(sql, name, own, patient);
}

/** Holds deals to the product's own bound again. Returns the way back. */
export async function withHastyDeals(sql: Sql): Promise<() => Promise<void>> {
  for (const [name, own, patient] of TICK_MAY_WAIT) await withoutGuard(sql, name, patient, own);
  return () => withPatientDeals(sql);
}

/** The ids of the house's own accounts, a person's wallet and others are found by what they are; of stripes the first. */
export async function ledgerAccount(sql: Sql, kind: string, owner: string | null = null, book = "live"): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select id from ledger_accounts where kind = ${kind} and owner_id is not distinct from ${owner} and book = ${book} order by stripe, id limit 1
  `;
  if (!row) throw new Error(`no ledger account ${kind}`);
  return row.id;
}

/** Holds the house's account of a kind, all its stripes, until the transaction ends: whoever books on it waits. */
export const holdHouse = (sql: Db, kind: string) => sql`select 1 from ledger_accounts where kind = ${kind} order by id for update`.then(() => {});

/** Posts an entry of two legs: `amount` to one account, taken from another. Returns the entry's id. */
export async function post(sql: Sql, to: number, from: number, amount: string, object: string = crypto.randomUUID(), kind = "test"): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select ledger_post(${kind}, ${object}, 'A test', array[${to}::bigint, ${from}::bigint], array[${amount}::numeric, -(${amount}::numeric)]) as id
  `;
  return row?.id ?? 0;
}

/** Approves the person, brings money into the wallet and on into a new live Starter account. Returns its id. */
export async function fundLive(app: TestApp, person: { id: string } & Person, amount: string): Promise<string> {
  const { sql } = app;
  await sql`update users set registration_status = 'approved' where id = ${person.id}`;
  await post(sql, await ledgerAccount(sql, "wallet", person.id), await ledgerAccount(sql, "house_clearing"), amount);
  const opened = await person.post<Account>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
  await sql`
    select transfer_make(${person.id}, null, ${opened.body.id}, ${amount}, row('{}'::text[], '{}'::numeric[], '{}'::numeric[], '{}'::numeric[])::board, null, null)
  `;
  return opened.body.id;
}

/** Two new administrators, and nobody else of the staff at work. */
export async function onlyTwo(app: TestApp) {
  await app.sql`update users set account_status = 'banned' where role = 'admin'`;
  return Promise.all([app.admin(), app.admin()]);
}
