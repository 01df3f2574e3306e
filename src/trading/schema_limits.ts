import * as v from "valibot";
import { endpoint } from "../lib/endpoint";
import { moneyAmount } from "../lib/shapes";

const SAY = "symbol must be one of ours, such as EUR/USD.";
const limitAmount = moneyAmount("Amount is required");
/** Sets the bound that staff are warned at, null for none. It holds nobody back. */
export const setLimit = endpoint("POST /api/admin/exposure-limits", {
  body: v.object({ symbol: v.pipe(v.string(SAY), v.regex(/^[A-Z]{2,10}\/[A-Z]{3}$/, SAY)), limit: v.nullable(limitAmount) }),
  status: 204,
});
export const limitForm = v.object({ limit: v.union([v.literal(""), limitAmount]) });
