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
  reason: v.string(),
  decidedBy: v.nullable(v.string()),
  decisionReason: v.nullable(v.string()),
  decidedAt: v.nullable(v.string()),
  createdAt: v.string(),
});
export type RoleRequest = v.InferOutput<typeof roleRequestRow>;

/** The answer where a second administrator must agree. */
export type WaitingRole = { status: "pending_second_approval"; id: string; userId: string; reason: string; createdAt: string };
export type DeclinedRole = { status: "declined"; id: string; userId: string; reason: string };

/**
 * 202 where the person is to become an administrator and the caller is not the only one. The person signs in anew. Refuses (conflict) the
 * last active administrator, and a new one whose password is too short.
 */
export const changeRole = endpoint("POST /api/admin/users/:id/role", {
  params: idParams,
  body: v.object({ role: v.picklist(["user", "admin"], "role must be user or admin"), reason: text(500, "A reason is required") }),
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
