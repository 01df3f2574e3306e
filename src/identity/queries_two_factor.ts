import * as v from "valibot";
import { one, type Sql } from "../platform/database/db";
import type { Reading } from "../platform/database/reading";
import { type TwoFactorState, twoFactorState } from "./schema_two_factor";

const factorRow = v.strictObject({ secret: v.string(), on: v.boolean() });

/** A person's second factor, on or being set up. */
export const factorOf = (sql: Sql, userId: string) =>
  one(factorRow, sql`select secret, confirmed_at is not null as on from two_factors where user_id = ${userId}`);

/** Whether it is on, since when, and how many recovery codes are left. */
export const twoFactorOf = (sql: Sql, userId: string): Reading<TwoFactorState> =>
  one(
    twoFactorState,
    sql`
      select f.confirmed_at as since,
        (select count(*)::integer from recovery_codes r where r.user_id = f.user_id and r.used_at is null) as "recoveryCodes"
      from two_factors f
      where f.user_id = ${userId} and f.confirmed_at is not null
    `,
  ).map((state) => state ?? { since: null, recoveryCodes: 0 });
