import { cursorOf } from "../lib/cursor";
import { found } from "../lib/refusal";
import type { Db } from "../platform/db";
import type { House } from "../platform/house";
import { csvFile } from "../platform/csv";
import { Doors, paged } from "../platform/http";
import * as deeds from "./commands_standing";
import { resetTwoFactor as resetFactor } from "./commands_two_factor";
import { findMember, listPending, listUsers, sessionsOf } from "./queries";
import * as calls from "./schema";
import { resetTwoFactor } from "./schema_two_factor";

/** The staff's doors to people. */
export const identityStaffDoors = (house: House) =>
  new Doors(house)
    .admin(calls.listUsers, async ({ query, visit }) =>
      query.format === "csv" ? peopleFile(house.sql, query) : paged(visit.headers, await listUsers(house.sql, query), query.limit, cursorOf),
    )
    .admin(calls.getMember, async ({ params }) => found(await findMember(house.sql, params.id)))
    .admin(calls.listMemberSessions, ({ me, params }) => sessionsOf(house.sql, params.id, me.sessionId))
    .admin(calls.endMemberSession, ({ act, params }) => deeds.endSessionOf(house, act, params.id))
    .admin(calls.changeRole, ({ act, params, body }) => deeds.changeRole(house, act, params.id, body.role, body.reason))
    .admin(calls.suspendUser, ({ act, params, body }) => deeds.suspend(house, act, params.id, body.reason, body.suspendUntil ?? null, body.shown))
    .admin(calls.activateUser, ({ act, params, body }) => deeds.activate(house, act, params.id, body.reason ?? "", body.shown))
    .admin(calls.banUser, ({ act, params, body }) => deeds.ban(house, act, params.id, body.reason, body.shown))
    .admin(calls.decideKyc, ({ act, params, body }) => deeds.decideKyc(house, act, params.id, body.status, body.reason))
    .admin(resetTwoFactor, ({ act, params, body }) => resetFactor(house, act, params.id, body.reason))
    .admin(calls.listPendingRegistrations, () => listPending(house.sql))
    .admin(calls.approveRegistration, ({ act, params }) => deeds.approveRegistration(house, act, params.userId))
    .admin(calls.rejectRegistration, ({ act, params, body }) => deeds.rejectRegistration(house, act, params.userId, body.reason ?? ""));

const peopleFile = (sql: Db, filter: { q: string; status: string; sort: calls.UserOrder }) =>
  csvFile<calls.User>({
    name: "users",
    most: 200_000,
    columns: [
      ["ID", (user) => user.id],
      ["First name", (user) => user.firstName],
      ["Last name", (user) => user.lastName],
      ["Email", (user) => user.email],
      ["Account status", (user) => user.accountStatus],
      ["Suspended until", (user) => user.suspendedUntil],
      ["Registration", (user) => user.registrationStatus],
      ["KYC status", (user) => user.kycStatus],
      ["Role", (user) => user.role],
      ["Balance (USD)", (user) => user.accountBalance],
      ["Trading balance (USD)", (user) => user.tradingBalance],
      ["Total profit (USD)", (user) => user.totalProfit],
      ["Registered", (user) => user.createdAt],
      ["Last sign-in", (user) => user.lastLoginAt],
    ],
    rowsAfter: (last, limit) => listUsers(sql, { ...filter, limit, cursor: last && cursorOf(last) }),
  });
