import type { InferOutput } from "valibot";
import { fit } from "../lib/fit";
import { Refusal } from "../lib/refusal";
import type { previewBody, sheetBody, SheetChange, SheetPreview } from "../lib/sheet";
import type { Act, AppContext } from "../platform/app_context";
import type { Sql } from "../platform/database/db";
import * as sheets from "../platform/sheets";
import { changeGroupIn, openGroupIn } from "./commands_groups";
import { groupVersions } from "./queries_groups";
import { groupChanges, groupText } from "./rules_group_words";
import { SHEET_COLUMNS } from "./rules_groups";
import { groupBody, type GroupTerms, type GroupVersion, newGroupBody } from "./schema_groups";

/** All groups from a file. */

/** Does what a row says. Answers what that changes; null where it changes nothing. Refuses with the field. */
async function take(
  sql: Sql,
  act: Act,
  { number, cells }: sheets.SheetRow,
  now: GroupVersion | undefined,
  when: sheets.SheetWhen,
): Promise<SheetChange | null> {
  const told = ({ name, effectiveAt, appliesAt }: GroupTerms, lines: string[]): SheetChange => {
    const waits = effectiveAt !== null && Date.parse(effectiveAt) > Date.now();
    const change = { row: number, id: cells.id ?? "", name, isNew: !now, effectiveAt: waits ? effectiveAt : null, lines };
    return appliesAt === null ? change : { ...change, appliesAt };
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

const plan = (act: Act): sheets.SheetPlan => ({
  columns: SHEET_COLUMNS,
  one: "group",
  many: "groups",
  begin: async (sql) => {
    const newest = new Map((await groupVersions(sql)).toReversed().map((version) => [version.id, version]));
    return (part, row, when) => take(part, act, row, newest.get(row.cells.id ?? ""), when);
  },
});

/** What a file would change, by row, and what is wrong with it, by row and column. Nothing of it stays. */
export const previewSheet = (app: AppContext, act: Act, body: InferOutput<typeof previewBody>): Promise<SheetPreview> =>
  sheets.previewSheet(app.sql, plan(act), body);

/** Changes and opens what a file says, all of it or nothing: refuses (invalid) with each fault's row and column. */
export async function takeSheet(app: AppContext, act: Act, body: InferOutput<typeof sheetBody>): Promise<SheetPreview> {
  const done = await sheets.takeSheet(app.sql, plan(act), body);
  app.bus.publish("staff", { about: "setting" });
  app.bus.publish("personNews", {});
  return done;
}
