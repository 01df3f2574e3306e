import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { email, idParams, signInEmail, text } from "../lib/shapes";
import { confirm, loginBody, password, type User } from "./schema";

/** The ways that begin or go on by letter. A token that is unknown, used or expired is refused in one sentence (404 `link_over`). */

const TOKEN = "This link was not copied whole.";
const token = v.pipe(v.string(TOKEN), v.minLength(1, TOKEN), v.maxLength(200, TOKEN));
export const tokenBody = v.object({ token });
export const forgotBody = v.object({ email: signInEmail });
export const resetBody = v.object({ token, password });
/** The new address, and who asks for it: as for any change of how one signs in. */
export const emailBody = v.object({ email, password: loginBody.entries.password, code: confirm.body.entries.code });

/** Always 204: it tells nobody who is registered. */
export const forgot = endpoint("POST /api/auth/forgot", { body: forgotBody });
export const reset = endpoint("POST /api/auth/reset", { body: resetBody });
export const verifyEmail = endpoint("POST /api/auth/verify-email", { body: tokenBody, answer: answer<{ user: User }>() });
export const sendVerification = endpoint("POST /api/auth/verify-email/send", {});
/** `pending`: the new address counts once it is confirmed; without a mail server it counts at once. */
export const changeEmail = endpoint("POST /api/auth/email", { body: emailBody, answer: answer<{ pending: boolean }>() });
export const takeBackEmail = endpoint("POST /api/auth/take-back-email", { body: tokenBody });
export const freeze = endpoint("POST /api/auth/freeze", { body: tokenBody });
export const releaseAccount = endpoint("POST /api/admin/users/:id/release", {
  params: idParams,
  body: v.object({ reason: text(500, "A reason is required") }),
  answer: answer<{ user: User }>(),
});
