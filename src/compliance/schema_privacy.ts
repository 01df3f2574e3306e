import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import type { WaitingSignature } from "../identity/schema_signatures";
import { idParams, text } from "../lib/shapes";

/** What is kept about a person: put together for its owner, and taken away when the owner leaves. */

export const exportRow = v.strictObject({
  id: v.string(),
  status: v.picklist(["waiting", "ready", "failed"]),
  size: v.nullable(v.number()),
  createdAt: v.string(),
  expiresAt: v.string(),
});
export type DataExport = v.InferOutput<typeof exportRow>;

export const listExports = endpoint("GET /api/user/exports", { answer: answer<DataExport[]>() });
/** Put together in the background; a letter tells when it is ready. */
export const askExport = endpoint("POST /api/user/exports", { answer: answer<DataExport>(), status: 201 });
/** The file, for its owner, while it is kept. */
export const readExport = endpoint("GET /api/user/exports/:id", { params: idParams });
/** Closes the caller's account for good. It needs a fresh proof (403 `password_required`). `keptUntil`: what was booked and dealt is kept without a name. */
export const closeSelf = endpoint("POST /api/user/close", {
  body: v.object({ confirm: v.literal("CLOSE", "Write CLOSE to confirm.") }),
  answer: answer<{ keptUntil: string }>(),
});
/**
 * Closes a client's account for good, as its owner would, and erases who it was; by default with a second signature (202). 422 `money_left` while
 * there is money, a deposit that waits, or a position of the client's.
 */
export const erasePerson = endpoint("POST /api/admin/users/:id/erase", {
  params: idParams,
  body: v.object({ confirm: v.literal("ERASE", "Write ERASE to confirm."), reason: text(500, "A reason is required") }),
  answer: answer<{ keptUntil: string } | WaitingSignature>(),
});
