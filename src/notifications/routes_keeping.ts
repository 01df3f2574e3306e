import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { keep, keepingOf } from "./commands_keeping";
import { readKeeping, setKeeping } from "./schema_keeping";

/** Whether and how somebody keeps the public log's checkpoint. */
export const keepingRoutes = (app: AppContext): Routes =>
  new Routes(app, import.meta.path).user(readKeeping, ({ me }) => keepingOf(app.sql, me.id)).user(setKeeping, ({ me, body }) => keep(app.sql, me.id, body));
