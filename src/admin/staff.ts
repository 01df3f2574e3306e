import { auditFile } from "../audit/csv";
import { listAttempts, listAudit, verifyAudit } from "../audit/queries";
import * as audit from "../audit/schema";
import { usdRates } from "../funding/commands";
import { findMember, peopleMeant } from "../identity/queries";
import { cursorOf } from "../lib/cursor";
import { found } from "../lib/refusal";
import type { Market } from "../market/market";
import type { Db } from "../platform/database/db";
import { csvFile } from "../platform/http/csv";
import type { AppContext } from "../platform/app_context";
import { Routes, paged } from "../platform/http/routes";
import type { Trading } from "../trading/trading";
import * as commands from "./commands";
import * as undo from "./commands_undo";
import { undoRegistration } from "../identity/schema";
import { forecastDeposit, forecastDeposits, waitingFor } from "./queries";
import * as panel from "./queries_panel";
import { daysOf, overviewOf } from "./queries_overview";
import { foundBy } from "./queries_search";
import * as calls from "./schema";
import * as search from "./schema_search";

/** The search answers so many of each kind. */
const EACH = 5;

/** The staff's routes to the audit book, to waiting requests, to a decision's forecast, and to what administrators share. */
export const adminStaffRoutes = (app: AppContext, market: Market, trading: Trading) =>
  new Routes(app, import.meta.path)
    .admin("panel.read", calls.waitingCounts, ({ me }) => waitingFor(app.sql, me))
    // A search looks at much: how many of one person's run is bounded, as for commands.
    .admin("panel.read", search.searchAll, ({ me, query }) => app.pace.keep(me.id, () => foundBy(app.sql, me, query.q, EACH)))
    .admin("overview.read", calls.readOverview, async ({ query }) =>
      query.format === "csv" ? daysFile(await app.reading()) : overviewOf(await app.reading(), (await trading.held("all")).exposure),
    )
    .admin("deposits.read", calls.depositForecast, ({ params }) => forecastDeposit(app.sql, params.id, usdRates(market)))
    .admin("deposits.read", calls.depositsForecast, ({ body }) => forecastDeposits(app.sql, body.ids, usdRates(market)))
    .admin("panel.read", calls.listClaims, () => panel.claims(app.sql))
    .admin("queues.work", calls.claim, ({ act, body }) => commands.claim(app, act, body.kind, body.objectId, body.idle))
    .admin("queues.work", calls.release, ({ act, params }) => commands.release(app, act, params.id))
    .admin("support.answer", calls.sayWriting, ({ me, body }) =>
      app.bus.publish("writing", { ...body, adminId: me.id, name: `${me.firstName} ${me.lastName}` }),
    )
    .admin("registrations.decide", undoRegistration, ({ act, params }) => undo.undoRegistration(app, act, params.userId))
    .admin("panel.read", calls.readSettings, () => panel.readSettings(app.sql))
    .decision("settings.change", calls.changeSettings, ({ act, body }) => commands.changeSettings(app, act, body))
    .admin("groups.read", calls.readNoticeHours, () => panel.noticeHours(app.sql))
    .decision("groups.change", calls.changeNoticeHours, ({ act, body }) => commands.changeNoticeHours(app, act, body))
    .admin("people.read", calls.listNotes, async ({ params, query, context }) => {
      found(await findMember(app.sql, params.id));
      return paged(context.headers, await panel.notesOf(app.sql, params.id, query), query.limit, cursorOf);
    })
    .admin("people.note", calls.writeNote, ({ act, params, body, context }) => commands.writeNote(app, act, params.id, body.body, context.idempotency))
    .admin("audit.read", audit.auditTrail, async ({ query, context }) =>
      query.format === "csv"
        ? auditFile(await app.reading(), query, peopleMeant)
        : paged(context.headers, await listAudit(await app.reading(), query, peopleMeant), query.limit, ({ id }) => id),
    )
    .admin("audit.read", audit.refusedAttempts, async ({ query, context }) =>
      paged(context.headers, await listAttempts(app.sql, query), query.limit, ({ id }) => id),
    )
    .admin("audit.read", audit.verifyAudit, () => verifyAudit(app.sql));

const daysFile = (sql: Db): Response =>
  csvFile<calls.Day>({
    name: "days",
    most: 100,
    columns: [
      ["Day (UTC)", (d) => d.day],
      ["Registrations", (d) => String(d.registrations)],
      ["Deposits (USD)", (d) => d.deposits],
      ["Withdrawals (USD)", (d) => d.withdrawals],
      ["Revenue (USD)", (d) => d.revenue],
    ],
    rowsAfter: (last) => (last ? Promise.resolve([]) : daysOf(sql)),
  });
