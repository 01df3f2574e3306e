import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { id, idParams, listQuery, optionalText, text } from "../lib/shapes";
import type { User } from "./schema";

/** Who may be an administrator. Where there are two already, a third takes both. */

const statuses = ["pending", "confirmed", "declined", "lapsed"] as const;
/** Somebody whom one administrator wants to make another. `lapsed`: the person became one before anybody decided. */
export const roleRequestRow = v.strictObject({
  id: v.string(),
  userId: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  status: v.picklist(statuses),
  adminUserId: v.string(),
  administrator: v.string(),
  /** The role of staff that the person is to have. */
  staffRole: v.string(),
  reason: v.string(),
  decidedBy: v.nullable(v.string()),
  decisionReason: v.nullable(v.string()),
  decidedAt: v.nullable(v.string()),
  createdAt: v.string(),
});
export type RoleRequest = v.InferOutput<typeof roleRequestRow>;

/** The answer where a second administrator must agree. */
export type WaitingRole = { status: "pending_second_approval"; id: string; userId: string; staffRole: string; reason: string; createdAt: string };
export type DeclinedRole = { status: "declined"; id: string; userId: string; reason: string };

/** The id of a role of staff: one of the built-in ones, or of the house's own. */
export const roleId = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{1,39}$/, "staffRole must be the id of a role, such as support."));

/**
 * Makes an administrator of a role of staff (an owner, unless `staffRole` says which), gives an administrator another one, or takes the role
 * away. 202 where the person may do more than before and somebody beside the caller gives roles. Who becomes an administrator or ceases to
 * be one signs in anew. Refuses (conflict) the last active owner, and a new administrator whose password is too short; (forbidden) to give
 * what the caller may not do.
 */
export const changeRole = endpoint("POST /api/admin/users/:id/role", {
  params: idParams,
  body: v.pipe(
    v.object({
      role: v.picklist(["user", "admin"], "role must be user or admin"),
      staffRole: v.optional(v.nullable(roleId)),
      reason: text(500, "A reason is required"),
    }),
    v.forward(
      v.partialCheck([["role"], ["staffRole"]], ({ role, staffRole }) => role === "admin" || !staffRole, "A trader has no role of staff."),
      ["staffRole"],
    ),
  ),
  answer: answer<{ user: User } | WaitingRole>(),
});
export const listRoleRequests = endpoint("GET /api/admin/role-requests", {
  query: v.object({
    ...listQuery.entries,
    userId: v.optional(id),
    status: v.optional(v.picklist([...statuses, "all"], "status must be pending, confirmed, declined, lapsed or all"), "pending"),
  }),
  answer: answer<RoleRequest[]>(),
});
export const confirmRole = endpoint("POST /api/admin/role-requests/:id/confirm", { params: idParams, answer: answer<{ user: User }>() });
export const declineRoleBody = v.object({ reason: optionalText(500) });
export const declineRole = endpoint("POST /api/admin/role-requests/:id/decline", {
  params: idParams,
  body: declineRoleBody,
  answer: answer<DeclinedRole>(),
});
