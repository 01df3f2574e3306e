import { afterAll, beforeAll, expect, test } from "bun:test";
import { boardOf } from "../market/board_sql";
import { type TestDatabase, testDatabase } from "../testing/database";
import "../testing/instruments";
import { rowsCounted, tamper } from "../testing/scenarios";
import { sentBy } from "../testing/statements";
import { found, liveFound } from "./queries_found";
import { staffPositionsOf } from "./queries_staff";

/** Staff's search of what is open or waits: by indexes as by a look at each row. */

let db: TestDatabase;
let ids: { person: string; position: string };
beforeAll(async () => {
  db = await testDatabase();
  await tamper(db.sql, async (sql) => {
    await sql`
      insert into users (email, password, first_name, last_name, referral_code)
      select 'person' || n || '@example' || n % 5 || '.test', '-', (array['Ada', 'Bea', 'Ögge', 'Al_x', '李'])[1 + n % 5], 'Number' || n, 'R' || n from generate_series(1, 400) n`;
    await sql`
      with opened as (
        insert into ledger_accounts (owner_id, book, kind, balance) select u.id, 'demo', 'trading', 1000 from users u, generate_series(1, 2) where u.password = '-'
        returning id, owner_id
      )
      insert into trading_accounts (user_id, ledger_account_id, account_number, account_type_id, is_demo, leverage)
      select owner_id, id, 'ACC17' || lpad((id * 7919 % 100000)::text, 5, '0') || id, 'starter', true, 100 from opened`;
    await sql`
      insert into positions (account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, status, opened_at)
      select a.id, a.user_id, (array['EUR/USD', 'BTC/USD', 'USD/JPY'])[1 + n % 3], 'buy', (array[10, 250.5, 1000])[1 + n % 3], 1, 100, 1, 1.1, (array['open', 'pending', 'cancelled'])[1 + n % 3], now()
      from (select id, user_id, row_number() over (order by id) as n from trading_accounts) a where n % 2 = 0`;
    await sql`analyze`;
  });
  const [one] = await db.sql<
    { person: string; position: string }[]
  >`select user_id as person, id as position from positions where status = 'open' order by id limit 1`;
  if (!one) throw new Error("nothing is open");
  ids = one;
});
afterAll(() => db.drop());

const WORDS = [
  ..."ada|BEA  number1|number12 Ada|person12@|example3.test|ögge|al_x|al%x|李|李 number9|a number|er 4 n|zz|nobody at all|%|_|'|\\".split("|"),
  ..."acc17|ACC1700|acc|a|ac|c1|17|171|0017|250.5|$250.50|1000|1,000|10|eur|EUR/USD|/|usd|jpy bt".split("|"),
];

test("indexes find what a look at each row does", async () => {
  const live = (held: ReturnType<typeof found>) => db.sql<{ id: string }[]>`
    select p.id from positions p join trading_accounts a on a.id = p.account_id join users u on u.id = p.user_id where p.status in ('pending', 'open') ${held} order by p.id
  `;
  let told = 0;
  for (const q of [...WORDS, ids.position, ids.position.toUpperCase(), ids.position.slice(0, 12), ids.person]) {
    const meant = await liveFound(db.sql, q);
    if (meant === null) continue;
    told++;
    const each = await live(found(db.sql, q));
    expect([q, meant === "nothing" ? [] : [...(await live(meant.held))]]).toEqual([q, [...each]]);
    expect([q, meant === "nothing"]).toEqual([q, each.length === 0]);
  }
  expect(told).toBeGreaterThan(WORDS.length * 0.6);
});

const board = boardOf([]);
const list = (q: string, sort: "-created" | "-profit") => staffPositionsOf(db.sql, { q, status: "open", limit: 10, sort }, board);

test("of what is nowhere no list is asked, and a few of those that are found are not looked for among all", async () => {
  for (const sort of ["-created", "-profit"] as const) {
    expect((await sentBy(db.sql, () => list("nobody at all", sort))).filter(({ text }) => text.includes("as waits"))).toEqual([]);
    const sent = await sentBy(db.sql, () => list("number12", sort));
    const read = await db.sql.begin(async (tx) => {
      // As where there are very many of each.
      await tx.unsafe("set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off");
      const before = await rowsCounted(tx, "positions");
      for (const { text, values } of sent.filter((each) => each.text.includes("as waits"))) await tx.unsafe(text, values as string[]);
      return (await rowsCounted(tx, "positions")) - before;
    });
    expect([sort, read < 100]).toEqual([sort, true]);
  }
});
