import { afterAll, beforeAll, expect, test } from "bun:test";
import { cents, priceUnits } from "../lib/money";
import { boardOf } from "../market/board_sql";
import { connect } from "../platform/database/db";
import { type TestDatabase, testDatabase } from "../testing/database";
import { dice } from "../testing/dice";
import "../testing/instruments";
import { rowsCounted, tamper } from "../testing/scenarios";
import { sentBy } from "../testing/statements";
import { exposureOf, nearestToStopOut, staffPositionsOf } from "./queries_staff";
import type { StaffPosition } from "./schema_corrections";

/** Staff's positions in the order of their profit, beside all of them as each is priced by itself; and how little is looked up for a page of them. */

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await fill();
});
afterAll(() => db.drop());

const OPEN = 1200;
/** As many: none is looked up for two. */
const ACCOUNTS = OPEN;
const quote = (symbol: string, bid: string, ask: string) => ({ symbol, bid: priceUnits(bid), ask: priceUnits(ask) });
/** EUR/GBP is held, too, and has no price. */
const board = boardOf([quote("EUR/USD", "1.10000", "1.10002"), quote("BTC/USD", "90000", "90030"), quote("USD/JPY", "150.000", "150.004")]);

/** Accounts of all groups, of which one has a notice under way, as one symbol has; wholes and rests of what was closed in part, many near each other. */
async function fill() {
  const chance = dice(120);
  const prices = { "EUR/USD": 1.1, "BTC/USD": 90_000, "USD/JPY": 150, "EUR/GBP": 0.85 };
  const rows = Array.from({ length: OPEN }, (_, n) => {
    const symbol = chance.pick(Object.keys(prices)) as keyof typeof prices;
    const amount = chance.pick([10, 10, 100, 1000, 1000, 25_000, 1_000_000.01]);
    // Some are exactly alike, and most as near as one group's spread is to another's.
    const open = prices[symbol] * (chance.chance(0.2) ? 1 : 1 + chance.between(-1, 1) * chance.pick([0.0001, 0.001, 0.02]));
    return {
      ...{
        n,
        symbol,
        amount,
        open: open.toFixed(8),
        side: chance.pick(["buy", "sell"]),
        moved: chance.chance(0.3) ? chance.between(-900, 900).toFixed(10) : "0",
      },
      ...{ group: chance.pick([null, 1, 2]), terms: chance.pick([null, 1, 2]), day: 1 + chance.below(20), waits: chance.chance(0.05) },
    };
  });
  await tamper(db.sql, async (sql) => {
    await sql`insert into users (email, password, first_name, last_name, referral_code) values ('ada@tests.test', '-', 'Ada', 'Trader', 'A'), ('bea@tests.test', '-', 'Bea', 'Trader', 'B')`;
    await sql`insert into group_versions select (jsonb_populate_record(v, '{"version": 2, "spreads_from": 0.1}')).* from group_versions v where v.version = 1 on conflict do nothing`;
    await sql`update account_types set version = 2, applied = case id when 'gold' then 1 else 2 end, spreads_from = 0.1 where id <> 'starter'`;
    await sql`
      insert into instrument_terms (symbol, version, state, markup, effective_at, applies_at, changed_by, change_reason)
      select s, v, 'tradable', v * 0.7, now(), now(), u.id, 'A test' from unnest(array['EUR/USD', 'BTC/USD', 'USD/JPY', 'EUR/GBP']) s, generate_series(1, 2) v, users u
      where u.first_name = 'Ada'`;
    await sql`update instruments set version = 2, applied = case symbol when 'EUR/USD' then 1 else 2 end, markup = 1.4 where symbol in ('EUR/USD', 'BTC/USD', 'USD/JPY', 'EUR/GBP')`;
    await sql`
      with opened as (
        insert into ledger_accounts (owner_id, book, kind, balance)
        select u.id, case n % 3 when 0 then 'live' else 'demo' end, 'trading', 1000 from users u, generate_series(1, ${ACCOUNTS / 2}::integer) n
        returning id, owner_id, book
      )
      insert into trading_accounts (user_id, ledger_account_id, account_number, account_type_id, is_demo, leverage)
      select p.owner_id, p.id, 'B' || p.id, (array['starter', 'bronze', 'silver', 'gold', 'platinum'])[1 + n % 5], p.book = 'demo', 100
      from (select id, owner_id, book, row_number() over (order by id) as n from opened) p
    `;
    await sql`
      insert into positions (account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, moved, group_version, terms_version, status, created_at, opened_at)
      select a.id, a.user_id, r.symbol, r.side, r.amount, 1, 100, 1, case when not r.waits then r.open end, r.moved,
        case when a.account_type_id = 'starter' then least(r.group, 1) else r.group end, r.terms, case when r.waits then 'pending' else 'open' end,
        timestamptz '2026-03-01 12:00Z' + make_interval(days => r.day), now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as r (n integer, symbol text, side text, amount numeric, open numeric, moved numeric, "group" integer, terms integer, day integer, waits boolean)
      join (select *, row_number() over (order by id) as place from trading_accounts) a on a.place = 1 + r.n % ${ACCOUNTS}::integer
    `;
    await sql`analyze`;
  });
}

type Search = Partial<Parameters<typeof staffPositionsOf>[1]>;
async function paged(search: Search, limit: number): Promise<StaffPosition[]> {
  const all: StaffPosition[] = [];
  for (let cursor: string | undefined; ;) {
    const page: StaffPosition[] = await staffPositionsOf(db.sql, { q: "", status: "open", ...search, limit, cursor }, board);
    all.push(...page);
    const last = page.at(-1);
    if (!last || page.length < limit) return all;
    cursor = `${last.createdAt}_${last.id}`;
  }
}
const profitOf = ({ profit }: StaffPosition) => cents(profit ?? "0");
const before = (one: StaffPosition, other: StaffPosition) => {
  const [mine, its] = [profitOf(one), profitOf(other)];
  return mine === its ? (one.id < other.id ? -1 : 1) : mine < its ? -1 : 1;
};

test.each<[Search, number]>([
  [{}, 100],
  [{}, 37],
  [{ side: "buy" }, 7],
  [{ account: "live" }, 40],
  [{ account: "demo", symbol: "EUR/USD" }, 9],
  [{ q: "bea trad" }, 50],
  [{ q: "1000" }, 25],
  [{ q: "trad" }, 70],
  [{ q: "d", account: "live" }, 60],
  [{ q: "/", account: "demo" }, 60],
  [{ from: "2026-03-05", to: "2026-03-09", account: "demo" }, 11],
  [{ symbol: "EUR/GBP" }, 30],
  [{ status: "pending" }, 20],
  [{ q: "nobody at all" }, 20],
])("each page is as if all had been priced one by one, to the cent: %p", async (search, limit) => {
  const all = await paged(search, 100);
  expect(all.length > 0).toBe(!search.q?.includes("nobody"));
  expect(await paged({ ...search, sort: "profit" }, limit)).toEqual(all.toSorted(before));
  expect(await paged({ ...search, sort: "-profit" }, limit)).toEqual(all.toSorted(before).toReversed());
});

type Order = "profit" | "-profit";
const sentFor = (sort: Order, q = "") => sentBy(db.sql, () => staffPositionsOf(db.sql, { q, status: "open", sort, limit: 10 }, board));

/** How many rows of positions a page of ten reads, and how often it looks into accounts. */
async function readFor(sort: Order, q = ""): Promise<{ positions: number; looks: number }> {
  const sent = await sentFor(sort, q);
  return db.sql.begin(async (tx) => {
    for (const { text } of sent.filter((each) => each.text.startsWith("set local"))) await tx.unsafe(text);
    const [list] = sent.filter(({ text }) => text.includes("quoted"));
    if (!list) throw new Error("the list asked otherwise");
    const looks = async () => {
      const [row] = await tx<{ n: number }[]>`select (idx_scan + seq_scan)::integer as n from pg_stat_xact_user_tables where relname = 'trading_accounts'`;
      return row?.n ?? 0;
    };
    const earlier = [await rowsCounted(tx, "positions"), await looks()] as const;
    await tx.unsafe(list.text, list.values as string[]);
    return { positions: (await rowsCounted(tx, "positions")) - earlier[0], looks: (await looks()) - earlier[1] };
  });
}

test("the accounts of few are looked up for a page, and nothing of what is closed is read", async () => {
  for (const sort of ["profit", "-profit"] as const) expect((await readFor(sort)).looks).toBeLessThan(ACCOUNTS / 4);
  const { positions: few } = await readFor("-profit");
  await tamper(db.sql, async (sql) => {
    await sql`
      insert into positions (account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, status, opened_at, close_price, profit, closed_at, close_reason)
      select account_id, user_id, symbol, side, amount, 1, 100, 1, open_price, 'closed', opened_at, open_price, 0, now(), 'trader' from positions where status = 'open'`;
    await sql`analyze positions`;
  });
  expect((await readFor("-profit")).positions).toBe(few);
});

test("where many are searched for it is looked up whose the first are, and each once; what answers by itself is not looked up", async () => {
  // Nobody is called so, which no index tells of one letter: all are looked up, a sample of them before.
  expect((await readFor("-profit", "#")).looks).toBeLessThan(2.1 * ACCOUNTS);
  // All people answer to the one, all symbols to the other.
  for (const q of ["d", "/"]) expect((await readFor("-profit", q)).looks).toBeLessThan(ACCOUNTS / 4);
});

test("what a sample shows to be out of reach is not kept to be put in order", async () => {
  type Plan = { "Subplan Name"?: string; "Actual Rows": number; Plans?: Plan[] };
  const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)];
  for (const sort of ["profit", "-profit"] as const) {
    const [list] = (await sentFor(sort)).filter(({ text }) => text.includes("quoted"));
    if (!list) throw new Error("the list asked otherwise");
    const [row] = await db.sql.unsafe<{ "QUERY PLAN": [{ Plan: Plan }] }[]>(`explain (analyze, format json) ${list.text}`, list.values as string[]);
    const rough = all((row as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan).find((plan) => plan["Subplan Name"] === "CTE rough");
    expect(rough?.["Actual Rows"]).toBeLessThan(OPEN / 10);
  }
});

test("the newest page's plan is kept for all who look, however few of all positions are open", async () => {
  await tamper(db.sql, async (sql) => {
    await sql`
      insert into positions (account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, status, opened_at, close_price, profit, closed_at, close_reason)
      select account_id, user_id, symbol, side, amount, 1, 100, 1, open_price, 'closed', opened_at, open_price, 0, now(), 'trader'
      from positions, generate_series(1, 30) where status = 'open'`;
    await sql`analyze positions`;
  });
  const one = connect(db.url, { max: 1 });
  // Where there are very many accounts, those of a page are looked up.
  await one.unsafe("set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off");
  // PostgreSQL looks five times at what is asked before it decides.
  for (let time = 0; time < 8; time++) await staffPositionsOf(one, { q: "", status: "open", limit: 10 }, board);
  expect(
    await one`select generic_plans::integer as kept from pg_prepared_statements where statement like '%as waits%' and statement not like '%pg_prepared%'`,
  ).toEqual([{ kept: 3 }] as never);
  await one.end();
});

test("the planner expects few prices: beside very many it would not care how what is open is found", async () => {
  type Plan = { "Plan Rows": number; Plans?: Plan[] };
  const most = (plan: Plan): number => Math.max(plan["Plan Rows"], ...(plan.Plans ?? []).map(most));
  const asked = [
    () => exposureOf(db.sql, "all", board),
    () => nearestToStopOut(db.sql, "all", 6, board),
    () => staffPositionsOf(db.sql, { q: "", status: "open", sort: "profit", limit: 10 }, board),
  ];
  for (const ask of asked) {
    const [sent] = (await sentBy(db.sql, async () => void (await ask()))).filter(({ text }) => text.includes("quoted"));
    if (!sent) throw new Error("no statement");
    const [row] = await db.sql.unsafe<{ "QUERY PLAN": [{ Plan: Plan }] }[]>(`explain (format json) ${sent.text}`, sent.values as string[]);
    expect(most((row as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan)).toBeLessThan(50_000);
  }
});
