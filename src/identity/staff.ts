import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import * as deeds from "./commands_standing";
import { listPending, listUsers } from "./queries";
import * as calls from "./schema";

/** The staff's doors to people. */
export const identityStaffDoors = (house: House) =>
  new Doors(house)
    .admin(calls.listUsers, async ({ query, visit }) => {
      const users = await listUsers(house.sql, query);
      const last = users.at(-1);
      if (last && users.length === query.limit) visit.headers.set("X-Next-Cursor", `${last.createdAt}_${last.id}`);
      return users;
    })
    .admin(calls.suspendUser, ({ act, params, body }) => deeds.suspend(house, act, params.id, body.reason, body.suspendUntil ?? null))
    .admin(calls.activateUser, ({ act, params, body }) => deeds.activate(house, act, params.id, body.reason ?? ""))
    .admin(calls.banUser, ({ act, params, body }) => deeds.ban(house, act, params.id, body.reason))
    .admin(calls.decideKyc, ({ act, params, body }) => deeds.decideKyc(house, act, params.id, body.status, body.reason))
    .admin(calls.listPendingRegistrations, () => listPending(house.sql))
    .admin(calls.approveRegistration, ({ act, params }) => deeds.approveRegistration(house, act, params.userId))
    .admin(calls.rejectRegistration, ({ act, params, body }) => deeds.rejectRegistration(house, act, params.userId, body.reason ?? ""));
