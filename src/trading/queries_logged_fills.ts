import * as v from "valibot";
import { one, type Sql } from "../platform/database/db";
import type { Reach, Table } from "../proof/sources";

const waitsRow = v.strictObject({ waits: v.boolean() });
/** The first condition is the index's own: without it all receipts of the house would be read for the few that are among those not seen. */
const within = (sql: Sql, { high, among }: Reach) =>
  among.length === 0 ? sql`f.id > ${high}` : sql`f.id >= ${Math.min(high, ...among)} and (f.id > ${high} or f.id = any(${among as number[]}::bigint[]))`;

/** The receipts in the public log. Whoever writes one has locked its account before. */
export const loggedFills: Table = {
  note: "fill",
  // In the index's order, or the planner, who takes many for new, would read the whole table to find none.
  async waits(sql, reach) {
    const row = await one(waitsRow, sql`select exists (select from (select f.id from fills f where ${within(sql, reach)} order by f.id limit 1) n) as waits`);
    return row?.waits === true;
  },
  // Each looked up by its number, however many a round is planned for: its plan is kept, since planning it takes as long as writing a hundred of them.
  rows: (sql, reach, limit, { terms }) => sql`
    select n.id, d.at, d.tick, d.text
    from (select f.id from fills f where ${within(sql, reach)} order by f.id limit ${limit}) n
    cross join lateral (
      select f.created_at as at, f.quote_seq as tick,
        fill_record(f, p, a.is_demo, (coalesce(t.listing, i.listing) ->> 'pip')::numeric(20, 8)::text, ${terms}::integer, o.id) as text
      from fills f
      join positions p on p.id = f.position_id
      join trading_accounts a on a.id = p.account_id
      join instruments i on i.symbol = p.symbol
      left join instrument_terms t on t.symbol = p.symbol and t.version = f.terms_version
      left join fills o on f.kind = 'close' and o.kind = 'open' and o.position_id = coalesce(p.parent_id, p.id)
      where f.id = n.id
      offset 0
    ) d`,
};
