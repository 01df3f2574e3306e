import * as v from "valibot";
import { many, type Sql } from "../platform/database/db";
import type { PairSpread } from "./schema_spreads";

const spreadRow = v.strictObject({ symbol: v.string(), since: v.nullable(v.string()), pips: v.string(), held: v.nullable(v.string()) });

/** The spread of each pair in an account, and what is decided for later, in the order of lists. The caller knows whose account it is. */
export async function spreadsOf(sql: Sql, accountId: string): Promise<PairSpread[]> {
  const rows = await many(
    spreadRow,
    sql`
      select s.symbol, s.since, s.pips, s.held
      from account_spreads(${accountId}) s join instruments i on i.symbol = s.symbol
      order by i.place, s.since nulls first
      limit 5000
    `,
  );
  const now = rows.filter(({ since }) => since === null);
  return now.map(({ symbol, pips, held }) => ({
    ...{ symbol, ...widthOf(pips), heldUntil: held },
    later: rows.flatMap((row) => (row.symbol === symbol && row.since !== null ? [{ ...widthOf(row.pips), since: row.since, heldUntil: row.held }] : [])),
  }));
}

/** Below zero a spread is exactly so wide. */
const widthOf = (pips: string) => ({ pips: pips.replace("-", ""), fixed: pips.startsWith("-") });
