import * as v from "valibot";

/** What a browser says of a passkey (WebAuthn), as it travels. */

export const ODD = "The passkey's answer could not be read.";
/** A piece in base64url. */
export const part = v.pipe(v.string(ODD), v.regex(/^[A-Za-z0-9_-]{0,8000}$/, ODD));
/** What each answer of a browser has. */
export const shared = { id: part, rawId: part, type: v.literal("public-key", ODD), clientExtensionResults: v.optional(v.object({}), {}) };

/** What it says when one is used (section 7.2). */
export const assertion = v.object({
  ...shared,
  response: v.object({ clientDataJSON: part, authenticatorData: part, signature: part, userHandle: v.optional(part) }),
});
export type Assertion = v.InferOutput<typeof assertion>;
