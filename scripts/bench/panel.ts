/** The control panel with very many people: search, filters, orders and paging. */
import { home, type Program, startProgram } from "./program";
import { tamper } from "../../src/testing/scenarios";
import { connect, type Db } from "../../src/platform/database/db";

const PEOPLE = 200_000;
const ROUNDS = 25;
const ADMIN = { email: "admin@bench.test", password: "correct horse battery" };

export type Times = { what: string; median: number; p99: number; worst: number };

function times(what: string, all: number[]): Times {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
  return { what, median: at(0.5), p99: at(0.99), worst: sorted.at(-1) as number };
}

/** People with wallets, registered a minute apart; the broker holds the other side of their money. */
async function fill(sql: Db): Promise<void> {
  const names = ["Ada", "Grace", "Alan", "Barbara", "Edsger", "Margaret", "Donald", "Radia"];
  await sql`
    insert into users (email, password, first_name, last_name, referral_code, registration_status, account_status, created_at)
    select 'person' || n || '@example' || n % 50 || '.test', 'none', (${names}::text[])[1 + n % 8], 'Number' || n, 'BENCH' || n,
      case when n % 10 = 0 then 'pending' else 'approved' end, case when n % 100 = 0 then 'banned' when n % 33 = 0 then 'suspended' else 'active' end,
      date_trunc('milliseconds', now()) - n * interval '1 minute'
    from generate_series(1, ${PEOPLE}) n
  `;
  // Balances without postings, as only the owner of the tables can write them.
  await tamper(sql, async (tx) => {
    await tx`insert into ledger_accounts (owner_id, book, kind, balance) select id, 'live', 'wallet', length(email) * 100 from users where password = 'none'`;
    await tx`
      update ledger_accounts set balance = balance - (select sum(balance) from ledger_accounts where kind = 'wallet')
      where owner_id is null and book = 'live' and kind = 'house_clearing'
    `;
  });
  await sql`
    insert into deposits (user_id, amount, currency, method, notes, transaction_hash, coin, network, wallet_address, created_at, status, decided_at)
    select u.id, 10 + u.n % 5000, 'BTC', 'crypto', '', md5(u.n::text) || md5('b' || u.n), 'BTC', 'Mainnet', 'bc1q' || md5('w' || u.n), u.created_at,
      case when u.n % 1000 = 0 then 'pending' else 'rejected' end, case when u.n % 1000 <> 0 then u.created_at end
    from (select id, created_at, row_number() over (order by created_at desc) as n from users where password = 'none') u
    where u.n % 2 = 0
  `;
  await sql`
    insert into withdrawals (user_id, amount, currency, method, wallet_address, created_at, status, decided_at)
    select u.id, 10 + u.n % 5000, 'BTC', 'crypto', 'bc1p' || md5('p' || u.n), u.created_at,
      case when u.n % 1000 = 0 then 'pending' else 'rejected' end, case when u.n % 1000 <> 0 then u.created_at end
    from (select id, created_at, row_number() over (order by created_at desc) as n from users where password = 'none') u
    where u.n % 4 = 0
  `;
  await sql`
    insert into support_tickets (user_id, subject, message, category, created_at, status, waiting_since)
    select u.id, 'Where is my deposit number ' || u.n, 'Please look', 'financial', u.created_at,
      case when u.n % 1000 = 0 then 'open' else 'closed' end, case when u.n % 1000 = 0 then u.created_at end
    from (select id, created_at, row_number() over (order by created_at desc) as n from users where password = 'none') u
    where u.n % 10 = 0
  `;
  await sql`analyze users, ledger_accounts, deposits, withdrawals, support_tickets`;
}

const QUERIES: [what: string, path: string][] = [
  ["the first page, newest first", "/api/admin/users?limit=50"],
  ["search by a whole address", "/api/admin/users?limit=50&q=person99999@example49.test"],
  ["search by a part of a name that one has", "/api/admin/users?limit=50&q=ber54321"],
  ["search by a part that all have", "/api/admin/users?limit=50&q=example"],
  ["search by two letters", "/api/admin/users?limit=50&q=zz"],
  ["search for nobody", "/api/admin/users?limit=50&q=nobody-at-all"],
  ["filter: banned", "/api/admin/users?limit=50&status=banned"],
  ["search and filter, by name", "/api/admin/users?limit=50&status=suspended&q=grace&sort=name"],
  ["sorted by name", "/api/admin/users?limit=50&sort=name"],
  ["sorted by balance, downwards", "/api/admin/users?limit=50&sort=-balance"],
  ["the Users tab as a page", "/admin?tab=users"],
  ["search everything: a whole name", "/api/admin/search?q=number123457 grace"],
  ["search everything: a name that many have", "/api/admin/search?q=grace"],
  ["search everything: two letters that nearly all have", "/api/admin/search?q=nu"],
  ["search everything: one letter", "/api/admin/search?q=g"],
  ["search everything: an amount", "/api/admin/search?q=1,250.00"],
  ["search everything: a part of a hash", `/api/admin/search?q=${new Bun.CryptoHasher("md5").update("77777").digest("hex").slice(4, 16)}`],
  ["search everything: words of a subject", "/api/admin/search?q=deposit number 54320"],
  ["search everything: nothing", "/api/admin/search?q=nobody-at-all"],
];

async function timed(origin: string, path: string, cookie: string): Promise<{ ms: number; cursor: string | null }> {
  const began = performance.now();
  const response = await fetch(origin + path, { headers: { cookie } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return { ms: performance.now() - began, cursor: response.headers.get("x-next-cursor") };
}

async function benchPeople(origin: string, cookie: string, sql: Db): Promise<Times[]> {
  const results: Times[] = [];
  for (const [what, path] of QUERIES) {
    await timed(origin, path, cookie);
    const all: number[] = [];
    for (let n = 0; n < ROUNDS; n++) all.push((await timed(origin, path, cookie)).ms);
    results.push(times(what, all));
  }
  for (const sort of ["-created", "name", "-balance"]) {
    const [middle] = await sql<{ cursor: string }[]>`
      select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '_' || id as cursor from users where email like 'person50000@%'
    `;
    let cursor = middle?.cursor ?? null;
    const all: number[] = [];
    for (let n = 0; n < ROUNDS && cursor; n++) {
      const page = await timed(origin, `/api/admin/users?limit=50&sort=${sort}&cursor=${cursor}`, cookie);
      all.push(page.ms);
      cursor = page.cursor;
    }
    results.push(times(`paging on from the middle, sorted by ${sort.replace("-created", "newest").replace("-", "")}`, all));
  }
  return results;
}

async function run(program: Program): Promise<Times[]> {
  const origin = `http://127.0.0.1:${program.port}`;
  const sql = connect(program.databaseUrl, { max: 2, name: "bench" });
  try {
    await fill(sql);
    const signedIn = await fetch(`${origin}/api/auth/login`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(ADMIN) });
    const admin = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    return await benchPeople(origin, admin, sql);
  } finally {
    await sql.end();
  }
}

/** Fills a database of its own, and measures at the HTTP route, in ms. */
export async function benchPanel(): Promise<Times[]> {
  const folder = home();
  const program = await startProgram(folder.path, { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  try {
    return await run(program);
  } finally {
    await program.stop();
    folder.remove();
  }
}

type Row = { what: string; figure: string; aim?: string; met?: boolean };
const AIM_MS = 100;
const figureOf = ({ median, p99 }: Times) => `${median.toFixed(1)} ms (99th percentile ${p99.toFixed(1)})`;

/** The results as lines of the table. */
export const panelRows = (people: Times[]): Row[] =>
  people.map((each) => ({ what: each.what, figure: figureOf(each), aim: `< ${AIM_MS} ms`, met: each.p99 < AIM_MS }));

if (import.meta.main)
  for (const { what, figure, met } of panelRows(await benchPanel())) console.log(`${what.padEnd(64)} ${figure}${met === false ? "  not met" : ""}`);
