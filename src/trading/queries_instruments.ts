import * as v from "valibot";
import type { Listed } from "../market/listings";
import { listingShape } from "../market/schema_listings";
import { many, type Sql } from "../platform/database/db";
import { stepsFrom } from "./rules_margin_steps";
import { instrumentRow, instrumentStates, type InstrumentVersion, instrumentVersionRow, type StaffInstrument } from "./schema_instruments";

const GROUP_OF = { major: "forex-major", minor: "forex-minor", crypto: "crypto" } as const;
const ofClass = v.picklist(Object.keys(GROUP_OF) as (keyof typeof GROUP_OF)[]);
const listedRow = v.strictObject({
  symbol: v.string(),
  class: ofClass,
  listing: listingShape,
  version: v.nullable(v.number()),
  state: v.nullable(v.picklist(instrumentStates)),
  minimum: v.nullable(v.string()),
  step: v.nullable(v.string()),
  maximum: v.nullable(v.string()),
  leverage: v.nullable(v.number()),
  marginPercent: v.nullable(v.string()),
  marginSteps: instrumentRow.entries.marginSteps,
  barred: v.nullable(v.picklist(["buy", "sell"])),
  markup: v.nullable(v.number()),
  held: v.nullable(v.record(v.string(), v.number())),
  isBounded: v.boolean(),
});

/** Every instrument as it is listed and dealt now, in the order of lists. */
export async function listedInstruments(sql: Sql): Promise<Listed[]> {
  const rows = await many(
    listedRow,
    sql`
      select i.symbol, i.class, coalesce(t.listing, i.listing) as listing, t.version, t.state, t.minimum, t.step, t.maximum, t.leverage, t.margin_percent as "marginPercent", t.margin_steps as "marginSteps", house_barred(t) as barred, nullif(i.markup, 0)::float8 as markup, markups_held(i) as held,
        t.house_limit is not null as "isBounded"
      from instruments i cross join lateral instrument_now(i.symbol) t
      order by i.place
      limit 1000
    `,
  );
  return rows.map(({ symbol, class: of, listing, version, state, isBounded, marginPercent, marginSteps, ...said }) => {
    const terms = { ...said, steps: marginSteps && stepsFrom(marginPercent, marginSteps) };
    const isPlain = version === null || (state === "tradable" && Object.values(terms).every((each) => each === null));
    return { symbol, group: GROUP_OF[of], listing, isBounded, terms: isPlain ? undefined : { state: state ?? "tradable", ...terms } };
  });
}

/** In how many ms the next version takes effect, or begins to hold for what is open, by the database's clock; null where none waits. */
export async function nextTerms(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ due: number | null }[]>`
    select (extract(epoch from min(n.due) - clock_timestamp()) * 1000)::float8 as due
    from instrument_terms t cross join lateral (values (t.effective_at), (t.applies_at)) as n (due)
    where n.due > clock_timestamp()
  `;
  return row?.due ?? null;
}

const staffRow = v.strictObject({ ...instrumentRow.entries, class: ofClass });

/** Every instrument as it is listed and dealt, in the order of lists. */
export async function staffInstruments(sql: Sql): Promise<StaffInstrument[]> {
  const rows = await many(
    staffRow,
    sql`
      select i.symbol, i.class, coalesce(t.listing, i.listing) as listing, coalesce((l.n).version, 0) as version, coalesce(t.state, 'tradable') as state, t.minimum, t.step, t.maximum, t.margin_percent as "marginPercent", t.margin_steps as "marginSteps",
        t.client_limit as "clientLimit", coalesce(h.opened, 0)::integer as "openPositions", coalesce(h.waiting, 0)::integer as "waitingOrders",
        t.house_limit as "houseLimit", t.markup, m.amount as "warnedAt",
        case when (l.n).effective_at > clock_timestamp() then instrument_json(l.n)::jsonb || jsonb_build_object(
          'effectiveAt', iso((l.n).effective_at), 'appliesAt', case when (l.n).applies_at > (l.n).effective_at then iso((l.n).applies_at) end
        ) end as coming,
        case when i.applied < i.version then t.applies_at end as "appliesAt"
      from instruments i
      cross join lateral instrument_now(i.symbol) t
      left join lateral (select n from instrument_terms n where n.symbol = i.symbol order by n.version desc limit 1) l on true
      left join (
        select symbol, count(*) filter (where status = 'open') as opened, count(*) filter (where status = 'pending') as waiting
        from positions where status in ('open', 'pending') group by symbol
      ) h on h.symbol = i.symbol
      left join exposure_limits m on m.symbol = i.symbol
      order by i.place
      limit 1000
    `,
  );
  return rows.map(({ class: of, ...row }) => ({ ...row, group: GROUP_OF[of] }));
}

/** How it was dealt, the newest first. */
export const instrumentVersions = (sql: Sql, symbol: string): Promise<InstrumentVersion[]> =>
  many(
    instrumentVersionRow,
    sql`
      select t.version, t.state, t.minimum, t.step, t.maximum, t.margin_percent as "marginPercent", t.margin_steps as "marginSteps", t.client_limit as "clientLimit", t.house_limit as "houseLimit", t.markup, t.listing,
        t.effective_at as "effectiveAt", case when t.applies_at > t.effective_at then t.applies_at end as "appliesAt", u.first_name || ' ' || u.last_name as administrator, t.change_reason as reason,
        exists (select from instrument_terms n where n.symbol = t.symbol and n.version = t.version + 1 and n.created_at < t.effective_at) as "isReplaced"
      from instrument_terms t
      join users u on u.id = t.changed_by
      where t.symbol = ${symbol}
      order by t.version desc
      limit 100
    `,
  );
