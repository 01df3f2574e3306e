import { containing, type Fragment, type Sql } from "./db";

/** Searches that indexes answer: by groups of three letters (`letter_groups`), by the beginning of an id, by any of several ways. */

/** Fewer letters have no group of three. */
export const GROUP = 3;

/** Whether `text`, in lower case, holds the words as they stand, by its groups of three letters. */
export const holds = (sql: Sql, text: Fragment, q: string): Fragment =>
  sql`letter_groups(${text}, 3) @> letter_groups(${q.toLowerCase()}, 3) and ${text} like ${containing(q.toLowerCase())}`;

/** The first and the last id that begin with these letters (a whole id, eight letters of one at least, or a deposit's reference); null for other words. */
export function idsIn(q: string): { first: string; last: string } | null {
  const plain = q.replace(/^DEP-/i, "").replaceAll("-", "").toLowerCase();
  if (!/^[0-9a-f]{8,32}$/.test(plain)) return null;
  const idOf = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { first: idOf(plain.padEnd(32, "0")), last: idOf(plain.padEnd(32, "f")) };
}

/** A way to find ids; what is no fragment can't find the words asked for. */
export type Way = Fragment | false | null | "";

/** The ids that any of the given ways finds; null where none can. */
export function anyOf(sql: Sql, ways: Way[]): Fragment | null {
  const [first, ...rest] = ways.filter((way) => way !== false && way !== null && way !== "");
  return first === undefined ? null : rest.reduce((all, way) => sql`${all} union (${way})`, sql`(${first})`);
}

/** What a query finds; null where it is more than so many. */
export async function idsOf(sql: Sql, query: Fragment | null, most: number): Promise<string[] | null> {
  const rows = query === null ? [] : await sql<{ id: string }[]>`select id from (${query}) f limit ${most + 1}`;
  return rows.length > most ? null : rows.map(({ id }) => id);
}

/** So many finds are looked up by their ids; of more than these a list in its own order soon meets enough. */
const MOST = 1_000;

/**
 * The ids of a list's rows that a search finds by indexes, so that what is nowhere is not looked for in every row; null where it finds more than a
 * thousand, or as many people: then each row is to be asked, and a list in its own order soon has met enough. `people` finds ids of people, `of`
 * the list's own by those and by its other ways; both are told how many to find at most.
 */
export async function idsFound(
  sql: Sql,
  { people, of }: { people: (most: number) => Fragment; of: (people: string[], most: number) => Way[] },
): Promise<string[] | null> {
  const owners = await idsOf(sql, people(MOST + 1), MOST);
  return owners && idsOf(sql, anyOf(sql, of(owners, MOST + 1)), MOST);
}
