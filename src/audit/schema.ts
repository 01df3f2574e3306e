import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { listQuery } from "../lib/shapes";

const state = v.record(v.string(), v.unknown());

/** A staff deed as the audit book has it. Admin and target with their addresses; null where the deed concerned nobody. */
export const auditRow = v.strictObject({
  id: v.string(),
  action: v.string(),
  adminUserId: v.nullable(v.string()),
  admin: v.nullable(v.string()),
  targetUserId: v.nullable(v.string()),
  target: v.nullable(v.string()),
  targetName: v.nullable(v.string()),
  details: state,
  previousState: state,
  newState: state,
  reason: v.string(),
  ipAddress: v.string(),
  userAgent: v.string(),
  createdAt: v.string(),
});
export type AuditEntry = v.InferOutput<typeof auditRow>;

/** What deeds are about: an action begins with it (`deposit.approve`). */
export const auditSubjects = ["deposit", "withdrawal", "wallet", "user", "registration", "trade"] as const;

/** What the book's chain looks like, recomputed from its first entry. `faults` is empty in good times. */
export type AuditVerdict = { ok: boolean; entries: number; faults: AuditFault[] };
export type AuditFault = { id: string; problem: string };

export const auditTrail = endpoint("GET /api/admin/audit-trail", {
  query: v.object({
    ...listQuery.entries,
    q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
    /** One of `auditSubjects`, or any other that deeds come to have. */
    status: v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/, "status must be a subject, such as deposit.")), "all"),
  }),
  answer: answer<AuditEntry[]>(),
});
export const verifyAudit = endpoint("GET /api/admin/audit-trail/verify", { answer: answer<AuditVerdict>() });
