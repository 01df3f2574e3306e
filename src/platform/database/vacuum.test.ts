import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestDatabase, testDatabase } from "../../testing/database";

/** Tables that grow with the house: rows that change, and rows that are only added. */
const CHANGED = [
  "account_days",
  "account_symbols",
  "candles",
  "deposits",
  "ledger_accounts",
  "letters",
  "positions",
  "proof_ticks",
  "sessions",
  "support_tickets",
  "trading_accounts",
  "users",
  "wallet_order",
  "withdrawals",
];
const APPENDED = [
  "admin_actions",
  "commissions",
  "fills",
  "ledger_entries",
  "ledger_postings",
  "money_lines",
  "proof_batches",
  "proof_entries",
  "stop_moves",
  "swaps",
  "ticket_messages",
  "ticks",
  "visits",
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** What PostgreSQL reckons a table's turn by: https://www.postgresql.org/docs/18/routine-vacuuming.html#AUTOVACUUM */
const turns = (tables: string[], rows: number) => database.sql<{ name: string; dead: number; added: number; changed: number }[]>`
  with own as (
    select c.relname as name, o.option_name as key, o.option_value as value
    from pg_class c, pg_options_to_table(c.reloptions) o
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  ), setting as (
    select t.name, s.key, coalesce((select o.value from own o where o.name = t.name and o.key = s.key), current_setting(s.key))::float8 as value
    from unnest(${tables}::text[]) as t (name),
      unnest('{autovacuum_vacuum_threshold,autovacuum_vacuum_scale_factor,autovacuum_vacuum_insert_threshold,autovacuum_vacuum_insert_scale_factor,autovacuum_analyze_threshold,autovacuum_analyze_scale_factor}'::text[]) as s (key)
  )
  select name,
    sum(case key when 'autovacuum_vacuum_threshold' then value when 'autovacuum_vacuum_scale_factor' then value * ${rows} end) as dead,
    sum(case key when 'autovacuum_vacuum_insert_threshold' then value when 'autovacuum_vacuum_insert_scale_factor' then value * ${rows} end) as added,
    sum(case key when 'autovacuum_analyze_threshold' then value when 'autovacuum_analyze_scale_factor' then value * ${rows} end) as changed
  from setting
  group by name
  order by name
`;

test("of ten million rows a fiftieth has changed when a table is tended", async () => {
  for (const { dead, added, changed } of await turns(CHANGED, 10_000_000)) expect([dead, added, changed]).toEqual([200_500, 201_000, 200_500]);
  for (const { added, changed } of await turns(APPENDED, 10_000_000)) expect([added, changed]).toEqual([201_000, 200_500]);
});

test("the tables are there, and a small one is tended no more often than PostgreSQL would by itself", async () => {
  const small = await turns([...CHANGED, ...APPENDED], 1000);
  expect(small.map(({ name }) => name)).toEqual([...CHANGED, ...APPENDED].toSorted());
  const [{ count } = { count: 0 }] = await database.sql`
    select count(*)::integer as count from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any (${[...CHANGED, ...APPENDED]})
  `;
  expect(count).toBe(small.length);
  // By default: fifty and a fifth of them dead, fifty and a tenth changed.
  for (const { dead, changed } of small) expect([dead >= 250, changed >= 150]).toEqual([true, true]);
});
