import * as v from "valibot";
import { meColumns } from "../identity/queries";
import { permissionsOf } from "../lib/permissions";
import { many, one, type Sql } from "../platform/database/db";
import type { Me } from "../platform/app_context";

const idRow = v.strictObject({ id: v.string() });
const accountRow = v.strictObject({ id: v.string(), isDemo: v.boolean() });
const meRow = v.strictObject(meColumns);

/** The newest session of a person. Throws where there is none. */
export async function sessionOf(sql: Sql, userId: string): Promise<string> {
  const row = await one(idRow, sql`select id from sessions where user_id = ${userId} order by created_at desc limit 1`);
  if (!row) throw new Error("a person without a session");
  return row.id;
}

export const openAccountsOf = (sql: Sql, userId: string) =>
  many(accountRow, sql`select id, is_demo as "isDemo" from trading_accounts where user_id = ${userId} and status = 'active' order by created_at limit 100`);

/** True where somebody registered already. */
export async function hasTraders(sql: Sql): Promise<boolean> {
  return (await one(idRow, sql`select id from users where role = 'user' limit 1`)) !== null;
}

/** The owner who came first; null where there is none. */
export async function firstAdmin(sql: Sql): Promise<Me | null> {
  const row = await one(
    meRow,
    sql`
      select id, email, first_name as "firstName", last_name as "lastName", role, account_status as "accountStatus",
        registration_status as "registrationStatus"
      from users where staff_role = 'owner' order by created_at limit 1`,
  );
  return row && { ...row, staffRole: "owner", permissions: permissionsOf("owner", null), heldBack: false, country: null, sessionId: "" };
}

const balanceRow = v.strictObject({ balance: v.string() });
const balance = async (query: PromiseLike<readonly Record<string, unknown>[]>) => Number((await one(balanceRow, query))?.balance ?? "0");

/** What lies in an account, in dollars; for choosing a size, not for booking. */
export const accountBalance = (sql: Sql, accountId: string): Promise<number> =>
  balance(sql`select l.balance::text as balance from trading_accounts a join ledger_accounts l on l.id = a.ledger_account_id where a.id = ${accountId}`);

/** What lies in a person's wallet, in dollars. */
export const walletBalance = (sql: Sql, userId: string): Promise<number> =>
  balance(sql`select balance::text as balance from ledger_accounts where owner_id = ${userId} and kind = 'wallet'`);
