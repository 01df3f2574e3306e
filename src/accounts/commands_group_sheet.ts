import type { InferOutput } from "valibot";
import { csvLines } from "../lib/csv";
import { fit } from "../lib/fit";
import { Refusal } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import { refusalOf, type Sql } from "../platform/database/db";
import { changeGroupIn, openGroupIn } from "./commands_groups";
import { groupVersions } from "./queries_groups";
import { groupChanges, groupText } from "./rules_group_words";
import { SHEET_COLUMNS } from "./rules_groups";
import {
  groupBody,
  type GroupTerms,
  type GroupVersion,
  newGroupBody,
  type previewBody,
  type sheetBody,
  type SheetChange,
  type SheetFault,
  type SheetPreview,
} from "./schema_groups";

/** All groups from a file: what it would change is told before, and done as a whole or not at all. */

type When = Pick<InferOutput<typeof sheetBody>, "reason" | "effectiveAt">;
type Row = { number: number; cells: Record<string, string> };
/** Lines of a file at most. */
const MOST = 200;

const titleOf = (field: string) => SHEET_COLUMNS.find(({ name }) => name === field.split(".")[0])?.title ?? field;

/** The file's rows by field, and what is wrong with its head. */
function rowsIn(csv: string): { rows: Row[]; faults: SheetFault[] } {
  const [head = [], ...lines] = csvLines(csv);
  const names = head.map((title) => SHEET_COLUMNS.find((column) => column.title.toLowerCase() === title.toLowerCase())?.name);
  const faults: SheetFault[] = head.flatMap((title, at) => {
    if (names[at] === undefined) return [{ row: 1, column: title.slice(0, 40), message: "There is no such column." }];
    return names.indexOf(names[at]) < at ? [{ row: 1, column: title, message: "This column stands twice." }] : [];
  });
  if (!names.includes("id")) faults.push({ row: 1, column: "Group", message: "This column is missing." });
  if (lines.length === 0) faults.push({ row: 1, column: "Group", message: "The file has no groups." });
  if (lines.length > MOST) faults.push({ row: MOST + 2, column: "Group", message: `A file may have at most ${MOST} groups.` });
  const rows = lines.slice(0, MOST).map((line, at) => ({
    number: at + 2,
    cells: Object.fromEntries(names.flatMap((name, n) => (name === undefined ? [] : [[name, line[n] ?? ""]]))),
  }));
  return { rows, faults };
}

/** Does what a row says. Answers what that changes; null where it changes nothing. Refuses with the field. */
async function take(sql: Sql, act: Act, { number, cells }: Row, now: GroupVersion | undefined, when: When): Promise<SheetChange | null> {
  const told = ({ name, effectiveAt }: GroupTerms, lines: string[]): SheetChange => {
    const waits = effectiveAt !== null && Date.parse(effectiveAt) > Date.now();
    return { row: number, id: cells.id ?? "", name, isNew: !now, effectiveAt: waits ? effectiveAt : null, lines };
  };
  const said = { ...cells, effectiveAt: when.effectiveAt, reason: when.reason };
  const body = now ? fit(groupBody, said) : fit(newGroupBody, said);
  if (!body.ok) throw new Refusal("invalid", "The row can't be read.", body.fields);
  if (!now) {
    const opened = await openGroupIn(sql, act, body.value as InferOutput<typeof newGroupBody>);
    return told(opened, [groupText(opened)]);
  }
  const lines = groupChanges(now, cells);
  return lines.length === 0 ? null : told(await changeGroupIn(sql, act, body.value as InferOutput<typeof groupBody>), lines);
}
/** Takes each row in the transaction's own part, so that all that is wrong with the file is found. */
async function takeAll(sql: Sql, act: Act, csv: string, when: When): Promise<SheetPreview> {
  const { rows, faults } = rowsIn(csv);
  const changes: SheetChange[] = [];
  if (faults.length > 0) return { changes, faults };
  const newest = new Map((await groupVersions(sql)).toReversed().map((version) => [version.id, version]));
  const seen = new Set<string>();
  for (const row of rows) {
    const id = row.cells.id ?? "";
    if (seen.has(id)) faults.push({ row: row.number, column: titleOf("id"), message: "This group stands twice." });
    else
      try {
        const change = await (sql as typeof sql & { savepoint: Savepoint }).savepoint((part) => take(part, act, row, newest.get(id), when));
        if (change) changes.push(change);
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal || ["deposed", "forbidden"].includes(refusal.code)) throw error;
        const fields = Object.entries(refusal.fields ?? { [refusal.code === "conflict" ? "version" : "id"]: refusal.message });
        for (const [field, message] of fields) faults.push({ row: row.number, column: titleOf(field), message });
      }
    seen.add(id);
  }
  return { changes, faults };
}
type Savepoint = <T>(work: (part: Sql) => Promise<T>) => Promise<T>;

/** Ends a transaction whose changes were only looked at. */
class Seen extends Error {
  constructor(readonly preview: SheetPreview) {
    super("seen");
  }
}

/** What a file would change, by row, and what is wrong with it, by row and column. Nothing of it stays. */
export async function previewSheet(app: AppContext, act: Act, { csv, effectiveAt }: InferOutput<typeof previewBody>): Promise<SheetPreview> {
  try {
    return await app.sql.begin(async (tx): Promise<SheetPreview> => {
      throw new Seen(await takeAll(tx, act, csv, { effectiveAt, reason: "Only looked at" }));
    });
  } catch (error) {
    if (error instanceof Seen) return error.preview;
    throw error;
  }
}

/** Changes and opens what a file says, all of it or nothing: refuses (invalid) with each fault's row and column. */
export async function takeSheet(app: AppContext, act: Act, { csv, ...when }: InferOutput<typeof sheetBody>): Promise<SheetPreview> {
  const done = await app.sql.begin(async (tx) => {
    const preview = await takeAll(tx, act, csv, when);
    const [first] = preview.faults;
    if (first) {
      const fields = Object.fromEntries(preview.faults.map(({ row, column, message }) => [`${row}.${column}`, message]));
      throw new Refusal("invalid", `Row ${first.row}, ${first.column}: ${first.message}`, fields);
    }
    return preview;
  });
  app.bus.publish("staff", { about: "setting" });
  app.bus.publish("personNews", {});
  return done;
}
