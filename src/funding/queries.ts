import * as v from "valibot";
import { invalidField } from "../lib/refusal";
import { many, one, type Sql } from "../platform/db";
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

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
export const cursorOf = ({ createdAt, id }: { createdAt: string; id: string }) => `${createdAt}_${id}`;
/** What comes after the row that the cursor names, in a list of `r`, newest first. */
function after(sql: Sql, cursor: string | undefined) {
  if (cursor === undefined) return sql``;
  const [, at, id] = CURSOR.exec(cursor) ?? [];
  if (!at || !id) throw invalidField("cursor", "cursor is not valid.");
  return sql`and (r.created_at, r.id) < (${at}::timestamptz, ${id}::uuid)`;
}

/** Adds what the database need not know: how long a payment of that method takes, in words. */
export const withTime = <W extends { method: PaymentMethod }>(withdrawal: W): W & { estimatedProcessingTime: string } => ({
  ...withdrawal,
  estimatedProcessingTime: PROCESSING_TIME[withdrawal.method],
});
/** The same for the answer of a deed; a refusal that is heard again has no method. */
export const withTimes = async <W extends { method: PaymentMethod }>(deed: Promise<Done<W>>): Promise<Done<W & { estimatedProcessingTime: string }>> => {
  const done = await deed;
  return { ...done, answer: withTime(done.answer) };
};

const depositItem = v.strictObject({ item: depositRow });
const withdrawalItem = v.strictObject({ item: v.omit(withdrawalRow, ["estimatedProcessingTime"]) });
const staffDepositItem = v.strictObject({ item: v.strictObject({ ...staffDepositRow.entries, creditsUsd: v.nullable(v.string()) }) });
const staffWithdrawalItem = v.strictObject({ item: v.omit(staffWithdrawalRow, ["estimatedProcessingTime"]) });
const items = <T>(rows: readonly { item: T }[]): T[] => rows.map(({ item }) => item);

/** The person's deposits by whichever way, newest first. */
export const depositsOf = async (sql: Sql, userId: string, { limit, cursor }: Page): Promise<Deposit[]> =>
  items(
    await many(
      depositItem,
      sql`
        select deposit_json(r) as item
        from deposits r
        where r.user_id = ${userId} ${after(sql, cursor)}
        order by r.created_at desc, r.id desc
        limit ${limit}
      `,
    ),
  );

export const withdrawalsOf = async (sql: Sql, userId: string, { limit, cursor }: Page): Promise<Withdrawal[]> =>
  items(
    await many(
      withdrawalItem,
      sql`
        select withdrawal_json(r) as item
        from withdrawals r
        where r.user_id = ${userId} ${after(sql, cursor)}
        order by r.created_at desc, r.id desc
        limit ${limit}
      `,
    ),
  ).map(withTime);

type Search = Page & { q: string; status: string };
/** By state, and by the owner's name or address, the request's id, its chain hash or its wallet address. */
function matching(sql: Sql, { q, status }: Search) {
  const like = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`
    (${status} = 'all' or r.status = ${status} or (${status} = 'decided' and r.status <> 'pending'))
    and (
      ${q} = '' or u.email ilike ${like} or u.first_name || ' ' || u.last_name ilike ${like} or r.id::text = lower(${q})
      or r.wallet_address ilike ${like} or r.transaction_hash ilike ${like}
    )
  `;
}

/** The queue of deposits with what approval would credit now, by these rates (USD for one EUR, one GBP; null where unknown). */
export const staffDeposits = async (sql: Sql, search: Search, rates: { EUR: string | null; GBP: string | null }): Promise<StaffDeposit[]> =>
  items(
    await many(
      staffDepositItem,
      sql`
        select deposit_staff_json(r)::jsonb || jsonb_build_object('creditsUsd', case when r.status = 'pending' then
          round(r.amount * case r.currency when 'EUR' then ${rates.EUR}::numeric when 'GBP' then ${rates.GBP}::numeric else 1 end, 2)::text
        end) as item
        from deposits r
        join users u on u.id = r.user_id
        where ${matching(sql, search)} ${after(sql, search.cursor)}
        order by r.created_at desc, r.id desc
        limit ${search.limit}
      `,
    ),
  );

export const staffWithdrawals = async (sql: Sql, search: Search): Promise<StaffWithdrawal[]> =>
  items(
    await many(
      staffWithdrawalItem,
      sql`
        select withdrawal_staff_json(r) as item
        from withdrawals r
        join users u on u.id = r.user_id
        where ${matching(sql, search)} ${after(sql, search.cursor)}
        order by r.created_at desc, r.id desc
        limit ${search.limit}
      `,
    ),
  ).map(withTime);

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

const placeRow = v.strictObject({ id: v.string(), currency: v.picklist(coins), network: v.picklist(networks), address: v.string() });
/** The wallet that a sender names by its address or id, if it is one for this coin and network (null: any). */
export const walletNamed = (sql: Sql, name: string, coin: Coin | null, network: Network | null) =>
  one(
    placeRow,
    sql`
      select id, currency, network, wallet_address as address
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
