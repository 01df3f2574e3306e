import type { House } from "../platform/house";
import { Doors, type Visit } from "../platform/http";
import * as deeds from "./commands_corrections";
import * as queries from "./queries_corrections";
import * as calls from "./schema_corrections";
import type { Trading } from "./trading";

/** The doors of Trade Control: open positions of all accounts, disclosed corrections, and what traders object to. */
export function tradingStaffDoors(house: House, trading: Trading): Doors {
  const { sql } = house;
  const parts = { house, trading };

  const listed = <T extends { id: string; createdAt: string }>(list: T[], limit: number, visit: Visit) => {
    const last = list.at(-1);
    if (last && list.length === limit) visit.headers.set("X-Next-Cursor", queries.staffCursorOf(last));
    return list;
  };

  return new Doors(house)
    .admin(calls.staffPositions, async ({ query, visit }) => listed(await queries.staffPositionsOf(sql, query, trading.board()), query.limit, visit))
    .admin(calls.manipulations, async ({ query, visit }) => listed(await queries.manipulationsOf(sql, query), query.limit, visit))
    .admin(calls.listCorrections, async ({ query, visit }) => listed(await queries.correctionRequestsOf(sql, query, trading.board()), query.limit, visit))
    .admin(calls.listDisputes, async ({ query, visit }) => listed(await queries.disputesOf(sql, query), query.limit, visit))
    .admin(calls.forceWin, ({ act, params, body, visit }) => deeds.force(parts, act, params.id, body.profit, body.reason, visit.once))
    .admin(calls.forceLoss, ({ act, params, body, visit }) => deeds.force(parts, act, params.id, `-${body.loss}`, body.reason, visit.once))
    .admin(calls.confirmCorrection, ({ act, params, visit }) => deeds.confirm(parts, act, params.id, visit.once))
    .admin(calls.declineCorrection, ({ act, params, body, visit }) => deeds.decline(parts, act, params.id, body.reason ?? "", visit.once));
}
