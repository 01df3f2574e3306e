import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { id, idParams, listQuery, optionalText, text } from "../lib/shapes";

const EMAIL = "Please enter a valid email address";
const PASSWORD = "Password must be at least 6 characters";

/** Plain ASCII addresses: look-alike letters from other scripts can't pose as somebody else. */
const email = v.pipe(
  v.string(EMAIL),
  v.trim(),
  v.maxLength(254, EMAIL),
  v.regex(/^[a-zA-Z0-9.!#$%&*+/=?^_`{|}~-]{1,64}@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$/, EMAIL),
);
const password = v.pipe(v.string(PASSWORD), v.minLength(6, PASSWORD), v.maxLength(200, "Password must be at most 200 characters"));
const reason = text(500, "A reason is required");

export const registerBody = v.object({
  firstName: text(100, "First name is required"),
  lastName: text(100, "Last name is required"),
  email,
  password,
  referralCode: optionalText(40),
});
/** `admin@localhost`, made on a first start, is an address here though it could not register. */
export const loginBody = v.object({ email: v.union([email, v.literal("admin@localhost")], EMAIL), password });

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
  role: v.picklist(["user", "admin"]),
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
export const confirm = endpoint("POST /api/auth/confirm", { body: v.object({ password }) });
export const changePassword = endpoint("POST /api/auth/password", { body: v.object({ currentPassword: password, newPassword: password }) });
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

export const listUsers = endpoint("GET /api/admin/users", {
  query: v.object({
    ...listQuery.entries,
    q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
    status: v.optional(v.picklist(["all", "active", "suspended", "banned"], "status must be all, active, suspended or banned"), "all"),
  }),
  answer: answer<User[]>(),
});
export const suspendUser = endpoint("POST /api/admin/users/:id/suspend", {
  params: idParams,
  body: v.object({ reason, suspendUntil: until }),
  answer: userAnswer,
});
export const activateUser = endpoint("POST /api/admin/users/:id/activate", {
  params: idParams,
  body: v.object({ reason: optionalText(500) }),
  answer: userAnswer,
});
export const banUser = endpoint("POST /api/admin/users/:id/ban", { params: idParams, body: v.object({ reason }), answer: userAnswer });
export const decideKyc = endpoint("POST /api/admin/users/:id/kyc", {
  params: idParams,
  body: v.object({ status: v.picklist(["pending", "verified", "rejected"], "status must be pending, verified or rejected"), reason }),
  answer: userAnswer,
});
export const listPendingRegistrations = endpoint("GET /api/admin/pending-registrations", { answer: answer<PendingRegistration[]>() });
const person = v.object({ userId: id });
export const approveRegistration = endpoint("POST /api/admin/approve-registration/:userId", { params: person, answer: userAnswer });
export const rejectRegistration = endpoint("POST /api/admin/reject-registration/:userId", {
  params: person,
  body: v.object({ reason: optionalText(500) }),
  answer: userAnswer,
});
