import { invalidField, Refusal } from "../lib/refusal";
import type { Db } from "../platform/db";
import { accountTypes } from "./queries";

/** Accounts of one kind that a person may have open; a bound, not a target. */
const MOST_ACCOUNTS = 20;

/** Opens a trading account: a demo one with its virtual money, a live one empty. Returns its id. */
export async function openAccount(sql: Db, userId: string, typeId: string, isDemo: boolean): Promise<string> {
  if (!(await accountTypes(sql)).some(({ id }) => id === typeId)) throw invalidField("accountTypeId", "Please select an account type");
  return sql.begin(async (tx) => {
    // One opening at a time for each person, so that the bound holds.
    await tx`select from users where id = ${userId} for update`;
    const rows = await tx<
      { open: number }[]
    >`select count(*)::integer as open from trading_accounts where user_id = ${userId} and status = 'active' and is_demo = ${isDemo}`;
    if ((rows[0]?.open ?? 0) >= MOST_ACCOUNTS) throw new Refusal("too_many_accounts", `You already have ${MOST_ACCOUNTS} accounts of this kind.`);
    const [made] = await tx<{ id: string }[]>`select account_open(${userId}, ${typeId}, ${isDemo}) as id`;
    if (!made) throw new Error("account_open returned nothing");
    return made.id;
  });
}
