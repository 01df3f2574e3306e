import * as v from "valibot";
import { many, type Sql } from "../platform/database/db";
import type { Reach, Table } from "./sources";

/**
 * Reads tables whose rows are their own notes, each row once, whenever it is committed: numbers are given in one order, and commits come in
 * another. Of the numbers below the highest that was read, those that were not to be seen are kept and looked for again, until every transaction
 * that could hold one has ended.
 */

const numbers = v.array(v.pipe(v.unknown(), v.transform(Number)));
export const markRow = v.strictObject({ note: v.string(), high: v.number(), gaps: numbers, aging: numbers, isOver: v.boolean() });

/** Whether one of the tables has a row that was not read. */
export async function haveRows(sql: Sql, tables: readonly Table[]): Promise<boolean> {
  for (const { table, mark } of await marksOf(sql, tables)) if (await table.waits(sql, reachOf(mark))) return true;
  return false;
}

export type Mark = v.InferOutput<typeof markRow>;
export const reachOf = ({ high, aging, gaps }: Mark): Reach => ({ high, among: [...aging, ...gaps] });

/**
 * How far each table was read, as a round learns it from `proof_round`; `isOver`: every transaction has ended that was there when the gaps began to age. What is read in a later statement is all
 * that was over by then.
 */
async function marksOf(sql: Sql, tables: readonly Table[]): Promise<{ table: Table; mark: Mark }[]> {
  if (tables.length === 0) return [];
  const rows = await many(
    markRow,
    sql`
      select note, high, gaps, aging, coalesce(pg_snapshot_xmin(pg_current_snapshot()) >= horizon, true) as "isOver"
      from proof_marks where note = any(${tables.map(({ note }) => note)}::text[]) limit ${tables.length}`,
  );
  const marks = new Map(rows.map((mark) => [mark.note, mark]));
  return tables.flatMap((table) => {
    const mark = marks.get(table.note);
    return mark ? [{ table, mark }] : [];
  });
}

/** A table's mark once these rows of it were read, to be kept in one transaction with what becomes of them; null where it stays. */
export function movedMark(mark: Mark, read: readonly number[]): Mark | null {
  const seen = new Set(read);
  const high = read.reduce((most, id) => Math.max(most, id), mark.high);
  const still = (list: readonly number[]) => list.filter((id) => !seen.has(id));
  const fresh: number[] = [];
  for (let id = mark.high + 1; id < high; id++) if (!seen.has(id)) fresh.push(id);
  if (read.length === 0 && mark.gaps.length + mark.aging.length === 0) return null;
  // This transaction's own number came after those of all who held a gap found earlier.
  const next = mark.isOver ? { aging: still(mark.gaps), gaps: fresh } : { aging: still(mark.aging), gaps: [...still(mark.gaps), ...fresh] };
  return { ...mark, high, ...next };
}
