import type { InferOutput } from "valibot";
import { fit } from "../lib/fit";
import { Refusal } from "../lib/refusal";
import type { previewBody, sheetBody, SheetChange, SheetPreview } from "../lib/sheet";
import type { Act, AppContext } from "../platform/app_context";
import type { Sql } from "../platform/database/db";
import * as sheets from "../platform/sheets";
import { type Deed, refuseTwo } from "../identity/commands_signatures";
import { changeGroupIn, openGroupIn } from "./commands_groups";
import { groupDeeds } from "./commands_signed";
import { groupVersions } from "./queries_groups";
import { groupChanges, groupText } from "./rules_group_words";
import { SHEET_COLUMNS } from "./rules_groups";
import { groupBody, type GroupTerms, type GroupVersion, newGroupBody } from "./schema_groups";

/** All groups from a file. */

/** Does what a row says. Answers what that changes; null where it changes nothing. Refuses with the field. */
async function take(
  { sql, act, deeds }: { sql: Sql; act: Act; deeds: Deed<InferOutput<typeof groupBody>, GroupTerms>[] },
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
  if (lines.length === 0) return null;
  const asked = body.value as InferOutput<typeof groupBody>;
  for (const deed of deeds) await refuseTwo(sql, act, deed, asked);
  return told(await changeGroupIn(sql, act, asked), lines);
}

const plan = (app: AppContext, act: Act): sheets.SheetPlan => ({
  columns: SHEET_COLUMNS,
  one: "group",
  many: "groups",
  begin: async (sql) => {
    const newest = new Map((await groupVersions(sql)).toReversed().map((version) => [version.id, version]));
    const deeds = Object.values(groupDeeds(app));
    return (part, row, when) => take({ sql: part, act, deeds }, row, newest.get(row.cells.id ?? ""), when);
  },
});

/** What a file would change, by row, and what is wrong with it, by row and column. Nothing of it stays. */
export const previewSheet = (app: AppContext, act: Act, body: InferOutput<typeof previewBody>): Promise<SheetPreview> =>
  sheets.previewSheet(app.sql, plan(app, act), body);

/** Changes and opens what a file says, all of it or nothing: refuses (invalid) with each fault's row and column. */
export async function takeSheet(app: AppContext, act: Act, body: InferOutput<typeof sheetBody>): Promise<SheetPreview> {
  const done = await sheets.takeSheet(app.sql, plan(app, act), body);
  app.bus.publish("staff", { about: "setting" });
  app.bus.publish("personNews", {});
  return done;
}
