import { auditFile } from "../audit/csv";
import { listAudit, verifyAudit } from "../audit/queries";
import * as audit from "../audit/schema";
import { usdRates } from "../funding/commands";
import { findMember } from "../identity/queries";
import { cursorOf } from "../lib/cursor";
import { found } from "../lib/refusal";
import type { Market } from "../market/market";
import type { House } from "../platform/house";
import { Doors, paged } from "../platform/http";
import * as deeds from "./commands";
import { countWaiting, forecastDeposit } from "./queries";
import * as desk from "./queries_desk";
import { overviewOf } from "./queries_overview";
import * as calls from "./schema";

/** The staff's doors to the audit book, to what waits, to what a decision would do, and to what they leave for each other. */
export const adminStaffDoors = (house: House, market: Market) =>
  new Doors(house)
    .admin(calls.waitingCounts, () => countWaiting(house.sql))
    .admin(calls.readOverview, () => overviewOf(house.sql))
    .admin(calls.depositForecast, ({ params }) => forecastDeposit(house.sql, params.id, usdRates(market)))
    .admin(calls.listClaims, () => desk.claims(house.sql))
    .admin(calls.claim, ({ act, body }) => deeds.claim(house, act, body.kind, body.objectId))
    .admin(calls.release, ({ act, params }) => deeds.release(house, act, params.id))
    .admin(calls.readSettings, () => desk.readSettings(house.sql))
    .admin(calls.changeSettings, ({ act, body }) => deeds.changeSettings(house, act, body))
    .admin(calls.listNotes, async ({ params, query, visit }) => {
      found(await findMember(house.sql, params.id));
      return paged(visit.headers, await desk.notesOf(house.sql, params.id, query), query.limit, cursorOf);
    })
    .admin(calls.writeNote, ({ act, params, body }) => deeds.writeNote(house, act, params.id, body.body))
    .admin(audit.auditTrail, async ({ query, visit }) =>
      query.format === "csv" ? auditFile(house.sql, query) : paged(visit.headers, await listAudit(house.sql, query), query.limit, ({ id }) => id),
    )
    .admin(audit.verifyAudit, () => verifyAudit(house.sql));
