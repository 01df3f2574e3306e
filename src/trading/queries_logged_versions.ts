import * as v from "valibot";
import { many } from "../platform/database/db";
import { refsOf, type Source } from "../proof/sources";

/** The versions of groups', instruments' and countries' terms in the public log, by name and number: what a receipt names never changes. */

const maybe = v.nullable(v.string());
const groupRow = v.strictObject({
  group: v.string(),
  version: v.number(),
  spreadPips: v.string(),
  spreads: v.string(),
  commission: v.string(),
  swaps: v.string(),
  swapFreeFee: maybe,
  leverage: v.number(),
  minimumDeposit: v.string(),
  effective: v.string(),
  applies: v.string(),
  at: v.string(),
});

const groups: Source = {
  note: "group",
  inEachLog: true,
  async read(sql, told) {
    const rows = await many(
      groupRow,
      sql`
        select g.group_id as "group", g.version, g.spreads_from as "spreadPips", g.spreads::text, g.commission, g.swaps::text, g.swap_fee as "swapFreeFee", g.leverage,
          g.minimum_deposit as "minimumDeposit", case when isfinite(g.effective_at) then iso(g.effective_at) else '' end as effective,
          case when isfinite(g.applies_at) then iso(g.applies_at) else '' end as applies, g.created_at as at
        from group_versions g
        where g.group_id || ':' || g.version = any(${refsOf(told)}::text[]) limit ${told.length}`,
    );
    return new Map(rows.map((row) => [`${row.group}:${row.version}`, { kind: "group", fields: row }]));
  },
};

const instrumentRow = v.strictObject({
  symbol: v.string(),
  version: v.number(),
  markup: v.string(),
  pip: v.string(),
  minimum: maybe,
  step: maybe,
  maximum: maybe,
  marginPercent: maybe,
  marginSteps: maybe,
  effective: v.string(),
  applies: maybe,
  at: v.string(),
});

const instruments: Source = {
  note: "instrument",
  inEachLog: true,
  async read(sql, told) {
    const rows = await many(
      instrumentRow,
      sql`
        select t.symbol, t.version, coalesce(t.markup, 0)::text as markup, coalesce(t.listing, i.listing) ->> 'pip' as pip, t.minimum, t.step, t.maximum,
          t.margin_percent as "marginPercent", t.margin_steps::text as "marginSteps", iso(t.effective_at) as effective, iso(t.applies_at) as applies, t.created_at as at
        from instrument_terms t join instruments i on i.symbol = t.symbol
        where t.symbol || ':' || t.version = any(${refsOf(told)}::text[]) limit ${told.length}`,
    );
    const said = new Map(told.map(({ ref, v: version }) => [ref, version]));
    return new Map(
      rows.map(({ marginSteps, applies, ...fields }) => {
        const ref = `${fields.symbol}:${fields.version}`;
        // Those written before they had two moments are of version 1, as is what a program of then told.
        const isWhole = applies !== null && said.get(ref) !== 1;
        return [ref, isWhole ? { kind: "instrument", v: 2, fields: { ...fields, marginSteps, applies } } : { kind: "instrument", fields }];
      }),
    );
  },
};

const countriesRow = v.strictObject({ version: v.number(), rules: v.string(), at: v.string() });

const countries: Source = {
  note: "countries",
  inEachLog: true,
  async read(sql, told) {
    const rows = await many(
      countriesRow,
      sql`
        select c.version, c.rules::text, c.created_at as at from country_versions c
        where c.version = any(${refsOf(told)}::integer[]) limit ${told.length}`,
    );
    return new Map(rows.map((row) => [String(row.version), { kind: "countries", fields: row }]));
  },
};

export const loggedVersions: readonly Source[] = [groups, instruments, countries];
