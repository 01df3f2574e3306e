/** Fills a database past what a demonstration holds, by statements over whole sets that keep the books right: `halyard verify` must find nothing. */
import type { Db } from "../../src/platform/database/db";
import { tamper } from "../../src/testing/scenarios";

/** How many of each; `heavy`: closed positions of one trader alone; `open`: positions that stay open. */
export type Size = { people: number; closed: number; heavy: number; open: number; requests: number; tickets: number; audits: number };

/** Past days over which all is spread. */
const DAYS = 730;
const FUNDS = 100_000;
const SYMBOLS = ["EUR/USD", "GBP/USD", "USD/CHF", "AUD/USD", "USD/CAD", "NZD/USD"];

const spread = (sql: Db, n: string, of: number) => sql.unsafe(`now() - interval '1 hour' - (${of} - ${n})::float8 / ${of} * interval '${DAYS} days'`);

/** People with a wallet, a hold, a demo account each and a live account every other; one trader more, who came through the program, as `heavy`. */
async function people(sql: Db, count: number, heavy: string): Promise<void> {
  const names = ["Ada", "Grace", "Alan", "Barbara", "Edsger", "Margaret", "Donald", "Radia"];
  await sql`
    insert into users (email, password, first_name, last_name, referral_code, registration_status, account_status, created_at)
    select 'person' || n || '@example' || n % 50 || '.test', 'none', (${names}::text[])[1 + n % 8], 'Number' || n, 'BENCH' || n,
      case when n % 1000 = 0 then 'pending' else 'approved' end, case when n % 100 = 0 then 'suspended' else 'active' end,
      date_trunc('milliseconds', ${spread(sql, "n", count)})
    from generate_series(1, ${count}) n
  `;
  await tamper(sql, async (tx) => {
    await tx`
      insert into ledger_accounts (owner_id, book, kind)
      select u.id, 'live', kind from users u, unnest('{wallet,withdrawal_hold}'::text[]) as kind where u.password = 'none'
    `;
    await tx`
      create table growth_accounts as
      select row_number() over (order by u.created_at, demo) as n, u.id as user_id, demo, nextval(pg_get_serial_sequence('ledger_accounts', 'id')) as ledger_id,
        gen_random_uuid() as id, true as is_new, u.created_at as at, gen_random_uuid() as deposit, gen_random_uuid() as transfer
      from (select id, created_at, row_number() over (order by id) as n from users where password = 'none') u, unnest('{true,false}'::boolean[]) as demo
      where demo or u.n % 2 = 0
    `;
    await tx`
      insert into ledger_accounts (id, owner_id, book, kind) overriding system value
      select ledger_id, user_id, case when demo then 'demo' else 'live' end, 'trading' from growth_accounts
    `;
    await tx`
      insert into trading_accounts (id, user_id, ledger_account_id, account_number, account_type_id, is_demo, funded_total, funded_net, created_at)
      select id, user_id, ledger_id, 'ACC9' || lpad(n::text, 12, '0'), 'starter', demo, f.funds, f.funds, at
      from growth_accounts, lateral (select case when demo then 0 else ${FUNDS}::numeric end as funds) f
    `;
    await tx`insert into group_counts (group_id, count) select 'starter', count(*) from growth_accounts`;
    await tx`
      insert into growth_accounts select 0, user_id, is_demo, ledger_account_id, id, false, created_at, null, null from trading_accounts where user_id = ${heavy}
    `;
    await tx`create index on growth_accounts (n)`;
    await tx`analyze growth_accounts`;
  });
  // What follows joins them: unknown sizes would have each row looked for anew.
  await sql`analyze users, ledger_accounts, trading_accounts`;
}

/** Closed positions, each opened and closed by a fill; the heavy trader's among them. */
async function positions(sql: Db, { closed, heavy, open }: Size): Promise<void> {
  const all = closed + heavy;
  const [count] = await sql<{ n: number }[]>`select count(*)::integer as n from growth_accounts where is_new`;
  const accounts = count?.n ?? 0;
  await tamper(sql, async (tx) => {
    await tx`
      create table growth_deals as
      select d.n, gen_random_uuid() as id, d.at, d.side, (${SYMBOLS}::text[])[1 + d.n % ${SYMBOLS.length}] as symbol, d.account, d.price,
        round(d.price * (1 + ((d.n::bigint * 7919 % 101) - 50) / 10000.0), 5) as close_price
      from (
        select n, date_trunc('milliseconds', ${spread(sql, "n", all)}) as at, case when n % 2 = 0 then 'buy' else 'sell' end as side,
          case when n % ${Math.round(all / Math.max(heavy, 1))} = 0 then 0 else 1 + n::bigint * 48271 % ${accounts} end as account, 1.1 + (n % 1000) / 100000.0 as price
        from generate_series(1, ${all}) n
      ) d
    `;
    await tx`alter table growth_deals add profit numeric(15, 2)`;
    await tx`analyze growth_deals`;
    await tx`update growth_deals set profit = profit_of(side, 100, price, close_price)`;
    await tx`
      insert into positions (
        id, account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, close_price, profit, status, close_reason, created_at, opened_at, closed_at, since_seq
      )
      select d.id, a.id, a.user_id, d.symbol, d.side, 100, round(100 / d.price, 8), 100, margin_of(100, 100), d.price, d.close_price, d.profit, 'closed', 'trader',
        d.at - interval '20 minutes', d.at - interval '20 minutes', d.at, 1
      from growth_deals d join growth_accounts a on a.n = d.account
      order by d.n
    `;
    await tx`
      insert into fills (position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, requested_price, price, slippage, amount, margin, profit, reason, actor_id, latency_ms, created_at)
      select d.id, f.kind, 1, f.at, d.n % 400, f.price, f.price, 0, f.price, f.price, 0, 100, margin_of(100, 100), case f.kind when 'close' then d.profit end,
        case f.kind when 'close' then 'trader' end, a.user_id, 1 + d.n % 30, f.at
      from growth_deals d
      join growth_accounts a on a.n = d.account
      cross join lateral (values ('open', d.at - interval '20 minutes', d.price), ('close', d.at, d.close_price)) as f (kind, at, price)
      order by d.n
    `;
    await tx`
      with
        deal as (
          insert into positions (account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, stop_loss, status, created_at, opened_at, since_seq)
          select a.id, a.user_id, (${SYMBOLS}::text[])[1 + s.n % ${SYMBOLS.length}], 'buy', d.amount, round(d.amount / d.price, 8), 100, margin_of(d.amount, 100), d.price, 0.01, 'open', d.at, d.at, 1
          from generate_series(1, ${open}) s (n)
          join growth_accounts a on a.n = 1 + s.n % ${accounts}
          -- As clients' are, hardly one is like another.
          cross join lateral (
            select date_trunc('milliseconds', now() - s.n * interval '1 second') as at, 50 + s.n * 7919 % 97 as amount, 1.1 + (s.n * 104729 % 1000) / 100000.0 as price
          ) d
          returning id, user_id, created_at, amount, margin, open_price
        )
      insert into fills (position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, requested_price, price, slippage, amount, margin, actor_id, latency_ms, created_at)
      select id, 'open', 1, created_at, 10, open_price, open_price, 0, open_price, open_price, 0, amount, margin, user_id, 2, created_at from deal
    `;
    await tx`select account_totals_rebuild()`;
    await tx`
      update trading_accounts t set turnover = o.amount
      from (select p.account_id, sum(f.amount) as amount from fills f join positions p on p.id = f.position_id where f.kind = 'open' group by p.account_id) o
      where t.id = o.account_id
    `;
    await tx`
      update trading_accounts t set realised = d.total, last_traded_at = d.at
      from (select a.id, sum(profit) as total, max(d.at) as at from growth_deals d join growth_accounts a on a.n = d.account group by a.id) d
      where t.id = d.id
    `;
  });
}

/** What each of it moved, in order of time, with the running balances. Who has a live account paid in twice what it holds, and asked for payouts that were refused. */
async function books(sql: Db, payouts: number): Promise<void> {
  await tamper(sql, async (tx) => {
    // The program deals on meanwhile: who posts waits, and takes the number that follows.
    await tx`lock table ledger_accounts, ledger_entries in exclusive mode`;
    await tx`
      create table growth_payouts as
      select gen_random_uuid() as id, g.user_id, 10 + n % 5000 as amount, 'bc1p' || md5('p' || n) as address, date_trunc('milliseconds', ${spread(sql, "n", payouts)}) as at
      from generate_series(1, ${payouts}) n
      join (select user_id, row_number() over (order by n) as place from growth_accounts where is_new and not demo) g
        on g.place = 1 + n % (select count(*) from growth_accounts where is_new and not demo)
    `;
    await tx`
      insert into withdrawals (id, user_id, amount, currency, method, wallet_address, status, decided_at, created_at)
      select id, user_id, amount, 'BTC', 'crypto', address, 'rejected', at, at from growth_payouts
    `;
    await tx`
      insert into deposits (id, user_id, amount, currency, method, status, rate, credited, decided_at, created_at)
      select deposit, user_id, ${2 * FUNDS}, 'USD', 'bank', 'approved', 1, ${2 * FUNDS}, at, at from growth_accounts where is_new and not demo
    `;
    await tx`insert into transfers (id, user_id, to_account_id, amount, created_at) select transfer, user_id, id, ${FUNDS}, at from growth_accounts where is_new and not demo`;
    const [last] = await tx<{ id: string }[]>`select coalesce(max(id), 0)::text as id from ledger_entries`;
    await tx`
      create table growth_entries as
      select ${last?.id ?? "0"}::bigint + row_number() over (order by e.at, e.place, e.object, e.kind) as id, e.*
      from (
        select 0 as place, 'demo_grant' as kind, id as object, 'Virtual money for a demo account' as memo, at, ledger_id as account, (select house_account('demo', 'house_demo')) as house, ${FUNDS}::numeric as amount
        from growth_accounts where is_new and demo
        union all
        select 0, 'deposit', g.deposit, 'Deposit', at, w.id, (select house_account('live', 'house_clearing')), ${2 * FUNDS}
        from growth_accounts g join ledger_accounts w on w.owner_id = g.user_id and w.kind = 'wallet' where is_new and not demo
        union all
        select 1, 'transfer', g.transfer, 'Transfer between your accounts', at, g.ledger_id, w.id, ${FUNDS}
        from growth_accounts g join ledger_accounts w on w.owner_id = g.user_id and w.kind = 'wallet' where is_new and not demo
        union all
        select 2, k.kind, p.id, 'Withdrawal', p.at, h.id, w.id, case k.kind when 'withdrawal_hold' then p.amount else -p.amount end
        from growth_payouts p
        join ledger_accounts w on w.owner_id = p.user_id and w.kind = 'wallet'
        join ledger_accounts h on h.owner_id = p.user_id and h.kind = 'withdrawal_hold'
        cross join unnest('{withdrawal_hold,withdrawal_returned}'::text[]) as k (kind)
        union all
        select 2, 'trade_close', d.id, format('%s %s 100.00 closed', upper(d.side), d.symbol), d.at, a.ledger_id, case when a.demo then (select house_account('demo', 'house_demo')) else (select house_account('live', 'house_pnl')) end, d.profit
        from growth_deals d join growth_accounts a on a.n = d.account where d.profit <> 0
      ) e
    `;
    await tx`analyze growth_entries`;
    await tx`insert into ledger_entries (id, kind, object_id, memo, created_at) overriding system value select id, kind, object, memo, at from growth_entries order by id`;
    await tx`
      insert into ledger_postings (entry_id, account_id, amount, balance_after)
      select l.id, l.account, l.amount, a.balance + sum(l.amount) over (partition by l.account order by l.id)
      from (select id, account, amount from growth_entries union all select id, house, -amount from growth_entries) l
      join ledger_accounts a on a.id = l.account
      order by l.id
    `;
    await tx`
      insert into money_lines (account_id, type, entry_id)
      select p.account_id, line_type(e.kind, (select close_reason from positions where e.kind = 'trade_close' and id = e.object)), e.id
      from growth_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
      where a.book = 'live' and a.kind in ('wallet', 'trading')
      order by p.account_id, e.id
    `;
    await tx`select setval(pg_get_serial_sequence('ledger_entries', 'id'), (select max(id) from ledger_entries))`;
    await tx`
      update ledger_accounts a set balance = a.balance + m.moved
      from (select account, sum(amount) as moved from (select account, amount from growth_entries union all select house, -amount from growth_entries) l group by account) m
      where a.id = m.account and m.moved <> 0
    `;
    await tx`insert into wallet_order select owner_id, balance from ledger_accounts where kind = 'wallet' on conflict (owner_id) do update set balance = excluded.balance`;
  });
}

/** Requests that were refused, one in a thousand still waiting; tickets; what staff did, in its chain. */
async function staffs(sql: Db, { requests, tickets, audits }: Size): Promise<void> {
  await tamper(sql, async (tx) => {
    await tx`create table growth_people as select id, created_at, row_number() over (order by created_at) as place from users where password = 'none'`;
    await tx`create index on growth_people (place)`;
    const [count] = await tx<{ n: number }[]>`select count(*)::integer as n from growth_people`;
    const n = count?.n ?? 1;
    await tx`
      insert into deposits (user_id, amount, currency, method, coin, network, wallet_address, transaction_hash, status, decided_at, created_at)
      select u.id, 10 + n % 5000, 'BTC', 'crypto', 'BTC', 'Mainnet', 'bc1q' || md5('w' || n), md5(n::text) || md5('b' || n), s.status, case when s.status <> 'pending' then d.at end, d.at
      from generate_series(1, ${requests}) n
      join growth_people u on u.place = 1 + n % ${n}
      cross join lateral (select date_trunc('milliseconds', ${spread(sql, "n", requests)}) as at, case when n % 1000 = 0 then 'pending' else 'rejected' end as status) d
      cross join lateral (select d.status) s
    `;
    await tx`
      insert into support_tickets (user_id, subject, message, category, created_at, updated_at, status, waiting_since)
      select u.id, 'Where is my deposit number ' || n, 'Please look', 'financial', d.at, d.at, case when n % 1000 = 0 then 'open' else 'closed' end, case when n % 1000 = 0 then d.at end
      from generate_series(1, ${tickets}) n
      join growth_people u on u.place = 1 + n % ${n}
      cross join lateral (select date_trunc('milliseconds', ${spread(sql, "n", tickets)}) as at) d
    `;
  });
  await sql`
    select count(audit_append(
      a.id, u.id, 'user.kyc', json_build_object('place', n), '{}'::json, '{}'::json, 'A benchmark', '192.0.2.1', 'bench'
    ))
    from generate_series(1, ${audits}) n, (select id from users where role = 'admin' limit 1) a, lateral (select id from growth_people where place = 1 + n % (select count(*) from growth_people)) u
  `;
}

/** Fills the database of a program; `heavy` is the trader who has closed so very many positions. */
export async function fill(sql: Db, size: Size, heavy: string): Promise<void> {
  const did = async (what: string, work: Promise<unknown>) => {
    const began = performance.now();
    await work;
    console.error(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  };
  await did("people", people(sql, size.people, heavy));
  await did("positions", positions(sql, size));
  await did("books", books(sql, size.requests));
  await did("requests, tickets, audit", staffs(sql, size));
  // Days that were written down when they were empty.
  await did(
    "days",
    tamper(sql, async (tx) => {
      await tx`delete from quality_days`;
      await tx`delete from house_days`;
    }),
  );
  await did("tidy", sql`drop table growth_accounts, growth_deals, growth_entries, growth_people, growth_payouts`);
  await did("analyze", sql`vacuum (analyze)`);
}
