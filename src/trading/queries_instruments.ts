import * as v from "valibot";
import { instruments } from "../market/schema";
import type { InstrumentTerms } from "../market/rules_terms";
import { many, type Sql } from "../platform/database/db";
import { instrumentRow, instrumentStates, type InstrumentVersion, instrumentVersionRow, type StaffInstrument } from "./schema_instruments";

const inForce = v.strictObject({
  symbol: v.string(),
  state: v.picklist(instrumentStates),
  minimum: v.nullable(v.string()),
  step: v.nullable(v.string()),
  maximum: v.nullable(v.string()),
  leverage: v.nullable(v.number()),
});

/** The terms in force of each instrument that has any. */
export async function termsInForce(sql: Sql): Promise<Record<string, InstrumentTerms>> {
  const rows = await many(
    inForce,
    sql`
      select t.symbol, t.state, t.minimum, t.step, t.maximum, t.leverage
      from (select distinct symbol from instrument_terms) s cross join lateral instrument_now(s.symbol) t
      where t.version is not null
      limit 1000
    `,
  );
  return Object.fromEntries(rows.map(({ symbol, ...terms }) => [symbol, terms]));
}

/** In how many ms the next version takes effect, by the database's clock; null where none waits. */
export async function nextTerms(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ due: number | null }[]>`
    select (extract(epoch from min(effective_at) - clock_timestamp()) * 1000)::float8 as due from instrument_terms where effective_at > clock_timestamp()
  `;
  return row?.due ?? null;
}

/** Every instrument as it is dealt, in the order of lists. */
export async function staffInstruments(sql: Sql): Promise<StaffInstrument[]> {
  const rows = await many(
    instrumentRow,
    sql`
      select i.symbol, coalesce((l.n).version, 0) as version, coalesce(t.state, 'tradable') as state, t.minimum, t.step, t.maximum, t.margin_percent as "marginPercent",
        t.client_limit as "clientLimit", coalesce(h.opened, 0)::integer as "openPositions", coalesce(h.waiting, 0)::integer as "waitingOrders",
        m.amount as "houseLimit",
        case when (l.n).effective_at > clock_timestamp() then instrument_json(l.n)::jsonb || jsonb_build_object('effectiveAt', iso((l.n).effective_at)) end as coming
      from instruments i
      cross join lateral instrument_now(i.symbol) t
      left join lateral (select n from instrument_terms n where n.symbol = i.symbol order by n.version desc limit 1) l on true
      left join (
        select symbol, count(*) filter (where status = 'open') as opened, count(*) filter (where status = 'pending') as waiting
        from positions where status in ('open', 'pending') group by symbol
      ) h on h.symbol = i.symbol
      left join exposure_limits m on m.symbol = i.symbol
      limit 1000
    `,
  );
  const found = new Map(rows.map((row) => [row.symbol, row]));
  return instruments.flatMap(({ symbol, name, group, digits }) => {
    const row = found.get(symbol);
    return row ? [{ ...row, name, group, digits }] : [];
  });
}

/** How it was dealt, the newest first. */
export const instrumentVersions = (sql: Sql, symbol: string): Promise<InstrumentVersion[]> =>
  many(
    instrumentVersionRow,
    sql`
      select t.version, t.state, t.minimum, t.step, t.maximum, t.margin_percent as "marginPercent", t.client_limit as "clientLimit",
        t.effective_at as "effectiveAt", u.first_name || ' ' || u.last_name as administrator, t.change_reason as reason,
        exists (select from instrument_terms n where n.symbol = t.symbol and n.version = t.version + 1 and n.created_at < t.effective_at) as "isReplaced"
      from instrument_terms t
      join users u on u.id = t.changed_by
      where t.symbol = ${symbol}
      order by t.version desc
      limit 100
    `,
  );
