import * as v from "valibot";
import { found, invalidField, Refusal } from "../lib/refusal";
import { type Db, many, one, type Sql } from "../platform/database/db";
import { type Reading, together } from "../platform/database/reading";
import { type Referral, referralRow, type Referrals, type Statement, type Transaction, transactionRow, type TransactionType } from "./schema";

/** What the ledger says of a person's live money. Demo money is in none of it; a hold shows as the wallet's own line alone. */

/** A line in words that a person understands: `e` entry, `p` posting, `t` trading account, `w` withdrawal, `x` transfer and `o` position where it is of one. */
const lineColumns = (sql: Sql) => sql`
  p.entry_id || '-' || p.account_id as id, ${lineType(sql)} as type, p.amount, 'USD' as currency,
  case when e.kind <> 'withdrawal_hold' or w.status = 'approved' then 'completed' when w.status = 'pending' then 'pending' else 'returned' end as status,
  case
    when e.kind = 'withdrawal_hold' then format('Withdrawal of %s in %s, %s', money_text(w.amount), w.currency,
      case w.status when 'pending' then 'waiting for approval' when 'approved' then 'paid out' else w.status end)
    when e.kind = 'withdrawal_returned' then format('Withdrawal of %s in %s %s, money returned%s', money_text(w.amount), w.currency, w.status, ': ' || w.rejection_reason)
    when e.kind = 'transfer' and p.amount < 0 then 'Transfer to ' || coalesce((select account_number from trading_accounts where id = x.to_account_id), 'your wallet')
    when e.kind = 'transfer' then 'Transfer from ' || coalesce((select account_number from trading_accounts where id = x.from_account_id), 'your wallet')
    when o.id is not null then format('%s %s %s %s', upper(o.side), o.symbol, money_text(o.amount),
      case o.close_reason when 'admin' then 'settled by administrator' else 'closed' end)
    else e.memo
  end as description,
  e.created_at as "createdAt", p.balance_after as "balanceAfter", t.id as "accountId", coalesce(t.account_number, 'Wallet') as account
`;
const lineType = (sql: Sql) => sql`
  case
    when e.kind in ('deposit', 'transfer', 'withdrawal_returned') then e.kind
    when e.kind in ('deposit_bonus', 'bitcoin_bonus') then 'bonus'
    when e.kind = 'referral_bonus' then 'referral'
    when e.kind = 'withdrawal_hold' then 'withdrawal'
    when e.kind in ('commission', 'swap') then e.kind
    when e.kind = 'trade_close' then case o.close_reason when 'admin' then 'correction' else 'trade' end
    else 'other'
  end
`;
const lineTables = (sql: Sql) => sql`
  join ledger_entries e on e.id = p.entry_id
  left join withdrawals w on e.kind in ('withdrawal_hold', 'withdrawal_returned') and w.id = e.object_id
  left join transfers x on e.kind = 'transfer' and x.id = e.object_id
  left join positions o on e.kind = 'trade_close' and o.id = e.object_id
`;

type LineSearch = {
  limit: number;
  cursor?: string | undefined;
  type: "all" | TransactionType;
  /** `wallet`, or a trading account's id. */
  accountId?: string | undefined;
  /** Days in UTC, both included. */
  from?: string | undefined;
  to?: string | undefined;
};

/** After the line that the cursor names: entries fall, and within one the accounts rise. */
function after(sql: Sql, cursor: string | undefined) {
  if (cursor === undefined) return sql``;
  const [, entry, account] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  if (!entry || !account) throw invalidField("cursor", "cursor is not valid.");
  return sql`and (p.entry_id < ${entry} or (p.entry_id = ${entry} and p.account_id > ${account}))`;
}

/** The person's lines, newest first. Each account gives its newest alone, so that a long history costs no more than a short one. */
export const linesOf = (sql: Sql, userId: string, search: LineSearch): Promise<Transaction[]> =>
  many(
    transactionRow,
    sql`
      select l.id, l.type, l.amount, l.currency, l.status, l.description, l."createdAt", l."balanceAfter", l."accountId", l.account
      from ledger_accounts a
      left join trading_accounts t on t.ledger_account_id = a.id
      cross join lateral (
        select ${lineColumns(sql)}, p.entry_id, p.account_id
        from ledger_postings p
        ${lineTables(sql)}
        where p.account_id = a.id ${after(sql, search.cursor)}
          ${search.type === "all" ? sql`` : sql`and ${lineType(sql)} = ${search.type}`}
          ${search.from === undefined ? sql`` : sql`and e.created_at >= ${search.from}::text::timestamp at time zone 'UTC'`}
          ${search.to === undefined ? sql`` : sql`and e.created_at < (${search.to}::text::timestamp + interval '1 day') at time zone 'UTC'`}
        order by p.entry_id desc
        limit ${search.limit}
      ) l
      where a.owner_id = ${userId} and a.book = 'live' and a.kind in ('wallet', 'trading')
        ${search.accountId === undefined ? sql`` : search.accountId === "wallet" ? sql`and t.id is null` : sql`and t.id = ${search.accountId}`}
      order by l.entry_id desc, l.account_id
      limit ${search.limit}
    `,
  );

/** Lines that one statement may have; a busier month is read as a file. */
const MOST_LINES = 10_000;

const headRow = v.strictObject({
  accountId: v.nullable(v.string()),
  account: v.string(),
  accountType: v.nullable(v.string()),
  from: v.string(),
  to: v.string(),
  opening: v.string(),
  moneyIn: v.string(),
  moneyOut: v.string(),
  closing: v.string(),
  lines: v.number(),
});

const statementHead = (sql: Sql, userId: string, month: string, accountId: string) =>
  one(
    headRow,
    sql`
      select t.id as "accountId", coalesce(t.account_number, 'Wallet') as account, k.name as "accountType", m.start as from, m.next as to,
        coalesce(sum(p.amount) filter (where e.created_at < m.start), 0.00) as opening,
        coalesce(sum(p.amount) filter (where e.created_at >= m.start and p.amount > 0), 0.00) as "moneyIn",
        coalesce(-sum(p.amount) filter (where e.created_at >= m.start and p.amount < 0), 0.00) as "moneyOut",
        coalesce(sum(p.amount), 0.00) as closing, (count(p.amount) filter (where e.created_at >= m.start))::integer as lines
      from (
        select (${month} || '-01')::timestamp at time zone 'UTC' as start, ((${month} || '-01')::timestamp + interval '1 month') at time zone 'UTC' as next
      ) m
      join ledger_accounts a on a.owner_id = ${userId} and a.book = 'live' and a.kind in ('wallet', 'trading')
      left join trading_accounts t on t.ledger_account_id = a.id
      left join account_types k on k.id = t.account_type_id
      left join (ledger_postings p join ledger_entries e on e.id = p.entry_id) on p.account_id = a.id and e.created_at < m.next
      where ${accountId === "wallet" ? sql`t.id is null` : sql`t.id = ${accountId}`}
      group by t.id, t.account_number, k.name, m.start, m.next
    `,
  );

const statementLines = (sql: Sql, userId: string, { from, to }: { from: string; to: string }, accountId: string) =>
  many(
    transactionRow,
    sql`
      select ${lineColumns(sql)}
      from ledger_accounts a
      left join trading_accounts t on t.ledger_account_id = a.id
      join ledger_postings p on p.account_id = a.id
      ${lineTables(sql)}
      where a.owner_id = ${userId} and a.book = 'live' and a.kind in ('wallet', 'trading') and e.created_at >= ${from} and e.created_at < ${to}
        and ${accountId === "wallet" ? sql`t.id is null` : sql`t.id = ${accountId}`}
      order by p.entry_id
      limit ${MOST_LINES}
    `,
  );

/** One account's calendar month ("2026-11", UTC), read at one moment. Refuses an account that is not the person's live one. */
export const statementOf = (sql: Db, userId: string, month: string, accountId: string): Promise<Statement> =>
  sql.begin("isolation level repeatable read read only", async (tx) => {
    const head = found(await statementHead(tx, userId, month, accountId));
    if (head.lines > MOST_LINES) throw new Refusal("too_many_lines", "This month has too many lines for one page. Please take them as a file.");
    return { ...head, month, lines: await statementLines(tx, userId, head, accountId) };
  });

const codeRow = v.strictObject({
  code: v.string(),
  bonus: v.nullable(v.string()),
  minimumDeposit: v.nullable(v.string()),
  turnover: v.nullable(v.number()),
  earned: v.string(),
});

/** Whom the person brought, newest first: first names and initials, and what was paid for each. */
export function referralsOf(sql: Sql, userId: string, limit: number): Reading<Referrals> {
  const own = one(
    codeRow,
    sql`
      select u.referral_code as code, p.amount as bonus, p.minimum_deposit as "minimumDeposit", p.turnover,
        coalesce((select sum(amount) from referral_payments where referrer_id = u.id), 0.00) as earned
      from users u
      left join promotions_at(now()) p on p.id = 'referral_bonus' and promotion_is_for(p, u.id)
      where u.id = ${userId}
    `,
  ).map(found);
  const referrals: Reading<Referral[]> = many(
    referralRow,
    sql`
      select u.first_name || ' ' || left(u.last_name, 1) || '.' as name, case when r.referred_id is null then 'pending' else 'paid' end as status,
        coalesce(r.amount, 0.00) as "bonusAmount", u.created_at as "createdAt", r.created_at as "paidAt"
      from users u
      left join referral_payments r on r.referred_id = u.id
      where u.referred_by = ${userId}
      order by u.created_at desc, u.id
      limit ${limit}
    `,
  );
  return together(sql, { own, referrals }).map((read) => ({
    ...read.own,
    link: `/register?ref=${encodeURIComponent(read.own.code)}`,
    referrals: read.referrals,
  }));
}
