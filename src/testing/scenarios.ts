import { connect, type Db, type Sql } from "../platform/db";
import type { TestDatabase } from "./database";
import type { Person, TestHouse } from "./house";

/** What several tests do: hold a transaction open in the middle, bring live money in, take a guard out. */

/** An order for 1,000.00 EUR/USD at the market, without exits. */
export const order = { symbol: "EUR/USD", type: "buy", amount: 1000, openPrice: 1, currentPrice: null, stopLoss: null, takeProfit: null, status: "pending" };

export type Account = { id: string; balance: string; equity: string; margin: string; freeMargin: string; isDemo: boolean; accountNumber: string };

/** The person's trading accounts as the API tells them. */
export const accountsOf = async (person: Person): Promise<Account[]> => (await person.get<Account[]>("/api/trading-accounts")).body;

/** A busy machine is no failure: what takes longer than this, in ms, does not come at all. */
const PATIENCE = 60_000;

/** Waits for something that must come, by looking again and again. */
export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`did not happen: ${what}`);
    await Bun.sleep(5);
  }
}

/** What a deed failed by; null where it did not. */
export async function faultOf(deed: PromiseLike<unknown>): Promise<unknown> {
  try {
    await deed;
    return null;
  } catch (error) {
    return error;
  }
}

/** How many sessions of this database wait for a lock just now. */
export async function waiting(sql: Sql): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `;
  return row?.waiting ?? 0;
}

/** A transaction in the test's hand, on a connection of its own; `end` rolls back what was not committed. */
export async function handHeld(db: TestDatabase): Promise<{ sql: Db; commit(): Promise<void>; end(): Promise<void> }> {
  const sql = connect(db.url, { max: 1, name: "in the test's hand" });
  await sql.unsafe("begin");
  return { sql, commit: async () => void (await sql.unsafe("commit")), end: () => sql.end({ timeout: 2 }) };
}

/** Replaces a piece of a SQL function, which must be there, and so takes a guard out. Returns the way to put it back. */
export async function withoutGuard(sql: Sql, name: string, guard: string, instead = ""): Promise<() => Promise<void>> {
  const [row] = await sql<{ text: string }[]>`select pg_get_functiondef(${name}::regproc) as text`;
  const text = row?.text ?? "";
  if (text.split(guard).length !== 2) throw new Error(`${name} does not hold this guard exactly once: ${guard}`);
  await sql.unsafe(text.replace(guard, () => instead));
  return async () => void (await sql.unsafe(text));
}

/** The ids of the house's own accounts, a person's wallet and others are found by what they are. */
export async function ledgerAccount(sql: Sql, kind: string, owner: string | null = null, book = "live"): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select id from ledger_accounts where kind = ${kind} and owner_id is not distinct from ${owner} and book = ${book} order by id limit 1
  `;
  if (!row) throw new Error(`no ledger account ${kind}`);
  return row.id;
}

/** Posts an entry of two legs: `amount` to one account, taken from another. Returns the entry's id. */
export async function post(sql: Sql, to: number, from: number, amount: string, object: string = crypto.randomUUID(), kind = "test"): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select ledger_post(${kind}, ${object}, 'A test', array[${to}::bigint, ${from}::bigint], array[${amount}::numeric, -(${amount}::numeric)]) as id
  `;
  return row?.id ?? 0;
}

/** Approves the person, brings money into the wallet and on into a new live Starter account. Returns its id. */
export async function fundLive(house: TestHouse, person: { id: string } & Person, amount: string): Promise<string> {
  const { sql } = house;
  await sql`update users set registration_status = 'approved' where id = ${person.id}`;
  await post(sql, await ledgerAccount(sql, "wallet", person.id), await ledgerAccount(sql, "house_clearing"), amount);
  const opened = await person.post<Account>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
  await sql`
    select transfer_make(${person.id}, null, ${opened.body.id}, ${amount}, row('{}'::text[], '{}'::numeric[], '{}'::numeric[], '{}'::numeric[])::board, null, null)
  `;
  return opened.body.id;
}
