import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { line } from "../lib/line";
import { idParams } from "../lib/shapes";
import type { User } from "./schema";
import { assertion, ODD, part, shared } from "./schema_assertion";

/** Passkeys: keys that a device holds, by which one signs in, or which stand in the place of a code. */

export const passkeyRow = v.strictObject({ id: v.string(), name: v.string(), createdAt: v.string(), usedAt: v.nullable(v.string()) });
export type Passkey = v.InferOutput<typeof passkeyRow>;

/** What a browser says of a new passkey (WebAuthn, section 5.1). */
const attestation = v.object({
  ...shared,
  response: v.object({
    clientDataJSON: part,
    attestationObject: part,
    transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z-]{1,20}$/, ODD)), ODD), v.maxLength(10, ODD)), []),
  }),
});

/** Opaque to all but the browser's own `navigator.credentials`. */
type Options = Record<string, unknown>;
const name = line(60, "Give it a name, such as the device's.");

export const listPasskeys = endpoint("GET /api/auth/passkeys", { answer: answer<{ offered: boolean; passkeys: Passkey[] }>() });
/** Needs a fresh proof (403 `password_required`), as adding and removing do. */
export const beginPasskey = endpoint("POST /api/auth/passkeys/options", { answer: answer<Options>() });
export const addPasskey = endpoint("POST /api/auth/passkeys", { body: v.object({ name, response: attestation }), answer: answer<Passkey>(), status: 201 });
export const renamePasskey = endpoint("PATCH /api/auth/passkeys/:id", {
  params: idParams,
  body: v.object({ name: v.optional(name) }),
  answer: answer<Passkey>(),
});
export const removePasskey = endpoint("DELETE /api/auth/passkeys/:id", { params: idParams });
/** What a device signs to sign in, or to prove who is there. */
export const askPasskey = endpoint("POST /api/auth/passkey/options", { answer: answer<Options>() });
export const loginByPasskey = endpoint("POST /api/auth/passkey/login", { body: v.object({ response: assertion }), answer: answer<{ user: User }>() });
export const askOwnPasskey = endpoint("POST /api/auth/confirm/passkey/options", { answer: answer<Options>() });
export const confirmByPasskey = endpoint("POST /api/auth/confirm/passkey", { body: v.object({ response: assertion }) });
