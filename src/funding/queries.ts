import * as v from "valibot";
import { type Entitled, mayDo } from "../lib/permissions";
import { found, invalidField, Refusal } from "../lib/refusal";
import { after, type Fragment, inOrder, items, many, onDays, one, type Sql } from "../platform/database/db";
import type { Reading } from "../platform/database/reading";
import type { Done } from "../platform/http/idempotency";
import { heldTo, requestsFound } from "./queries_found";
import { PROCESSING_TIME } from "./rules";
import {
  activeWalletRow,
  bonusRow,
  type BonusState,
  type Coin,
  coins,
  type Deposit,
  depositClaimRow,
  depositRow,
  type Network,
  networks,
  type PaymentMethod,
  promotionRow,
  type RequestOrder,
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
const withTime = <W extends { method: PaymentMethod; notBefore?: string | null | undefined }>(withdrawal: W): W & { estimatedProcessingTime: string } => ({
  ...withdrawal,
  estimatedProcessingTime: waitingWords(withdrawal.notBefore ?? null) ?? PROCESSING_TIME[withdrawal.method],
});
/** What is said of a withdrawal that waits for its address to be a day old. */
const waitingWords = (notBefore: string | null) =>
  notBefore !== null && Date.parse(notBefore) > Date.now()
    ? `Not before ${notBefore.slice(0, 16).replace("T", " ")} UTC: the address is new, or a factor was removed`
    : null;
/** The names that the entity has besides: what is paid to a bank, when it stopped waiting, and no account, as only the wallet pays. */
type Named = { method: PaymentMethod; walletAddress: string; processedAt: string | null };
const withNames = <W extends Named>(withdrawal: W) => ({
  ...withdrawal,
  accountId: null,
  bankDetails: withdrawal.method === "bank" ? withdrawal.walletAddress : null,
  completedAt: withdrawal.processedAt,
});
/** The same for the answer of a command; a refusal that is heard again has no method. */
export const withTimes = async <W extends Named>(command: Promise<Done<W>>) => {
  const done = await command;
  return { ...done, answer: "method" in done.answer ? withNames(withTime(done.answer)) : withTime(done.answer) };
};
/** Who decided, by what was decided. */
const withDeciders = <R extends { status: string; decidedBy: string | null }>(request: R) => ({
  ...request,
  approvedBy: request.status === "approved" ? request.decidedBy : null,
  rejectedBy: request.status === "rejected" ? request.decidedBy : null,
});

const withProcessor = <W extends { decidedBy: string | null }>(withdrawal: W) => ({ ...withdrawal, processedBy: withdrawal.decidedBy });

type Decided = { status: string; decidedBy: string | null };
/** The answer of a decision with who decided, as lists have it; a refusal that is heard again names nobody. */
export const withDecision = async <D extends { answer: Decided }>(command: Promise<D>) => {
  const done = await command;
  return "decidedBy" in done.answer ? { ...done, answer: withDeciders(done.answer) } : done;
};

/** The same for a withdrawal, with its times. */
export const withPayout = async <W extends Named & Decided>(command: Promise<Done<W>>) => {
  const done = await withDecision(withTimes(command));
  return "decidedBy" in done.answer ? { ...done, answer: withProcessor(done.answer) } : done;
};

/** Whom approving a deposit at this rate (USD for one unit; null: not known) would pay for referring its owner; null: nobody. */
export async function referrerPaidBy(sql: Sql, id: string, rate: string | null): Promise<string | null> {
  const [row] = await sql<{ referrer: string }[]>`
    select u.referred_by as referrer
    from deposits d
    join users u on u.id = d.user_id
    cross join lateral promotions_at(d.created_at) p
    where d.id = ${id} and p.id = 'referral_bonus' and promotion_earned(p, d, round(d.amount * ${rate}::numeric, 2), u.referred_by)
  `;
  return row?.referrer ?? null;
}

const timedRow = v.pipe(v.omit(withdrawalRow, ["estimatedProcessingTime"]), v.transform(withTime), v.transform(withNames));
const staffTimedRow = v.pipe(
  v.omit(staffWithdrawalRow, ["estimatedProcessingTime"]),
  v.transform(withTime),
  v.transform(withNames),
  v.transform(withDeciders),
  v.transform(withProcessor),
);
const forecastRow = v.pipe(
  v.strictObject({ ...staffDepositRow.entries, creditsUsd: v.nullable(v.string()), claims: v.array(depositClaimRow) }),
  v.transform(withDeciders),
);

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
      select withdrawal_told(r) as item
      from withdrawals r
      where r.user_id = ${userId} ${after(sql, "r.created_at", "r.id", cursor)}
      order by r.created_at desc, r.id desc
      limit ${limit}
    `,
  );

type Search = Page & { q: string; status: string; sort?: RequestOrder; from?: string; to?: string };
/** The state as the indexes name it: a parameter would keep a prepared statement from those of one state alone. */
const ofStatus = (sql: Sql, status: string) => {
  if (status === "all") return sql`true`;
  if (status === "decided") return sql`r.status <> 'pending'`;
  return status === "pending" ? sql`r.status = 'pending'` : sql`r.status = ${status}`;
};
/** By state, by the days (UTC, both included) in which it was asked for, and by what the search found. */
const matching = (sql: Sql, { q, status, ...days }: Search, found: string[] | null) => sql`
  ${ofStatus(sql, status)}
  ${q === "" ? sql`` : heldTo(sql, q, found)}
  ${onDays(sql, sql`r.created_at`, days)}
`;
const foundIn = (sql: Sql, table: "deposits" | "withdrawals", { q }: Search) => (q === "" ? null : requestsFound(sql, table, q));

/** What a queue of requests `r` by owners `u` goes by. */
const queueOrder = (sql: Sql, { sort = "-created", cursor }: Search, tables: Fragment) => {
  const keys = {
    created: sql`r.created_at`,
    wait: sql`r.created_at`,
    decided: sql`coalesce(r.decided_at, r.created_at)`,
    name: sql`lower(u.first_name || ' ' || u.last_name)`,
    amount: sql`r.amount`,
    status: sql`r.status`,
  };
  return inOrder(sql, { sort, cursor }, { keys, id: sql`r.id`, tables });
};

/** Who else named the payment of deposit `r`. */
const claimsOf = (sql: Sql) => sql`
  (
    select coalesce(jsonb_agg(jsonb_build_object(
      'userId', c.user_id, 'firstName', o.first_name, 'lastName', o.last_name, 'email', o.email, 'createdAt', iso(c.created_at)
    ) order by c.created_at, c.id), '[]')
    from deposit_claims c
    join users o on o.id = c.user_id
    where c.deposit_id = r.id
  )
`;

/**
 * The queue of deposits, each as the commands answer it (`deposit_staff_json`, whose text would be read as JSON again in each row), with what approval would
 * credit now, by these rates (USD for one EUR, one GBP; null where unknown).
 */
export async function staffDeposits(sql: Sql, search: Search, rates: { EUR: string | null; GBP: string | null }): Promise<StaffDeposit[]> {
  const tables = sql`from deposits r join users u on u.id = r.user_id`;
  const { rest, order } = queueOrder(sql, search, tables);
  const found = await foundIn(sql, "deposits", search);
  if (found?.length === 0) return [];
  return items(
    forecastRow,
    sql`
      select deposit_json(r) || request_people(r.user_id, r.decided_by, r.admin_notes) || jsonb_build_object('creditsUsd', case when r.status = 'pending' then
        round(r.amount * case r.currency when 'EUR' then ${rates.EUR}::numeric when 'GBP' then ${rates.GBP}::numeric else 1 end, 2)::text
      end, 'claims', ${claimsOf(sql)}) as item
      ${tables}
      where ${matching(sql, search, found)} ${rest}
      ${order}
      limit ${search.limit}
    `,
  );
}

export async function staffWithdrawals(sql: Sql, search: Search): Promise<StaffWithdrawal[]> {
  const tables = sql`from withdrawals r join users u on u.id = r.user_id`;
  const { rest, order } = queueOrder(sql, search, tables);
  const found = await foundIn(sql, "withdrawals", search);
  if (found?.length === 0) return [];
  return items(
    staffTimedRow,
    sql`
      select withdrawal_staff_json(r)::jsonb || jsonb_build_object('notBefore', iso(r.not_before)) as item
      ${tables}
      where ${matching(sql, search, found)} ${rest}
      ${order}
      limit ${search.limit}
    `,
  );
}

const amountRow = v.strictObject({ amount: v.string(), typed: v.boolean() });
/**
 * Refuses an approval whose amount was to be typed and was not (invalid), or was typed otherwise than the request has it (amount_mismatch).
 * `usd`: dollars for one unit of the request's money; null where it waits no more.
 */
export async function refuseUntypedAmount(sql: Sql, table: "deposits" | "withdrawals", id: string, typed: string | null, usd: string | null): Promise<void> {
  const request = await one(
    amountRow,
    sql`
      select amount,
        status = 'pending' and coalesce(round(amount * ${usd}::numeric, 2) > (select value::numeric from settings where key = 'confirm_above'), false) as typed
      from ${sql(table)}
      where id = ${id}
    `,
  );
  if (!request || request.amount === typed) return;
  if (typed !== null) throw new Refusal("amount_mismatch", "This is not the request's amount.", { confirmAmount: "This is not the request's amount." });
  if (request.typed) throw invalidField("confirmAmount", "Type the amount");
}

const proofRow = v.strictObject({ mediaType: v.string(), content: v.instance(Uint8Array) });
/** A deposit's proof, for its owner or for staff who see deposits. */
export const proofOf = (sql: Sql, depositId: string, reader: Entitled & { id: string }) =>
  one(
    proofRow,
    sql`
      select p.media_type as "mediaType", p.content
      from deposit_proofs p
      join deposits d on d.id = p.deposit_id
      where d.id = ${depositId} and (d.user_id = ${reader.id} or ${mayDo(reader, "deposits.read")})
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
  used.month as "currentMonthlyUsage", w.created_at as "createdAt", w.updated_at as "updatedAt",
  version_of(to_jsonb(w) - '{created_at,updated_at}'::text[]) as version
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

/** What the site promises now: to this person, or to whoever reads it. */
export const promotions = (sql: Sql, userId: string | null = null) =>
  many(
    promotionRow,
    sql`
      select p.id, p.title, p.amount, p.minimum_deposit as "minimumDeposit", p.turnover, p.ends_at as "endsAt", p.countries
      from ${userId === null ? sql`promotions_at(now())` : sql`promotions_for(${userId}::uuid, now())`} p
      order by p.minimum_deposit desc, p.amount desc
      limit 10
    `,
  );

/** What of the person's money is a bonus that can't be withdrawn yet. */
export const bonusOf = (sql: Sql, userId: string): Reading<BonusState> => one(bonusRow, sql`select locked, turnover from bonus_of(${userId})`).map(found);
