import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { asFile, days, listQuery, sortedBy } from "../lib/shapes";

const state = v.record(v.string(), v.unknown());

/** A staff action as the audit book has it. Admin and target with their addresses; null where the action concerned nobody. */
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

/** What actions are about: an action begins with it (`deposit.approve`). */
export const auditSubjects = ["deposit", "withdrawal", "wallet", "user", "registration", "trade", "setting", "contact", "role", "signature"] as const;

/** What the book's chain looks like, recomputed from its first entry. `faults` is empty in good times. */
export type AuditVerdict = { ok: boolean; entries: number; faults: AuditFault[] };
type AuditFault = { id: string; problem: string };

const words = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), "");
/** With `format=csv` the same entries as a file, all of them. */
export const auditTrail = endpoint("GET /api/admin/audit-trail", {
  query: v.object({
    ...listQuery.entries,
    ...sortedBy(["created"] as const, "-created"),
    ...asFile,
    q: words,
    /** A part of the e-mail address, or the id, of the administrator and of the person concerned. */
    admin: words,
    target: words,
    /** An action by its name, such as `deposit.approve`. */
    action: v.optional(v.pipe(v.string(), v.regex(/^([a-z_]{1,30}(\.[a-z_]{1,30})?)?$/, "action must be one of the book's, such as deposit.approve.")), ""),
    /** Days in UTC, both included. */
    ...days,
    /** One of `auditSubjects`, or any other that actions come to have. */
    status: v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/, "status must be a subject, such as deposit.")), "all"),
  }),
  answer: answer<AuditEntry[]>(),
});
export const verifyAudit = endpoint("GET /api/admin/audit-trail/verify", { answer: answer<AuditVerdict>() });

/** What somebody of the staff, or somebody at a route of theirs, wanted and was refused. */
export const attemptRow = v.strictObject({
  id: v.string(),
  userId: v.string(),
  person: v.string(),
  role: v.picklist(["user", "admin"]),
  method: v.string(),
  path: v.string(),
  code: v.string(),
  reason: v.string(),
  ipAddress: v.string(),
  requestId: v.string(),
  createdAt: v.string(),
});
export type RefusedAttempt = v.InferOutput<typeof attemptRow>;

export const refusedAttempts = endpoint("GET /api/admin/refused-attempts", { query: listQuery, answer: answer<RefusedAttempt[]>() });
