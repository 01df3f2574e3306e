import { cursorOf, type Placed } from "../lib/cursor";
import type { AppContext } from "../platform/app_context";
import { Routes, paged, type RequestContext } from "../platform/http/routes";
import * as commands from "./commands_corrections";
import { setExposureLimit } from "./commands_limits";
import { setLimit } from "./schema_limits";
import { reviewException as review } from "./commands_exceptions";
import { exceptionsOf } from "./queries_exceptions";
import * as queries from "./queries_corrections";
import { staffPositionsOf } from "./queries_staff";
import * as calls from "./schema_corrections";
import { listExceptions, reviewException } from "./schema_exceptions";
import { correctionsFile, disputesFile, exceptionsFile, positionsFile, requestsFile } from "./staff_files";
import type { Trading } from "./trading";

/** The routes of Trade Control: open positions of all accounts, disclosed corrections, and what traders object to. */
export function tradingStaffRoutes(app: AppContext, trading: Trading): Routes {
  const parts = { app, trading };

  const listed = <T extends Placed>(list: T[], limit: number, context: RequestContext) => paged(context.headers, list, limit, cursorOf);

  return new Routes(app, import.meta.path)
    .admin("trades.read", calls.staffPositions, async ({ me, query, context }) =>
      query.format === "csv"
        ? positionsFile(await app.reading(), trading, query)
        : listed(await staffPositionsOf(await app.reading(), { ...query, by: me.id }, trading.board()), query.limit, context),
    )
    .admin("trades.read", calls.listExposure, async ({ query }) => (await trading.held(query.account)).exposure)
    .admin("limits.change", setLimit, ({ act, body }) => setExposureLimit(app, act, body.symbol, body.limit))
    .admin("trades.read", calls.nearStopOut, async ({ query }) => (await trading.held(query.account)).nearest)
    .admin("trades.read", calls.manipulations, async ({ query, context }) =>
      query.format === "csv"
        ? correctionsFile(await app.reading(), query)
        : listed(await queries.manipulationsOf(await app.reading(), query), query.limit, context),
    )
    .admin("trades.read", calls.listCorrections, async ({ query, context }) =>
      query.format === "csv"
        ? requestsFile(await app.reading(), trading, query)
        : listed(await queries.correctionRequestsOf(await app.reading(), query, trading.board()), query.limit, context),
    )
    .admin("trades.read", calls.listDisputes, async ({ query, context }) =>
      query.format === "csv" ? disputesFile(await app.reading(), query) : listed(await queries.disputesOf(await app.reading(), query), query.limit, context),
    )
    .admin("trades.read", listExceptions, async ({ query, context }) =>
      query.format === "csv" ? exceptionsFile(await app.reading(), query) : listed(await exceptionsOf(await app.reading(), query), query.limit, context),
    )
    .admin("trades.review", reviewException, ({ act, params, body }) => review(app, act, params.id, body.note))
    .decision("trades.correct", calls.forceWin, ({ act, params, body, context }) =>
      commands.force(parts, act, params.id, body.profit, body.reason, context.idempotency),
    )
    .decision("trades.correct", calls.forceLoss, ({ act, params, body, context }) =>
      commands.force(parts, act, params.id, `-${body.loss}`, body.reason, context.idempotency),
    )
    .decision("trades.correct", calls.confirmCorrection, ({ act, params, context }) => commands.confirm(parts, act, params.id, context.idempotency))
    .decision("trades.correct", calls.declineCorrection, ({ act, params, body, context }) =>
      commands.decline(parts, act, params.id, body.reason ?? "", context.idempotency),
    );
}
