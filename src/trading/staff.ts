import { cursorOf, type Placed } from "../lib/cursor";
import type { House } from "../platform/house";
import { shared } from "../lib/shared";
import { Doors, paged, type Visit } from "../platform/http";
import * as deeds from "./commands_corrections";
import * as queries from "./queries_corrections";
import { exposureOf, nearestToStopOut, staffPositionsOf } from "./queries_staff";
import * as calls from "./schema_corrections";
import { correctionsFile, disputesFile, positionsFile, requestsFile } from "./staff_files";
import type { Trading } from "./trading";

/** So many accounts are shown of those that may be stopped out. */
export const NEAREST = 6;
/** Sums over the whole book are worked out once for every administrator who looks within so many ms. */
const SHARED_MS = 1500;

/** The doors of Trade Control: open positions of all accounts, disclosed corrections, and what traders object to. */
export function tradingStaffDoors(house: House, trading: Trading): Doors {
  const { sql } = house;
  const parts = { house, trading };

  const listed = <T extends Placed>(list: T[], limit: number, visit: Visit) => paged(visit.headers, list, limit, cursorOf);

  const exposure = shared(SHARED_MS, (account: calls.BookChoice) => exposureOf(sql, account, trading.board()));
  const nearest = shared(SHARED_MS, (account: calls.BookChoice) => nearestToStopOut(sql, account, NEAREST, trading.board()));

  return new Doors(house)
    .admin(calls.staffPositions, async ({ query, visit }) =>
      query.format === "csv" ? positionsFile(sql, trading, query) : listed(await staffPositionsOf(sql, query, trading.board()), query.limit, visit),
    )
    .admin(calls.listExposure, ({ query }) => exposure(query.account))
    .admin(calls.nearStopOut, ({ query }) => nearest(query.account))
    .admin(calls.manipulations, async ({ query, visit }) =>
      query.format === "csv" ? correctionsFile(sql, query) : listed(await queries.manipulationsOf(sql, query), query.limit, visit),
    )
    .admin(calls.listCorrections, async ({ query, visit }) =>
      query.format === "csv" ? requestsFile(sql, trading, query) : listed(await queries.correctionRequestsOf(sql, query, trading.board()), query.limit, visit),
    )
    .admin(calls.listDisputes, async ({ query, visit }) =>
      query.format === "csv" ? disputesFile(sql, query) : listed(await queries.disputesOf(sql, query), query.limit, visit),
    )
    .admin(calls.forceWin, ({ act, params, body, visit }) => deeds.force(parts, act, params.id, body.profit, body.reason, visit.once))
    .admin(calls.forceLoss, ({ act, params, body, visit }) => deeds.force(parts, act, params.id, `-${body.loss}`, body.reason, visit.once))
    .admin(calls.confirmCorrection, ({ act, params, visit }) => deeds.confirm(parts, act, params.id, visit.once))
    .admin(calls.declineCorrection, ({ act, params, body, visit }) => deeds.decline(parts, act, params.id, body.reason ?? "", visit.once));
}
