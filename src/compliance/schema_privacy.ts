import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { idParams } from "../lib/shapes";

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
