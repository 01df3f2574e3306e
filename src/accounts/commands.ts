import { conflict, notFound } from "../lib/refusal";
import type { Db } from "../platform/database/db";
import type { Idempotency } from "../platform/http/routes";
import { type Done, done } from "../platform/http/idempotency";
import type { TradingAccount } from "./schema";

/** The commands on trading accounts, each one SQL function (sql/functions/accounts.sql), so one round trip. */

/** Accounts of one kind that a person may have open; a bound, not a target. */
const MOST_ACCOUNTS = 20;

/** Opens a trading account: a demo one with its virtual money, a live one empty. Refuses too_many_accounts. */
export const openAccount = (sql: Db, userId: string, typeId: string, isDemo: boolean, key: Idempotency | null) =>
  done<Done<TradingAccount>>(
    sql`select account_create(${userId}, ${typeId}, ${isDemo}, ${MOST_ACCOUNTS}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done`,
  );

/** Gives a demo account $10,000 again. Refuses a live one (live_account), and one with open positions or orders (conflict). */
export const resetDemo = (sql: Db, userId: string, accountId: string, key: Idempotency | null) =>
  done<Done<TradingAccount>>(sql`select demo_reset(${userId}, ${accountId}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done`);

/** Closes an account for good. Refuses (conflict) one that deals or holds live money. */
export const closeAccount = (sql: Db, userId: string, accountId: string, key: Idempotency | null) =>
  done<Done<TradingAccount>>(sql`select account_close(${userId}, ${accountId}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done`);

/** Gives an account a name of its owner's, or takes it away (null). Refuses a closed one. */
export async function renameAccount(sql: Db, userId: string, accountId: string, name: string | null): Promise<void> {
  const rows = await sql<{ status: string }[]>`
    update trading_accounts a
    set name = case when a.status = 'active' then ${name} else a.name end, updated_at = case when a.status = 'active' then now() else a.updated_at end
    where a.id = ${accountId} and a.user_id = ${userId}
    returning a.status
  `;
  if (!rows[0]) throw notFound();
  if (rows[0].status !== "active") throw conflict("This trading account is closed.");
}
