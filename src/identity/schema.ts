import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import type { Outcome } from "../lib/outcome";
import { optionalCountry } from "../lib/countries";
import { line } from "../lib/line";
import { asFile, days, email, id, idParams, listQuery, optionalText, signInEmail, sortedBy, text, type SortOf } from "../lib/shapes";
import { assertion } from "./schema_assertion";

const PASSWORD = "Password must be at least 6 characters";

export const password = v.pipe(v.string(PASSWORD), v.minLength(6, PASSWORD), v.maxLength(200, "Password must be at most 200 characters"));
const reason = text(500, "A reason is required");

export const registerBody = v.object({
  firstName: line(100, "First name is required"),
  lastName: line(100, "Last name is required"),
  email,
  password,
  referralCode: optionalText(40),
  /** Where the person lives, by ISO 3166-1. */
  country: optionalCountry,
});
const CODE = "Enter the six digits from your authenticator app, or a recovery code.";
const written = v.pipe(
  v.string(CODE),
  v.maxLength(64, CODE),
  v.transform((text) => text.replace(/[\s-]/g, "")),
  // Nothing is what a form without scripts sends for a field that was left empty.
  v.regex(/^(?:[0-9]{6}|[A-Za-z2-7]{16}|)$/, CODE),
  v.transform((text) => text.toUpperCase()),
);
/** Six digits of the app or one of the recovery codes, however it was spaced. */
export const code = v.pipe(written, v.minLength(1, CODE));
/** Who has no second factor leaves the code out. */
export const loginBody = v.object({
  email: signInEmail,
  password,
  code: v.optional(written, ""),
  /** A passkey's answer, in the place of a code. */
  passkey: v.optional(assertion),
});

/** A person as every answer shows one: never the password, who approved, or why suspended. */
export const userRow = v.strictObject({
  id: v.string(),
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  profileImageUrl: v.nullable(v.string()),
  referralCode: v.string(),
  referredBy: v.nullable(v.string()),
  isEmailVerified: v.boolean(),
  registrationStatus: v.picklist(["pending", "approved", "rejected"]),
  approvedAt: v.nullable(v.string()),
  registrationSource: v.string(),
  accountBalance: v.string(),
  tradingBalance: v.string(),
  totalProfit: v.string(),
  creditScore: v.number(),
  riskLevel: v.string(),
  tradingExperience: v.string(),
  accountStatus: v.picklist(["active", "suspended", "banned"]),
  kycStatus: v.picklist(["pending", "verified", "rejected"]),
  isVip: v.boolean(),
  country: v.nullable(v.string()),
  role: v.picklist(["user", "admin"]),
  /** Which role of staff an administrator has, by its id; null for everybody else. */
  staffRole: v.nullable(v.string()),
  lastLoginAt: v.nullable(v.string()),
  suspendedUntil: v.nullable(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export type User = v.InferOutput<typeof userRow>;

export const sessionRow = v.strictObject({
  id: v.string(),
  current: v.boolean(),
  ip: v.string(),
  userAgent: v.string(),
  createdAt: v.string(),
  seenAt: v.string(),
  expiresAt: v.string(),
});
export type Session = v.InferOutput<typeof sessionRow>;

export const pendingRow = v.strictObject({
  id: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  createdAt: v.string(),
  registrationSource: v.string(),
});
export type PendingRegistration = v.InferOutput<typeof pendingRow>;

export const register = endpoint("POST /api/auth/register", { body: registerBody, answer: answer<{ user: User }>(), status: 201 });
export const login = endpoint("POST /api/auth/login", { body: loginBody, answer: answer<{ user: User }>() });
export const logout = endpoint("POST /api/auth/logout", {});
export const currentUser = endpoint("GET /api/auth/user", { answer: answer<User>() });
/** Who has a second factor gives its code too; without it the answer is `code_required`. */
export const confirm = endpoint("POST /api/auth/confirm", { body: v.object({ password, code: v.optional(written, "") }) });
export const changePassword = endpoint("POST /api/auth/password", {
  body: v.object({ currentPassword: password, newPassword: password, code: v.optional(written, "") }),
});
export const listSessions = endpoint("GET /api/auth/sessions", { answer: answer<Session[]>() });
export const endSession = endpoint("DELETE /api/auth/sessions/:id", { params: idParams });

const until = v.optional(
  v.nullable(
    v.pipe(
      v.string("suspendUntil must be a date and time with a zone"),
      v.isoTimestamp("suspendUntil must be a date and time with a zone"),
      v.check((at) => Date.parse(at) > Date.now() && Date.parse(at) < Date.now() + 100 * 366 * 86_400_000, "suspendUntil must be in the future"),
      v.transform((at) => new Date(at).toISOString()),
    ),
  ),
  null,
);
const userAnswer = answer<{ user: User }>();

/** What the list of people can be sorted by; a minus in front turns it round. */
const userSorts = ["created", "name", "email", "status", "kyc", "role", "balance"] as const;
export type UserSort = (typeof userSorts)[number];
export type UserOrder = SortOf<typeof userSorts>;

/** With `format=csv` the same people as a file, all of them. */
export const listUsers = endpoint("GET /api/admin/users", {
  query: v.object({
    ...listQuery.entries,
    ...sortedBy(userSorts, "-created"),
    ...asFile,
    q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
    status: v.optional(v.picklist(["all", "active", "suspended", "banned"], "status must be all, active, suspended or banned"), "all"),
    kyc: v.optional(v.picklist(["all", "pending", "verified", "rejected"], "kyc must be all, pending, verified or rejected"), "all"),
    /** By when they registered. */
    ...days,
  }),
  answer: answer<User[]>(),
});
/** A person as staff see one. */
export const memberRow = v.strictObject({
  ...userRow.entries,
  suspensionReason: v.nullable(v.string()),
  registrationReason: v.nullable(v.string()),
  approvedBy: v.nullable(v.string()),
  referrer: v.nullable(v.string()),
  longPassword: v.boolean(),
  twoFactor: v.boolean(),
  /** Since when its owner has it frozen. */
  frozenAt: v.nullable(v.string()),
});
export type Member = v.InferOutput<typeof memberRow>;
export const getMember = endpoint("GET /api/admin/users/:id", { params: idParams, answer: answer<Member>() });
export const listMemberSessions = endpoint("GET /api/admin/users/:id/sessions", { params: idParams, answer: answer<Session[]>() });
export const endMemberSession = endpoint("DELETE /api/admin/sessions/:id", { params: idParams });
/** The status that the decision was made on: if it is another by now, somebody was faster (conflict). */
const shown = v.optional(v.picklist(["active", "suspended", "banned"], "shown must be active, suspended or banned"));
export const suspendUser = endpoint("POST /api/admin/users/:id/suspend", {
  params: idParams,
  body: v.object({ reason, suspendUntil: until, shown }),
  answer: userAnswer,
});
export const activateUser = endpoint("POST /api/admin/users/:id/activate", {
  params: idParams,
  body: v.object({ reason: optionalText(500), shown }),
  answer: userAnswer,
});
export const banUser = endpoint("POST /api/admin/users/:id/ban", { params: idParams, body: v.object({ reason, shown }), answer: userAnswer });
export const decideKyc = endpoint("POST /api/admin/users/:id/kyc", {
  params: idParams,
  body: v.object({ status: v.picklist(["pending", "verified", "rejected"], "status must be pending, verified or rejected"), reason }),
  answer: userAnswer,
});
const pendingSorts = ["created"] as const;
export const listPendingRegistrations = endpoint("GET /api/admin/pending-registrations", {
  query: v.object({
    ...listQuery.entries,
    ...sortedBy(pendingSorts, "-created"),
    ...days,
    q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
  }),
  answer: answer<PendingRegistration[]>(),
});
export const nameBody = v.object({ firstName: line(100, "First name is required"), lastName: line(100, "Last name is required") });
/** The caller's own name, as clients and colleagues read it. 409 where another administrator has it. */
export const nameSelf = endpoint("POST /api/admin/name", { body: nameBody, answer: userAnswer });
const person = v.object({ userId: id });
export const approveRegistration = endpoint("POST /api/admin/approve-registration/:userId", { params: person, answer: userAnswer });
/** The people who were selected, each a transaction of its own; who can't be approved is answered with why, and stops none of the others. */
export const approveRegistrations = endpoint("POST /api/admin/registrations/approve", {
  once: true,
  body: v.object({
    ids: v.pipe(v.array(id, "ids must be a list"), v.minLength(1, "Select at least one person."), v.maxLength(100, "At most 100 people at once.")),
  }),
  answer: answer<Outcome<{ id: string }>[]>(),
});
export const rejectRegistration = endpoint("POST /api/admin/reject-registration/:userId", {
  params: person,
  body: v.object({ reason: optionalText(500) }),
  answer: userAnswer,
});
/** Takes the caller's own decision back within seconds; after that, or once the person has acted on it, 409. */
export const undoRegistration = endpoint("POST /api/admin/undo-registration/:userId", { params: person, answer: userAnswer });
