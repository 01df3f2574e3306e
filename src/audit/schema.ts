import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { asFile, listQuery, sortedBy } from "../lib/shapes";

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
export const auditSubjects = ["deposit", "withdrawal", "wallet", "user", "registration", "trade", "setting", "contact"] as const;

/** What the book's chain looks like, recomputed from its first entry. `faults` is empty in good times. */
export type AuditVerdict = { ok: boolean; entries: number; faults: AuditFault[] };
type AuditFault = { id: string; problem: string };

const words = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), "");
const day = v.optional(v.union([v.literal(""), v.pipe(v.string(), v.isoDate())], "A day is written as 2026-11-21."), "");

/** With `format=csv` the same entries as a file, all of them. */
export const auditTrail = endpoint("GET /api/admin/audit-trail", {
  query: v.object({
    ...listQuery.entries,
    ...sortedBy(["created"] as const, "-created"),
    ...asFile,
    q: words,
    /** A part of the address, or the id, of who did it and of whom it concerned. */
    admin: words,
    target: words,
    /** A deed by its name, such as `deposit.approve`. */
    action: v.optional(v.pipe(v.string(), v.regex(/^([a-z_]{1,30}(\.[a-z_]{1,30})?)?$/, "action must be a deed, such as deposit.approve.")), ""),
    /** Days in UTC, both included. */
    from: day,
    to: day,
    /** One of `auditSubjects`, or any other that deeds come to have. */
    status: v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/, "status must be a subject, such as deposit.")), "all"),
  }),
  answer: answer<AuditEntry[]>(),
});
export const verifyAudit = endpoint("GET /api/admin/audit-trail/verify", { answer: answer<AuditVerdict>() });
