import { found } from "../lib/refusal";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { takeNext } from "./commands";
import * as commands from "./commands_queues";
import { evidenceOf, filtersOf, snoozes } from "./queries_queues";
import * as calls from "./schema_queues";

/** The staff's routes to what their queues know beside the rows. */
export const queueStaffRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path)
    .admin("people.read", calls.evidence, async ({ params }) => found(await evidenceOf(app.sql, params.kind, params.id)))
    .admin("panel.read", calls.listSnoozes, () => snoozes(app.sql))
    .admin("queues.work", calls.snooze, ({ act, body }) => commands.snooze(app, act, body.kind, body.objectId, body.until))
    .admin("queues.work", calls.unsnooze, ({ act, params }) => commands.unsnooze(app, act, params.id))
    .admin("support.answer", calls.takeNext, ({ act, body }) => takeNext(app, act, body))
    .admin("panel.read", calls.listFilters, ({ me, query }) => filtersOf(app.sql, me.id, query.queue))
    .admin("panel.own", calls.saveFilter, ({ act, body }) => commands.saveFilter(app, act, body))
    .admin("panel.own", calls.deleteFilter, ({ act, params }) => commands.deleteFilter(app, act, params.id));
