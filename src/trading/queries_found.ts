import { peopleHolding } from "../identity/queries";
import { amountIn, containing, type Fragment, type Sql, wordsIn } from "../platform/database/db";
import { anyOf, GROUP, holds, idsOf } from "../platform/database/search";

/** Which positions a search means. In each query `p` is the position, `a` its account, `u` its owner. */

/** Holds a list to a search by person, account, symbol, amount or the position's id, by a look at each row. */
export function found(sql: Sql, q: string) {
  if (!q) return sql``;
  const like = containing(q);
  const amount = amountIn(q);
  return sql`
    and (
      ${wordsIn(sql, sql`u.search`, q)} or a.account_number ilike ${like} or p.symbol ilike ${like}
      ${amount ? sql`or p.amount = ${amount}::numeric` : sql``}
      or p.id::text = ${q}
    )
  `;
}

/** A part of a great many accounts' numbers. */
const OF_MANY_NUMBERS = /^a?c{0,2}\d{0,3}$/i;
/** So many people, and of them so many positions, are looked up; of more a list in its own order soon meets enough. */
const PEOPLE = 3_000;
const POSITIONS = 1_000;
/** The one spelling of an id. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `held`: what a position `p` that a search means answers to, by itself; `few`: that its id is of a few. */
type Meant = { held: Fragment; few: boolean };

/**
 * What `found` would leave of all that is open or waits, by indexes, so that what is nowhere is not looked for in every row: "nothing", or what the positions
 * answer to by themselves; null where that takes their owners and accounts, of which too many are meant, or no index can tell which.
 */
export async function liveFound(sql: Sql, q: string): Promise<Meant | "nothing" | null> {
  const people = peopleHolding(sql, q);
  if (people === null || OF_MANY_NUMBERS.test(q)) return null;
  const accounts = sql`select id from trading_accounts where ${holds(sql, sql`lower(account_number)`, q)} limit ${PEOPLE + 1}`;
  // Ids of people and of accounts are random, and none is another's.
  const whose = await idsOf(sql, sql`(${people} limit ${PEOPLE + 1}) ${q.length < GROUP ? sql`` : sql`union all (${accounts})`}`, PEOPLE);
  if (whose === null) return null;
  const amount = amountIn(q);
  const byItself = sql`
    p.symbol = any (array(select i.symbol from instruments i where i.symbol ilike ${containing(q)})) ${amount ? sql`or p.amount = ${amount}::numeric` : sql``}
  `;
  const live = sql`select p.id from positions p where p.status in ('pending', 'open')`;
  const ids = await idsOf(
    sql,
    anyOf(sql, [
      whose.length > 0 && sql`${live} and p.user_id = any (${whose}::uuid[]) limit ${POSITIONS + 1}`,
      whose.length > 0 && sql`${live} and p.account_id = any (${whose}::uuid[]) limit ${POSITIONS + 1}`,
      sql`${live} and (${byItself}) limit ${POSITIONS + 1}`,
      ID.test(q) && sql`${live} and p.id = ${q}`,
    ]),
    POSITIONS,
  );
  if (ids?.length === 0) return "nothing";
  if (ids) return { held: sql`and p.id = any (${ids}::uuid[])`, few: true };
  const theirs = sql`(select unnest(${whose}::uuid[]))`;
  return { held: sql`and (${byItself} ${whose.length > 0 ? sql`or p.user_id in ${theirs} or p.account_id in ${theirs}` : sql``})`, few: false };
}
