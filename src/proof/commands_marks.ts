import * as v from "valibot";
import { one, type Sql, type Tx } from "../platform/database/db";
import type { Reach, Table } from "./sources";

/**
 * Reads tables whose rows are their own notes, each row once, whenever it is committed: numbers are given in one order, and commits come in
 * another. Of the numbers below the highest that was read, those that were not to be seen are kept and looked for again, until every transaction
 * that could hold one has ended.
 */

const numbers = v.array(v.pipe(v.unknown(), v.transform(Number)));
const markRow = v.strictObject({ high: v.number(), gaps: numbers, aging: numbers, isOver: v.boolean() });

/** How far a table was read; `isOver`: every transaction has ended that was there when the gaps began to age. */
const markOf = (sql: Sql, note: string) =>
  one(
    markRow,
    sql`
      select high, gaps, aging, coalesce(pg_snapshot_xmin(pg_current_snapshot()) >= horizon, true) as "isOver" from proof_marks where note = ${note}`,
  );

/** Whether one of the tables has a row that was not read. */
export async function haveRows(sql: Sql, tables: readonly Table[]): Promise<boolean> {
  for (const { note, waits } of tables) {
    const mark = await markOf(sql, note);
    if (mark && (await waits(sql, reachOf(mark)))) return true;
  }
  return false;
}

export type Mark = v.InferOutput<typeof markRow>;
export const reachOf = ({ high, aging, gaps }: Mark): Reach => ({ high, among: [...aging, ...gaps] });

/** How far each table was read. What is read in a later statement is all that was over by then. */
export async function marksOf(tx: Tx, tables: readonly Table[]): Promise<{ table: Table; mark: Mark }[]> {
  const marks = [];
  for (const table of tables) {
    const mark = await markOf(tx, table.note);
    if (mark) marks.push({ table, mark });
  }
  return marks;
}

/** Notes that these rows of a table were read, in one transaction with what becomes of them. */
export async function moveMark(tx: Tx, note: string, mark: Mark, read: readonly number[]): Promise<void> {
  const seen = new Set(read);
  const high = read.reduce((most, id) => Math.max(most, id), mark.high);
  const still = (list: readonly number[]) => list.filter((id) => !seen.has(id));
  const fresh: number[] = [];
  for (let id = mark.high + 1; id < high; id++) if (!seen.has(id)) fresh.push(id);
  if (read.length === 0 && mark.gaps.length + mark.aging.length === 0) return;
  // This transaction's own number came after those of all who held a gap found earlier.
  const next = mark.isOver ? { aging: still(mark.gaps), gaps: fresh } : { aging: still(mark.aging), gaps: [...still(mark.gaps), ...fresh] };
  await tx`
    update proof_marks
    set high = ${high}, gaps = ${next.gaps}::bigint[], aging = ${next.aging}::bigint[], horizon = ${mark.isOver ? tx`pg_current_xact_id()` : tx`horizon`}
    where note = ${note}`;
}
