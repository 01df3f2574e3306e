import { listAudit, verifyAudit } from "../audit/queries";
import * as audit from "../audit/schema";
import { usdRates } from "../funding/commands";
import type { Market } from "../market/market";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { countWaiting, forecastDeposit } from "./queries";
import * as calls from "./schema";

/** The staff's doors to the audit book, to what waits, and to what a decision would do. */
export const adminStaffDoors = (house: House, market: Market) =>
  new Doors(house)
    .admin(calls.waitingCounts, () => countWaiting(house.sql))
    .admin(calls.depositForecast, ({ params }) => forecastDeposit(house.sql, params.id, usdRates(market)))
    .admin(audit.auditTrail, async ({ query, visit }) => {
      const entries = await listAudit(house.sql, query);
      const last = entries.at(-1);
      if (last && entries.length === query.limit) visit.headers.set("X-Next-Cursor", last.id);
      return entries;
    })
    .admin(audit.verifyAudit, () => verifyAudit(house.sql));
