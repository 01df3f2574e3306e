import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { idParams, moneyAmount, optionalText, text, versionSeen } from "../lib/shapes";

/** Deeds that take a second person. */

/** Those that the house switches on and off; `correction`, `role` and `rules` always take two (within their own bounds). */
export const ruledDeeds = ["deposit", "withdrawal", "wallet", "compliance", "erase", "costs", "margin", "promotion"] as const;
export type RuledDeed = (typeof ruledDeeds)[number];
export const signedDeeds = [...ruledDeeds, "correction", "role", "rules"] as const;
export type SignedDeed = (typeof signedDeeds)[number];
/** Of these the rule begins above an amount in USD. */
export const measuredDeeds: readonly SignedDeed[] = ["deposit", "withdrawal"];

const statuses = ["pending", "signed", "declined", "withdrawn", "expired", "lapsed"] as const;
const state = v.record(v.string(), v.unknown());
/**
 * A deed that waits, or waited, for its second signature, with what it would change. `withdrawn`: who asked took it back. `expired`: nobody signed
 * within a day. `lapsed`: what it was about came about otherwise.
 */
export const signatureRow = v.strictObject({
  id: v.string(),
  deed: v.picklist(signedDeeds),
  status: v.picklist(statuses),
  title: v.string(),
  /** What one must be allowed to sign it. */
  permission: v.string(),
  adminUserId: v.string(),
  administrator: v.string(),
  userId: v.nullable(v.string()),
  reason: v.string(),
  before: state,
  after: state,
  createdAt: v.string(),
  expiresAt: v.nullable(v.string()),
  decidedBy: v.nullable(v.string()),
  decisionReason: v.nullable(v.string()),
  decidedAt: v.nullable(v.string()),
});
export type Signature = v.InferOutput<typeof signatureRow>;

/** The answer (202) where a second person must sign. */
export type WaitingSignature = { status: "pending_second_approval"; id: string; deed: SignedDeed; title: string; createdAt: string; expiresAt: string };
/** Whether a call's answer is that it waits. */
export const isWaiting = (done: object): done is WaitingSignature => "status" in done && done.status === "pending_second_approval";

/** What waits, or waited, of all kinds in one list; the newest first, 100 at most. Shown is what the reader may see. */
export const listSignatures = endpoint("GET /api/admin/signatures", {
  query: v.object({
    status: v.optional(v.picklist([...statuses, "all"], "status must be pending, signed, declined, withdrawn, expired, lapsed or all"), "pending"),
  }),
  answer: answer<Signature[]>(),
});
/** The second person's yes: the deed is done, and answered as it would have been at first. 403 for who asked; 409 for what is decided or over. */
export const signDeed = endpoint("POST /api/admin/signatures/:id/sign", { params: idParams, answer: answer<object>() });
export const declineBody = v.object({ reason: optionalText(500) });
/** The second person's no; of who asked, that it is taken back, where it is no role and no correction. 409 for what is decided or over. */
export const declineDeed = endpoint("POST /api/admin/signatures/:id/decline", {
  params: idParams,
  body: declineBody,
  answer: answer<{ status: "declined"; id: string; reason: string }>(),
});

/** What takes two. `signers`: how many active people may sign such a deed; where there is one alone, that person decides alone. */
export type SignatureRule = { deed: SignedDeed; isOn: boolean; above: string | null; fixed: boolean; signers: number; version: string };
export const listSignatureRules = endpoint("GET /api/admin/signature-rules", { answer: answer<SignatureRule[]>() });
const rule = v.object({
  deed: v.picklist(ruledDeeds, `deed must be one of ${ruledDeeds.join(", ")}`),
  isOn: v.boolean("isOn must be true or false"),
  above: v.optional(v.nullable(v.union([v.picklist([0, "0", "0.00"]), moneyAmount("Amount is required")], "above must be an amount in USD")), null),
  version: versionSeen,
});
/**
 * Sets the rules that are named. Takes a second signature itself, where there are two who may. `version`: the one that was looked at; where it is
 * another by now, nothing changes (conflict).
 */
export const setSignatureRules = endpoint("PUT /api/admin/signature-rules", {
  body: v.object({
    rules: v.pipe(v.array(rule, "rules must be a list"), v.minLength(1, "Name a rule."), v.maxLength(10)),
    reason: text(500, "A reason is required"),
  }),
  answer: answer<SignatureRule[] | WaitingSignature>(),
});
