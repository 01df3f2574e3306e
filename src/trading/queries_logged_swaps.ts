import * as v from "valibot";
import { one, type Sql } from "../platform/database/db";
import type { Reach, Table } from "../proof/sources";

const waitsRow = v.strictObject({ waits: v.boolean() });
const within = (sql: Sql, { high, among }: Reach) =>
  among.length === 0
    ? sql`s.number > ${high}`
    : sql`s.number >= ${Math.min(high, ...among)} and (s.number > ${high} or s.number = any(${among as number[]}::bigint[]))`;

/** The nights of positions in the public log. Whoever writes one has locked its account before. */
export const loggedSwaps: Table = {
  note: "swap",
  async waits(sql, reach) {
    const row = await one(
      waitsRow,
      sql`select exists (select from (select s.number from swaps s where ${within(sql, reach)} order by s.number limit 1) n) as waits`,
    );
    return row?.waits === true;
  },
  rows: (sql, reach, limit) => sql`
    select n.id, d.at, null::bigint as tick, d.text
    from (select s.number as id from swaps s where ${within(sql, reach)} order by s.number limit ${limit}) n
    cross join lateral (
      select s.created_at as at, swap_record(s, p, a.is_demo, swap_point(listing_at(i, night_moment(s.night)))) as text
      from swaps s
      join positions p on p.id = s.position_id
      join trading_accounts a on a.id = p.account_id
      join instruments i on i.symbol = p.symbol
      where s.number = n.id
      offset 0
    ) d`,
};
