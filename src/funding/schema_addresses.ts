import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { line } from "../lib/line";
import { idParams } from "../lib/shapes";
import { withdrawalBody } from "./schema";

/** The address book: where a person's withdrawals go, by names. Adding one takes a fresh proof (403 `password_required`), as a withdrawal there would. */

export const payoutAddressRow = v.strictObject({
  id: v.string(),
  name: v.string(),
  currency: withdrawalBody.entries.currency,
  address: v.string(),
  createdAt: v.string(),
});
export type PayoutAddress = v.InferOutput<typeof payoutAddressRow>;
const name = line(60, "Give it a name.");
export const addressBody = v.object({ name, currency: withdrawalBody.entries.currency, address: withdrawalBody.entries.walletAddress });
export const listAddresses = endpoint("GET /api/withdrawal-addresses", { answer: answer<PayoutAddress[]>() });
export const addAddress = endpoint("POST /api/withdrawal-addresses", { body: addressBody, answer: answer<PayoutAddress>(), status: 201 });
export const renameAddress = endpoint("PATCH /api/withdrawal-addresses/:id", {
  params: idParams,
  body: v.object({ name: v.optional(name) }),
  answer: answer<PayoutAddress>(),
});
export const removeAddress = endpoint("DELETE /api/withdrawal-addresses/:id", { params: idParams });
