import type { InferOutput } from "valibot";
import { csvLines } from "../lib/csv";
import { Refusal } from "../lib/refusal";
import type { previewBody, sheetBody, SheetChange, SheetFault, SheetPreview } from "../lib/sheet";
import { type Db, refusalOf, type Sql } from "./database/db";

/** A list taken from a file: what it would change is told before, and done as a whole or not at all. */

/** Cells by the names of their columns. Row 1 is the file's head. */
export type SheetRow = { number: number; cells: Record<string, string> };
export type SheetWhen = Pick<InferOutput<typeof sheetBody>, "reason" | "effectiveAt">;
/** Does what a row says, in a part of the transaction. Answers what that changes; null where it changes nothing. Refuses with the field. */
type TakeRow = (part: Sql, row: SheetRow, when: SheetWhen) => Promise<SheetChange | null>;
export type SheetPlan = {
  /** The first names the row. What the file has no column for stays as it was. */
  columns: readonly { name: string; title: string }[];
  one: string;
  many: string;
  /** Asks others than the database about a row, before the transaction. Refuses with the field. */
  look?: (row: SheetRow) => Promise<void>;
  /** Reads, in the transaction, what rows are compared with. */
  begin: (sql: Sql) => Promise<TakeRow>;
};

/** Lines of a file at most. */
const MOST = 200;

const titleOf = ({ columns }: SheetPlan, field: string) => columns.find(({ name }) => name === field.split(".")[0])?.title ?? field;
const keyOf = ({ columns: [key = { name: "", title: "" }] }: SheetPlan) => key;

/** The file's rows by field, and what is wrong with its head. */
function rowsIn(plan: SheetPlan, csv: string): { rows: SheetRow[]; faults: SheetFault[] } {
  const key = keyOf(plan);
  const [head = [], ...lines] = csvLines(csv);
  const names = head.map((title) => plan.columns.find((column) => column.title.toLowerCase() === title.toLowerCase())?.name);
  const faults: SheetFault[] = head.flatMap((title, at) => {
    if (names[at] === undefined) return [{ row: 1, column: title.slice(0, 40), message: "There is no such column." }];
    return names.indexOf(names[at]) < at ? [{ row: 1, column: title, message: "This column stands twice." }] : [];
  });
  if (!names.includes(key.name)) faults.push({ row: 1, column: key.title, message: "This column is missing." });
  if (lines.length === 0) faults.push({ row: 1, column: key.title, message: `The file has no ${plan.many}.` });
  if (lines.length > MOST) faults.push({ row: MOST + 2, column: key.title, message: `A file may have at most ${MOST} ${plan.many}.` });
  const rows = lines.slice(0, MOST).map((line, at) => ({
    number: at + 2,
    cells: Object.fromEntries(names.flatMap((name, n) => (name === undefined ? [] : [[name, line[n] ?? ""]]))),
  }));
  return { rows, faults };
}

/** What `work` refuses of a row, by column; else what it answers. */
async function faultsOf<T>(plan: SheetPlan, row: SheetRow, work: () => Promise<T>): Promise<{ done: T | null; faults: SheetFault[] }> {
  try {
    return { done: await work(), faults: [] };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal || ["deposed", "forbidden"].includes(refusal.code)) throw error;
    const fields = Object.entries(refusal.fields ?? { [refusal.code === "conflict" ? "version" : keyOf(plan).name]: refusal.message });
    return { done: null, faults: fields.map(([field, message]) => ({ row: row.number, column: titleOf(plan, field), message })) };
  }
}

/** Rows that can be taken as far as can be seen without the transaction, and what is wrong with the others. */
async function looked(plan: SheetPlan, csv: string): Promise<{ rows: SheetRow[]; faults: SheetFault[] }> {
  const { rows, faults } = rowsIn(plan, csv);
  if (faults.length > 0) return { rows: [], faults };
  const seen = new Set<string>();
  const good: SheetRow[] = [];
  for (const row of rows) {
    const id = row.cells[keyOf(plan).name] ?? "";
    const found = seen.has(id)
      ? [{ row: row.number, column: keyOf(plan).title, message: `This ${plan.one} stands twice.` }]
      : (await faultsOf(plan, row, async () => plan.look?.(row))).faults;
    faults.push(...found);
    if (found.length === 0) good.push(row);
    seen.add(id);
  }
  return { rows: good, faults };
}

type Savepoint = <T>(work: (part: Sql) => Promise<T>) => Promise<T>;
/** Takes each row in the transaction's own part, so that all that is wrong with the file is found. */
async function takeAll(plan: SheetPlan, sql: Sql, csv: { rows: SheetRow[]; faults: SheetFault[] }, when: SheetWhen): Promise<SheetPreview> {
  const changes: SheetChange[] = [];
  const faults = [...csv.faults];
  if (csv.rows.length === 0) return { changes, faults };
  const take = await plan.begin(sql);
  for (const row of csv.rows) {
    const taken = await faultsOf(plan, row, () => (sql as typeof sql & { savepoint: Savepoint }).savepoint((part) => take(part, row, when)));
    faults.push(...taken.faults);
    if (taken.done) changes.push(taken.done);
  }
  return { changes, faults: faults.toSorted((a, b) => a.row - b.row) };
}

/** Ends a transaction whose changes were only looked at. */
class Seen extends Error {
  constructor(readonly preview: SheetPreview) {
    super("seen");
  }
}

/** What a file would change, by row, and what is wrong with it, by row and column. Nothing of it stays. */
export async function previewSheet(sql: Db, plan: SheetPlan, { csv, effectiveAt }: InferOutput<typeof previewBody>): Promise<SheetPreview> {
  const rows = await looked(plan, csv);
  try {
    return await sql.begin(async (tx): Promise<SheetPreview> => {
      throw new Seen(await takeAll(plan, tx, rows, { effectiveAt, reason: "Only looked at" }));
    });
  } catch (error) {
    if (error instanceof Seen) return error.preview;
    throw error;
  }
}

/** Does what a file says, all of it or nothing: refuses (invalid) with each fault's row and column. */
export async function takeSheet(sql: Db, plan: SheetPlan, { csv, ...when }: InferOutput<typeof sheetBody>): Promise<SheetPreview> {
  const rows = await looked(plan, csv);
  return sql.begin(async (tx) => {
    const preview = await takeAll(plan, tx, rows, when);
    const [first] = preview.faults;
    if (first) {
      const fields = Object.fromEntries(preview.faults.map(({ row, column, message }) => [`${row}.${column}`, message]));
      throw new Refusal("invalid", `Row ${first.row}, ${first.column}: ${first.message}`, fields);
    }
    return preview;
  });
}
