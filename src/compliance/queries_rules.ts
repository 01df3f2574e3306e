import * as v from "valibot";
import { many, type Sql } from "../platform/database/db";
import { jurisdictionRow, levelRuleRow } from "./schema_rules";

export const levelRules = (sql: Sql) =>
  many(
    levelRuleRow,
    sql`
      select level, live_trading as "liveTrading", bank_deposits as "bankDeposits", card_deposits as "cardDeposits", crypto_deposits as "cryptoDeposits",
        withdrawn_day::text as "withdrawnDay", withdrawn_month::text as "withdrawnMonth", version_of(to_jsonb(r)) as version
      from level_rules r order by level limit 4
    `,
  );

/** Countries with rules, with how many people live there. */
export const jurisdictions = (sql: Sql) =>
  many(
    jurisdictionRow,
    sql`
      select j.country, j.is_served as "isServed", j.leverage_major as "leverageMajor", j.leverage_minor as "leverageMinor",
        j.leverage_crypto as "leverageCrypto", j.has_promotions as promotions, j.warning,
        (select count(*)::integer from users u where u.country = j.country) as people, version_of(to_jsonb(j)) as version
      from jurisdictions j order by j.country limit 300
    `,
  );

/** Whether one may live there and be served. */
export const isServed = async (sql: Sql, country: string): Promise<boolean> =>
  (await sql`select from jurisdictions where country = ${country} and not is_served`).length === 0;

export async function countryOf(sql: Sql, userId: string): Promise<string | null> {
  const [row] = await sql<{ country: string | null }[]>`select country from users where id = ${userId}`;
  return row?.country ?? null;
}

const ruleRow = v.strictObject({ country: v.string(), warning: v.nullable(v.string()), boundsLeverage: v.boolean() });
/** What of the countries' rules every page and deal asks for. */
export async function countryRules(sql: Sql) {
  const rows = await many(
    ruleRow,
    sql`
      select country, warning, coalesce(leverage_major, leverage_minor, leverage_crypto) is not null as "boundsLeverage" from jurisdictions limit 300
    `,
  );
  return new Map(rows.map(({ country, ...rule }) => [country, rule]));
}
