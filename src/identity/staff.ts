import { cursorOf } from "../lib/cursor";
import { found } from "../lib/refusal";
import type { Db } from "../platform/database/db";
import type { AppContext } from "../platform/app_context";
import { csvFile } from "../platform/http/csv";
import { Reply, Routes, paged } from "../platform/http/routes";
import * as roles from "./commands_roles";
import { changeOwnRole, createStaffRole } from "./commands_staff";
import * as commands from "./commands_standing";
import { resetTwoFactor as resetFactor } from "./commands_two_factor";
import { releaseAccount as release } from "./commands_letters";
import { nameSelf } from "./commands_names";
import { findMember, listPending, listUsers, sessionsOf } from "./queries";
import { roleRequestsOf } from "./queries_roles";
import { staffRoles } from "./queries_staff";
import * as calls from "./schema";
import { changeRole, confirmRole, declineRole, listRoleRequests } from "./schema_roles";
import { changeStaffRole, createRole, listRoles } from "./schema_staff";
import { releaseAccount } from "./schema_letters";
import { resetTwoFactor } from "./schema_two_factor";

/** The staff's routes to people. */
export const identityStaffRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path)
    .admin("people.read", calls.listUsers, async ({ query, context }) =>
      query.format === "csv"
        ? peopleFile(await app.reading(), query)
        : paged(context.headers, await listUsers(await app.reading(), query), query.limit, cursorOf),
    )
    .admin("people.read", calls.getMember, async ({ params }) => found(await findMember(app.sql, params.id)))
    .admin("people.read", calls.listMemberSessions, ({ me, params }) => sessionsOf(app.sql, params.id, me.sessionId))
    .admin("people.secure", calls.endMemberSession, ({ act, params }) => commands.endSessionOf(app, act, params.id))
    .decision("roles.give", changeRole, async ({ act, params, body }) => {
      const done = await roles.changeRole(app, act, params.id, body.role === "admin" ? (body.staffRole ?? "owner") : null, body.reason);
      return "status" in done ? new Reply(202, done) : done;
    })
    .admin("roles.read", listRoles, () => staffRoles(app.sql))
    .decision("roles.change", createRole, ({ act, body }) => createStaffRole(app, act, body))
    .decision("roles.change", changeStaffRole, ({ act, body }) => changeOwnRole(app, act, body))
    .admin("roles.read", listRoleRequests, async ({ query, context }) => paged(context.headers, await roleRequestsOf(app.sql, query), query.limit, cursorOf))
    .decision("roles.give", confirmRole, ({ act, params }) => roles.confirmRole(app, act, params.id))
    .decision("roles.give", declineRole, ({ act, params, body }) => roles.declineRole(app, act, params.id, body.reason ?? ""))
    .admin("people.standing", calls.suspendUser, ({ act, params, body }) =>
      commands.suspend(app, act, params.id, body.reason, body.suspendUntil ?? null, body.shown),
    )
    .admin("people.standing", calls.activateUser, ({ act, params, body }) => commands.activate(app, act, params.id, body.reason ?? "", body.shown))
    .admin("people.standing", calls.banUser, ({ act, params, body }) => commands.ban(app, act, params.id, body.reason, body.shown))
    .admin("kyc.decide", calls.decideKyc, ({ act, params, body }) => commands.decideKyc(app, act, params.id, body.status, body.reason))
    .decision("people.secure", resetTwoFactor, ({ act, params, body }) => resetFactor(app, act, params.id, body.reason))
    .decision("people.secure", releaseAccount, ({ act, params, body }) => release(app, act, params.id, body.reason))
    .admin("people.read", calls.listPendingRegistrations, async ({ query, context }) =>
      paged(context.headers, await listPending(app.sql, query), query.limit, cursorOf),
    )
    .admin("registrations.decide", calls.approveRegistration, ({ act, params }) => commands.approveRegistration(app, act, params.userId))
    .admin("registrations.decide", calls.approveRegistrations, ({ act, body, context }) =>
      commands.approveRegistrations(app, act, body.ids, context.idempotency),
    )
    .admin("registrations.decide", calls.rejectRegistration, ({ act, params, body }) => commands.rejectRegistration(app, act, params.userId, body.reason ?? ""))
    .admin("panel.own", calls.nameSelf, ({ act, body }) => nameSelf(app, act, body));

const peopleFile = (sql: Db, filter: Omit<Parameters<typeof listUsers>[1], "limit" | "cursor">) =>
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
      ["Role", (user) => user.staffRole ?? user.role],
      ["Balance (USD)", (user) => user.accountBalance],
      ["Trading balance (USD)", (user) => user.tradingBalance],
      ["Total profit (USD)", (user) => user.totalProfit],
      ["Registered", (user) => user.createdAt],
      ["Last sign-in", (user) => user.lastLoginAt],
    ],
    rowsAfter: (last, limit) => listUsers(sql, { ...filter, limit, cursor: last && cursorOf(last) }),
  });
