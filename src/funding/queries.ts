import * as v from "valibot";
import { placeOf } from "../lib/cursor";
import { Refusal } from "../lib/refusal";
import { after, containing, items, many, one, type Sql } from "../platform/db";
import type { Done } from "../platform/once";
import { PROCESSING_TIME } from "./rules";
import {
  activeWalletRow,
  type Coin,
  coins,
  type Deposit,
  depositRow,
  type Network,
  networks,
  type PaymentMethod,
  promotionRow,
  type RequestOrder,
  type requestSorts,
  type StaffDeposit,
  staffDepositRow,
  type StaffWithdrawal,
  staffWithdrawalRow,
  type Wallet,
  walletRow,
  type Withdrawal,
  withdrawalRow,
} from "./schema";

type Page = { limit: number; cursor?: string | undefined };

/** Adds what the database need not know: how long a payment of that method takes, in words. */
const withTime = <W extends { method: PaymentMethod }>(withdrawal: W): W & { estimatedProcessingTime: string } => ({
  ...withdrawal,
  estimatedProcessingTime: PROCESSING_TIME[withdrawal.method],
});
/** The same for the answer of a deed; a refusal that is heard again has no method. */
export const withTimes = async <W extends { method: PaymentMethod }>(deed: Promise<Done<W>>): Promise<Done<W & { estimatedProcessingTime: string }>> => {
  const done = await deed;
  return { ...done, answer: withTime(done.answer) };
};

const timedRow = v.pipe(v.omit(withdrawalRow, ["estimatedProcessingTime"]), v.transform(withTime));
const staffTimedRow = v.pipe(v.omit(staffWithdrawalRow, ["estimatedProcessingTime"]), v.transform(withTime));
const forecastRow = v.strictObject({ ...staffDepositRow.entries, creditsUsd: v.nullable(v.string()) });

/** The person's deposits by whichever way, newest first. */
export const depositsOf = (sql: Sql, userId: string, { limit, cursor }: Page): Promise<Deposit[]> =>
  items(
    depositRow,
    sql`
      select deposit_json(r) as item
      from deposits r
      where r.user_id = ${userId} ${after(sql, "r.created_at", "r.id", cursor)}
      order by r.created_at desc, r.id desc
      limit ${limit}
    `,
  );

export const withdrawalsOf = (sql: Sql, userId: string, { limit, cursor }: Page): Promise<Withdrawal[]> =>
  items(
    timedRow,
    sql`
      select withdrawal_json(r) as item
      from withdrawals r
      where r.user_id = ${userId} ${after(sql, "r.created_at", "r.id", cursor)}
      order by r.created_at desc, r.id desc
      limit ${limit}
    `,
  );

type Search = Page & { q: string; status: string; sort?: RequestOrder };
/** By state, and by the owner's name or address, the request's id, its chain hash or its wallet address. */
function matching(sql: Sql, { q, status }: Search) {
  const like = containing(q);
  return sql`
    (${status} = 'all' or r.status = ${status} or (${status} = 'decided' and r.status <> 'pending'))
    and (
      ${q} = '' or u.search like ${like.toLowerCase()} or r.id::text = lower(${q})
      or r.wallet_address ilike ${like} or r.transaction_hash ilike ${like}
    )
  `;
}

/** What a queue goes by, and whether downwards; each order is made whole by the id. */
function ordered(sql: Sql, table: "deposits" | "withdrawals", { sort = "-created", cursor }: Search) {
  const falls = sort.startsWith("-");
  const key = {
    created: () => sql`r.created_at`,
    name: () => sql`lower(u.first_name || ' ' || u.last_name)`,
    amount: () => sql`r.amount`,
    status: () => sql`r.status`,
  }[sort.replace("-", "") as (typeof requestSorts)[number]]();
  const last = cursor === undefined ? null : placeOf(cursor);
  const rest = last
    ? sql`
        and (${key}, r.id) ${falls ? sql`<` : sql`>`} (select ${key}, r.id from ${sql(table)} r join users u on u.id = r.user_id where r.id = ${last.id})
      `
    : sql``;
  const direction = falls ? sql`desc` : sql`asc`;
  return { rest, order: sql`order by ${key} ${direction}, r.id ${direction}` };
}

/** The queue of deposits with what approval would credit now, by these rates (USD for one EUR, one GBP; null where unknown). */
export function staffDeposits(sql: Sql, search: Search, rates: { EUR: string | null; GBP: string | null }): Promise<StaffDeposit[]> {
  const { rest, order } = ordered(sql, "deposits", search);
  return items(
    forecastRow,
    sql`
      select deposit_staff_json(r)::jsonb || jsonb_build_object('creditsUsd', case when r.status = 'pending' then
        round(r.amount * case r.currency when 'EUR' then ${rates.EUR}::numeric when 'GBP' then ${rates.GBP}::numeric else 1 end, 2)::text
      end) as item
      from deposits r
      join users u on u.id = r.user_id
      where ${matching(sql, search)} ${rest}
      ${order}
      limit ${search.limit}
    `,
  );
}

export function staffWithdrawals(sql: Sql, search: Search): Promise<StaffWithdrawal[]> {
  const { rest, order } = ordered(sql, "withdrawals", search);
  return items(
    staffTimedRow,
    sql`
      select withdrawal_staff_json(r) as item
      from withdrawals r
      join users u on u.id = r.user_id
      where ${matching(sql, search)} ${rest}
      ${order}
      limit ${search.limit}
    `,
  );
}

const amountRow = v.strictObject({ amount: v.string() });
/** Refuses (amount_mismatch) an approval whose typed amount is not the request's, which never changes. Null: none was typed. */
export async function refuseOtherAmount(sql: Sql, table: "deposits" | "withdrawals", id: string, typed: string | null): Promise<void> {
  if (typed === null) return;
  const request = await one(amountRow, sql`select amount from ${sql(table)} where id = ${id}`);
  if (request && request.amount !== typed)
    throw new Refusal("amount_mismatch", "This is not the request's amount.", { confirmAmount: "This is not the request's amount." });
}

const proofRow = v.strictObject({ mediaType: v.string(), content: v.instance(Uint8Array) });
/** A deposit's proof, for its owner or for staff. */
export const proofOf = (sql: Sql, depositId: string, reader: { id: string; role: "user" | "admin" }) =>
  one(
    proofRow,
    sql`
      select p.media_type as "mediaType", p.content
      from deposit_proofs p
      join deposits d on d.id = p.deposit_id
      where d.id = ${depositId} and (d.user_id = ${reader.id} or ${reader.role} = 'admin')
    `,
  );

export const isOwnDeposit = async (sql: Sql, depositId: string, userId: string): Promise<boolean> =>
  (await sql`select from deposits where id = ${depositId} and user_id = ${userId}`).length > 0;

// Wallets ---------------------------------------------------------------------------------------------------------------

/** USD that approved deposits brought to each wallet on this UTC day and in this month. */
const usage = (sql: Sql) => sql`
  cross join lateral (
    select
      coalesce(sum(d.credited) filter (where d.decided_at >= date_trunc('day', now(), 'UTC')), 0.00) as today,
      coalesce(sum(d.credited), 0.00) as month
    from deposits d
    where d.wallet_id = w.id and d.status = 'approved' and d.decided_at >= date_trunc('month', now(), 'UTC')
  ) used
`;

/** What traders may send to now: active, and below its limits. The default of a currency and network first. */
export const activeWallets = (sql: Sql) =>
  many(
    activeWalletRow,
    sql`
      select w.id, w.currency, w.network, w.wallet_address as "walletAddress", w.description, w.is_active as "isActive", w.is_default as "isDefault"
      from deposit_wallets w
      ${usage(sql)}
      where w.is_active and used.today < coalesce(w.daily_limit, 'Infinity') and used.month < coalesce(w.monthly_limit, 'Infinity')
      order by w.currency, w.network, w.is_default desc, w.created_at, w.id
      limit 100
    `,
  );

const walletColumns = (sql: Sql) => sql`
  w.id, w.currency, w.network, w.wallet_address as "walletAddress", w.wallet_type as "walletType", w.description, w.is_active as "isActive",
  w.is_default as "isDefault", w.daily_limit as "dailyLimit", w.monthly_limit as "monthlyLimit", used.today as "currentDailyUsage",
  used.month as "currentMonthlyUsage", w.created_at as "createdAt", w.updated_at as "updatedAt"
`;
export const allWallets = (sql: Sql) =>
  many(
    walletRow,
    sql`select ${walletColumns(sql)} from deposit_wallets w ${usage(sql)} order by w.is_active desc, w.currency, w.network, w.created_at, w.id limit 500`,
  );
export const walletById = (sql: Sql, id: string): Promise<Wallet | null> =>
  one(walletRow, sql`select ${walletColumns(sql)} from deposit_wallets w ${usage(sql)} where w.id = ${id}`);

const placeRow = v.strictObject({ id: v.string(), currency: v.picklist(coins), network: v.picklist(networks), address: v.string(), isActive: v.boolean() });
/** The wallet that a sender names by its address or id, if it is one for this coin and network (null: any). */
export const walletNamed = (sql: Sql, name: string, coin: Coin | null, network: Network | null) =>
  one(
    placeRow,
    sql`
      select id, currency, network, wallet_address as address, is_active as "isActive"
      from deposit_wallets
      where (lower(wallet_address) = lower(${name}) or id::text = lower(${name})) and (${coin}::text is null or currency = ${coin})
        and (${network}::text is null or network = ${network})
      order by is_active desc, is_default desc, created_at, id
      limit 1
    `,
  );

// Promotions ------------------------------------------------------------------------------------------------------------

/** What the site promises now. */
export const promotions = (sql: Sql) =>
  many(
    promotionRow,
    sql`select id, title, amount, minimum_deposit as "minimumDeposit" from promotions where is_active order by minimum_deposit desc, amount desc limit 10`,
  );
