import * as v from "valibot";
import { one, type Sql } from "../platform/database/db";

const countsRow = v.strictObject({ clients: v.number(), accounts: v.number(), losing: v.number() });
type LossCounts = v.InferOutput<typeof countsRow>;

/** Live accounts that have closed a position, the people they belong to, and those that have lost money by it. */
export const lossCounts = async (sql: Sql): Promise<LossCounts> =>
  (await one(
    countsRow,
    sql`
      select count(distinct a.user_id) as clients, count(*) as accounts, count(*) filter (where a.realised < 0) as losing
      from trading_accounts a
      where not a.is_demo and a.id in (select account_id from account_symbols)
    `,
  )) ?? { clients: 0, accounts: 0, losing: 0 };
