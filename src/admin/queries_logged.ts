import * as v from "valibot";
import { many, type Sql } from "../platform/database/db";
import { loggedHead } from "../audit/queries_logged";
import { loggedLiabilities } from "../integrity/queries_logged";
import { loggedTicks, pips, readTicks } from "../market/queries_logged";
import { refsOf, type Source, type Sources, type Terms } from "../proof/sources";
import { loggedDeals } from "../trading/queries_logged";
import { loggedFills } from "../trading/queries_logged_fills";
import { loggedSwaps } from "../trading/queries_logged_swaps";
import { loggedVersions } from "../trading/queries_logged_versions";

const dayRow = v.strictObject({ day: v.string(), figures: v.string(), audit: v.number(), at: v.string() });

const days: Source = {
  note: "day",
  async read(sql, told) {
    const rows = await many(
      dayRow,
      sql`
        select d.day::text, encode(sha256(convert_to(a.hash || d.figures::text || coalesce(d.floating::text, ''), 'UTF8')), 'base64') as figures,
          d.audit_id as audit, d.closed_at as at
        from closed_days d join admin_actions a on a.id = d.audit_id
        where d.day = any(${refsOf(told)}::date[]) limit ${told.length}`,
    );
    return new Map(rows.map((row) => [row.day, { kind: "day", fields: row }]));
  },
};

const termsRow = v.strictObject({ accountTypes: v.string(), symbols: v.string(), countries: v.string() });

/** The terms of all accounts, in one order of names, so that the same terms are the same text. */
async function readTerms(sql: Sql): Promise<Terms> {
  const [row] = await many(
    termsRow,
    sql`
      select
        (select coalesce(json_object_agg(t.id, json_build_object(
          'spreadPips', t.spreads_from::text, 'minimumDeposit', t.minimum_deposit::text, 'leverage', t.leverage, 'isActive', t.is_active,
          'version', t.version, 'commission', t.commission::text, 'spreads', g.spreads, 'swaps', g.swaps, 'swapFreeFee', g.swap_fee::text
        ) order by t.id), '{}') from account_types t left join group_versions g on g.group_id = t.id and g.version = t.version)::text as "accountTypes",
        (select coalesce(json_object_agg(i.symbol, json_build_object('smallestDeal', i.smallest_deal::text, 'class', i.class, 'markup', i.markup::text, 'version', i.version,
          'minimum', n.minimum::text, 'step', n.step::text, 'maximum', n.maximum::text, 'marginPercent', n.margin_percent::text, 'marginSteps', n.margin_steps) order by i.symbol), '{}')
          from instruments i cross join lateral instrument_now(i.symbol) n)::text
          as symbols,
        (select coalesce(json_object_agg(j.country, json_build_object(
          'isServed', j.is_served, 'leverageMajor', j.leverage_major, 'leverageMinor', j.leverage_minor, 'leverageCrypto', j.leverage_crypto
        ) order by j.country), '{}') from jurisdictions j)::text as countries
      limit 1`,
  );
  const parsed = (text: string | undefined) => JSON.parse(text ?? "{}") as Record<string, object>;
  const pip = pips();
  const instruments = Object.fromEntries(Object.entries(parsed(row?.symbols)).map(([symbol, said]) => [symbol, { pip: pip[symbol] ?? null, ...said }]));
  return {
    accountTypes: JSON.stringify(parsed(row?.accountTypes)),
    instruments: JSON.stringify(instruments),
    countries: JSON.stringify(parsed(row?.countries)),
  };
}

/** All that the public log tells. */
export const logged: Sources = {
  tables: [loggedFills, loggedSwaps],
  records: [...loggedVersions, ...loggedDeals, loggedTicks, loggedHead, days, loggedLiabilities],
  readTerms,
  readTicks,
};
