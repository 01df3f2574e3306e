import { csvFile } from "../platform/http/csv";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { doOrAsk } from "../identity/commands_signatures";
import * as commands from "./commands_groups";
import { groupDeeds, openOrAsk } from "./commands_signed";
import { previewSheet, takeSheet } from "./commands_group_sheet";
import { groupVersions } from "./queries_groups";
import { groupsOf, sheetCell } from "./rules_group_words";
import { SHEET_COLUMNS } from "./rules_groups";
import * as calls from "./schema_groups";

/** The staff's routes to what accounts cost, by group. */
export const groupRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path)
    .admin("groups.read", calls.listGroups, ({ query }) => (query.format === "csv" ? groupsFile(app) : groupVersions(app.sql)))
    .decision("groups.change", calls.openGroup, ({ act, body }) => openOrAsk(app, act, body))
    .decision("groups.change", calls.changeGroup, ({ act, body }) => {
      const { costs, margin } = groupDeeds(app);
      const asked = { body, reason: body.reason };
      return doOrAsk(app, act, costs, asked, () => doOrAsk(app, act, margin, asked, () => commands.changeGroup(app, act, body)));
    })
    .decision("groups.change", calls.previewGroupSheet, ({ act, body }) => previewSheet(app, act, body))
    .decision("groups.change", calls.takeGroupSheet, ({ act, body }) => takeSheet(app, act, body));

const groupsFile = (app: AppContext): Response =>
  csvFile<calls.GroupVersion>({
    name: "groups",
    most: 1000,
    columns: SHEET_COLUMNS.map(({ name, title }) => [title, (version) => sheetCell(version, name)] as const),
    rowsAfter: async (last) => (last ? [] : groupsOf(await groupVersions(app.sql)).map(({ newest }) => newest)),
  });
