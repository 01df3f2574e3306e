import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Market } from "../market/market";
import { type TestDatabase, testDatabase } from "../testing/database";
import "../testing/instruments";
import { tamper } from "../testing/scenarios";
import { Books } from "./books";
import { readBook } from "./queries_book";
import { watchedPositions } from "./queries_watch";

/** The book as a start reads it, in lines, beside each account as it is read later on, row by row. */

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const ACCOUNTS = 24;
const newBooks = () => new Books({} as Market);

/** Accounts of all groups, one of them with a notice under way, and positions and orders of all kinds with and without each of their columns. */
async function fill() {
  await tamper(db.sql, async (sql) => {
    await sql`insert into users (email, password, first_name, last_name, referral_code) values ('book@tests.test', '-', 'Book', 'Trader', 'BOOK')`;
    await sql`update account_types set version = 2 where id = 'gold'`;
    await sql`update account_types set spreads = '[{"for": "EUR/USD", "spreadPips": "1.5", "fixed": true}]' where id in ('silver', 'gold')`;
    await sql`
      with opened as (
        insert into ledger_accounts (owner_id, book, kind, balance)
        select u.id, 'demo', 'trading', n * 1234.56 from users u, generate_series(0, ${ACCOUNTS}::integer) n
        returning id, owner_id
      )
      insert into trading_accounts (user_id, ledger_account_id, account_number, account_type_id, is_demo, leverage, advance, margin_called_at)
      select p.owner_id, p.id, 'B' || p.id, (array['starter', 'bronze', 'silver', 'gold', 'platinum'])[1 + n % 5], true, 50 + n, n % 3 * 2000.01,
        case n % 4 when 0 then now() end
      from (select id, owner_id, row_number() over () as n from opened) p
    `;
    await sql`
      insert into positions (
        account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, stop_loss, take_profit, trailing_distance, break_even_at,
        broke_even_seq, since_seq, group_version, terms_version, status, opened_at
      )
      select a.id, a.user_id, (array['EUR/USD', 'BTC/USD', 'USD/JPY'])[1 + (a.place + n) % 3], case n % 2 when 0 then 'buy' else 'sell' end,
        n * 100000.01, 1, 100, n * 1000.01, n * 1234.56789012, case when n % 3 > 0 then 0.00000001 * n end, case when n % 4 > 0 then 9999999.99999999 end,
        case when n % 5 > 0 then 0.00500000 end, case when n % 3 = 1 then 0.01234567 end, case when n % 6 = 1 then 77 end, nullif(n % 7, 0) * 1000000007::bigint,
        nullif(n % 3, 0), nullif(n % 4, 0), 'open', now()
      from (select id, user_id, row_number() over () as place from trading_accounts) a cross join generate_series(1, 40) n
      where a.place % 4 <> 1
    `;
    await sql`
      insert into positions (
        account_id, user_id, symbol, side, amount, leverage, margin, status, order_type, trigger_price, limit_price, set_off_seq, expires_at, place,
        placed_seq, placed_at, placed_bid, placed_ask, since_seq
      )
      select a.id, a.user_id, (array['EUR/USD', 'BTC/USD', 'USD/JPY'])[1 + (a.place + n) % 3], case n % 2 when 0 then 'buy' else 'sell' end, 1000, 100, 10,
        'pending', k.kind, case when k.kind <> 'market' then 1.23456789 * n end, case k.kind when 'stop_limit' then 2.00000001 * n end,
        case when k.kind = 'stop_limit' and n % 3 = 0 then 5 end, case when n % 5 > 0 then timestamptz '2030-01-01 12:34:56.789+00' + make_interval(hours => n) end,
        nullif(n % 9, 0) * 1000000009::bigint, 1, now(), 100, 100.01, nullif(n % 4, 0) * 1000000007::bigint
      from (select id, user_id, row_number() over () as place from trading_accounts) a cross join generate_series(1, 40) n
      cross join lateral (select (array['market', 'limit', 'stop', 'stop_limit'])[1 + n % 4] as kind) k
      where a.place % 5 <> 1
    `;
    // What is over is not watched.
    await sql`update positions set status = 'cancelled' where status = 'pending' and place = 8000000072`;
  });
}

/** All that is known, as plain figures. */
const told = ({ margin, exits, orders, size }: Books) => ({
  size,
  accounts: margin
    .all()
    .map((account) => ({
      account: [account.id, account.userId, account.tier, account.leverage, account.net, account.called, account.reading, account.puzzled],
      stakes: [...account.stakes.values()].toSorted(byId),
      held: [...account.stakes.keys()].toSorted().map((id) => {
        const { stop, target, trail, move, sinceSeq } = exits.get(id) ?? {};
        return { id, stop: stop?.price, target: target?.price, trail, move: move?.price, sinceSeq };
      }),
      waiting: [...account.orders].toSorted().map(([id, symbol]) => ({ symbol, order: orders.get(id) })),
    }))
    .toSorted((a, b) => byId({ id: `${a.account[0]}` }, { id: `${b.account[0]}` })),
});
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

test("a start knows of each account what it is known by later, to the last digit", async () => {
  await fill();
  const read = newBooks();
  await readBook(db.sql, read);
  const entered = newBooks();
  for (const { id } of await db.sql<{ id: string }[]>`select id from trading_accounts`) entered.enter(await watchedPositions(db.sql, id));
  const [book, byAccount] = [told(read), told(entered)];
  expect(book).toEqual(byAccount);
  expect([book.size > 1_000, book.accounts.length > 20, read.exits.size > 500, read.orders.size > 500]).toEqual([true, true, true, true]);
  expect(book.accounts.some(({ account }) => (account[2] as { held: object | null }).held !== null)).toBe(true);
  expect(book.accounts.some(({ account }) => Number(account[4]) < 0)).toBe(true);
});

test("read once more, it stands in place of what was known", async () => {
  const read = newBooks();
  await readBook(db.sql, read);
  const once = told(read);
  const [gone] = once.accounts;
  await tamper(
    db.sql,
    async (sql) => void (await sql`update positions set status = 'cancelled' where account_id = ${`${gone?.account[0]}`} and status = 'pending'`),
  );
  await tamper(db.sql, async (sql) => void (await sql`delete from positions where account_id = ${`${gone?.account[0]}`} and status = 'open'`));
  await readBook(db.sql, read);
  expect(told(read).accounts).toEqual(once.accounts.slice(1));
});
