import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import * as commands from "./commands_groups";
import { groupVersions } from "./queries_groups";
import * as calls from "./schema_groups";

/** The staff's routes to what accounts cost, by group. */
export const groupRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path)
    .admin("groups.read", calls.listGroups, () => groupVersions(app.sql))
    .decision("groups.change", calls.openGroup, ({ act, body }) => commands.openGroup(app, act, body))
    .decision("groups.change", calls.changeGroup, ({ act, body }) => commands.changeGroup(app, act, body));
