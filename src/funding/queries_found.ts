import { peopleMeant } from "../identity/queries";
import { amountIn, containing, type Fragment, type Sql, wordsIn } from "../platform/database/db";
import { GROUP, holds, idsFound, idsIn, type Way } from "../platform/database/search";

/** Which requests of money a search means. */

type Requests = "deposits" | "withdrawals";

/** The ways to find a request by its own words: id or reference, amount, chain hash or wallet address; each finds at most so many. */
export function waysToRequests(sql: Sql, table: Requests, q: string, most: number): Way[] {
  const [ids, amount] = [idsIn(q), amountIn(q)];
  const of = sql(table);
  // As their indexes have it.
  const text =
    table === "deposits"
      ? sql`lower(coalesce(transaction_hash, '') || ' ' || coalesce(wallet_address, ''))`
      : sql`lower(coalesce(transaction_hash, '') || ' ' || wallet_address)`;
  const known = table === "deposits" ? sql`(transaction_hash is not null or wallet_address is not null) and` : sql``;
  return [
    ids && sql`select id from ${of} where id between ${ids.first}::uuid and ${ids.last}::uuid limit ${most}`,
    amount && sql`select id from ${of} where amount = ${amount}::numeric order by created_at desc limit ${most}`,
    q.length >= GROUP && !/\s/.test(q) && sql`select id from ${of} where ${known} ${holds(sql, text, q)} limit ${most}`,
  ];
}

/**
 * What a search means among requests: by the owner's names, address or account number, the request's amount, id or reference, its chain hash
 * or its wallet address. Null where it means very many (`heldTo`).
 */
export const requestsFound = (sql: Sql, table: Requests, q: string): Promise<string[] | null> =>
  idsFound(sql, {
    people: (most) => peopleMeant(sql, q, most),
    of: (people, most) => [
      people.length > 0 && sql`select id from ${sql(table)} where user_id = any (${people}::uuid[]) limit ${most}`,
      ...waysToRequests(sql, table, q, most),
    ],
  });

/** Holds requests `r` of owners `u` to what a search found; where that is very many, by the same in each row. */
export function heldTo(sql: Sql, q: string, found: string[] | null): Fragment {
  if (found !== null) return sql`and r.id = any (${found}::uuid[])`;
  const like = containing(q);
  const amount = amountIn(q);
  return sql`
    and (
      ${wordsIn(sql, sql`u.search`, q)} ${amount ? sql`or r.amount = ${amount}::numeric` : sql``}
      or r.wallet_address ilike ${like} or r.transaction_hash ilike ${like}
    )
  `;
}
