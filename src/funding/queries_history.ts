import * as v from "valibot";
import { found, invalidField, Refusal } from "../lib/refusal";
import { type Db, many, one, type Sql } from "../platform/database/db";
import { type Reading, together } from "../platform/database/reading";
import { type Referral, referralRow, type Referrals, type Statement, type Transaction, transactionRow, type TransactionType } from "./schema";

/** What the ledger says of a person's live money. Demo money is in none of it; a hold shows as the wallet's own line alone. */

/** A line in words that a person understands: `e` entry, `p` posting, `t` trading account, `w` withdrawal, `x` transfer and `o` position where it is of one. */
const lineColumns = (sql: Sql) => sql`
  p.entry_id || '-' || p.account_id as id, line_type(e.kind, o.close_reason) as type, p.amount, 'USD' as currency,
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
/** Each line's entry is fetched by its number, so that no plan goes through all that there are. */
const lineTables = (sql: Sql) => sql`
  cross join lateral (select id, kind, object_id, memo, created_at from ledger_entries where id = p.entry_id limit 1) e
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
  return sql`and l.entry_id <= ${entry} and (l.entry_id < ${entry} or l.account_id > ${account})`;
}

/** An account's last entry before midnight (UTC) of a day and `days` later, found once for all of its lines. */
const lastBefore = (sql: Sql, day: string, days: number) =>
  sql`(select entry_before(a.id, (${day}::text::timestamp + ${days} * interval '1 day') at time zone 'UTC'))`;

/**
 * The person's lines, newest first. They are chosen before they are told, of each account its newest alone, those of a type by it and those of some days by
 * the entries around them, so that a long history costs no more than a short one.
 */
export const linesOf = (sql: Sql, userId: string, { type, accountId, from, to, cursor, limit }: LineSearch): Promise<Transaction[]> =>
  many(
    transactionRow,
    sql`
      select ${lineColumns(sql)}
      from (
        select l.entry_id, l.account_id
        from ledger_accounts a
        left join trading_accounts t on t.ledger_account_id = a.id
        cross join lateral (
          select l.entry_id, l.account_id
          from ${type === "all" ? sql`ledger_postings` : sql`money_lines`} l
          where l.account_id = a.id ${type === "all" ? sql`` : sql`and l.type = ${type}`} ${after(sql, cursor)}
            ${from === undefined ? sql`` : sql`and l.entry_id > ${lastBefore(sql, from, 0)}`}
            ${to === undefined ? sql`` : sql`and l.entry_id <= ${lastBefore(sql, to, 1)}`}
          order by l.entry_id desc
          limit ${limit}
        ) l
        where a.owner_id = ${userId} and a.book = 'live' and a.kind in ('wallet', 'trading')
          ${accountId === undefined ? sql`` : accountId === "wallet" ? sql`and t.id is null` : sql`and t.id = ${accountId}`}
        order by l.entry_id desc, l.account_id
        limit ${limit}
      ) l
      join ledger_postings p on p.entry_id = l.entry_id and p.account_id = l.account_id
      left join trading_accounts t on t.ledger_account_id = p.account_id
      ${lineTables(sql)}
      order by p.entry_id desc, p.account_id
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
  /** The account of the ledger, its last entry before the month, and that of the month. */
  ledgerAccountId: v.number(),
  before: v.number(),
  last: v.number(),
});

/** What a month's statement says above its lines, of which no more are read than one too many. */
const statementHead = (sql: Sql, userId: string, month: string, accountId: string) =>
  one(
    headRow,
    sql`
      select t.id as "accountId", coalesce(t.account_number, 'Wallet') as account, k.name as "accountType", m.start as from, m.next as to,
        balance_after(a.id, m.before) as opening, l."moneyIn", l."moneyOut", balance_after(a.id, m.last) as closing, l.lines,
        a.id as "ledgerAccountId", m.before, m.last
      from ledger_accounts a
      left join trading_accounts t on t.ledger_account_id = a.id
      left join account_types k on k.id = t.account_type_id
      cross join lateral (
        select d.start, d.next, entry_before(a.id, d.start) as before, entry_before(a.id, d.next) as last
        from (
          select (${month} || '-01')::timestamp at time zone 'UTC' as start, ((${month} || '-01')::timestamp + interval '1 month') at time zone 'UTC' as next
        ) d
        offset 0
      ) m
      cross join lateral (
        select coalesce(sum(p.amount) filter (where p.amount > 0), 0.00) as "moneyIn", coalesce(-sum(p.amount) filter (where p.amount < 0), 0.00) as "moneyOut",
          count(p.amount)::integer as lines
        from (
          select amount from ledger_postings where account_id = a.id and entry_id > m.before and entry_id <= m.last order by entry_id desc limit ${MOST_LINES + 1}
        ) p
      ) l
      where a.owner_id = ${userId} and a.book = 'live' and a.kind in ('wallet', 'trading') and ${accountId === "wallet" ? sql`t.id is null` : sql`t.id = ${accountId}`}
    `,
  );

const statementLines = (sql: Sql, { ledgerAccountId, before, last }: Pick<v.InferOutput<typeof headRow>, "ledgerAccountId" | "before" | "last">) =>
  many(
    transactionRow,
    sql`
      select ${lineColumns(sql)}
      from ledger_postings p
      left join trading_accounts t on t.ledger_account_id = p.account_id
      ${lineTables(sql)}
      where p.account_id = ${ledgerAccountId} and p.entry_id > ${before} and p.entry_id <= ${last}
      order by p.entry_id
      limit ${MOST_LINES}
    `,
  );

/** One account's calendar month ("2026-11", UTC), read at one moment. Refuses an account that is not the person's live one. */
export const statementOf = (sql: Db, userId: string, month: string, accountId: string): Promise<Statement> =>
  sql.begin("isolation level repeatable read read only", async (tx) => {
    const { ledgerAccountId, before, last, lines, ...head } = found(await statementHead(tx, userId, month, accountId));
    if (lines > MOST_LINES) throw new Refusal("too_many_lines", "This month has too many lines for one page. Please take them as a file.");
    return { ...head, month, lines: await statementLines(tx, { ledgerAccountId, before, last }) };
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
      left join promotions_for(${userId}::uuid, now()) p on p.id = 'referral_bonus'
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
