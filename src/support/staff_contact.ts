import { cursorOf } from "../lib/cursor";
import { paged } from "../platform/http/answer";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import * as commands from "./commands_contact";
import * as queries from "./queries_contact";
import * as calls from "./schema_contact";
import { contactFile } from "./staff_files";

/** The staff's routes to what visitors wrote. */
export const contactStaffRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path)
    .admin("support.read", calls.listContact, async ({ query, context }) =>
      query.format === "csv"
        ? contactFile(await app.reading(), query)
        : paged(context.headers, await queries.listContact(await app.reading(), query), query.limit, cursorOf),
    )
    .admin("support.answer", calls.decideContact, ({ act, params, body }) => commands.decideContactMessage(app, act, params.id, body.status, body.note ?? ""));
