import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { idParams, text } from "../lib/shapes";
import { code, loginBody, type User } from "./schema";

const { password } = loginBody.entries;
export const codeBody = v.object({ code });
export const passwordBody = v.object({ password });
export const provenBody = v.object({ password, code });
/** `since` is when it was set up; null where it is off. */
export const twoFactorState = v.strictObject({ since: v.nullable(v.string()), recoveryCodes: v.number() });
export type TwoFactorState = v.InferOutput<typeof twoFactorState>;

/** For an authenticator app: the secret in base 32, and the address in its QR code. */
export type Setup = { secret: string; address: string };
export type RecoveryCodes = { recoveryCodes: string[] };

export const readTwoFactor = endpoint("GET /api/auth/two-factor", { answer: answer<TwoFactorState>() });
/** Begins anew with another secret; what is on stays on, so then it refuses (conflict). */
export const beginTwoFactor = endpoint("POST /api/auth/two-factor", { body: passwordBody, answer: answer<Setup>() });
export const confirmTwoFactor = endpoint("POST /api/auth/two-factor/confirm", { body: codeBody, answer: answer<RecoveryCodes>() });
export const renewRecoveryCodes = endpoint("POST /api/auth/two-factor/recovery-codes", { body: provenBody, answer: answer<RecoveryCodes>() });
export const endTwoFactor = endpoint("POST /api/auth/two-factor/off", { body: provenBody });
/** For a person who lost phone and recovery codes; the person signs in anew, by password alone. */
export const resetTwoFactor = endpoint("POST /api/admin/users/:id/two-factor/reset", {
  params: idParams,
  body: v.object({ reason: text(500, "A reason is required") }),
  answer: answer<{ user: User }>(),
});
