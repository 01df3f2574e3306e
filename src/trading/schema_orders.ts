import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { id, idText, listQuery, price } from "../lib/shapes";
import { editPosition, orderEntries, orderTypes, type Position, placeOrder } from "./schema";

/** Orders that wait for a price, and stops that follow it: the calls of `schema.ts` with all that they take. */

/** A price distance above zero, by the name of its field. */
const distance = (name: string) =>
  v.pipe(
    v.unknown(),
    v.check((input) => v.safeParse(price, input).success, `${name} must be a price distance above zero`),
    v.transform((input) => v.parse(price, input)),
  );
const instant = v.pipe(
  v.string("expiresAt must be an ISO 8601 time"),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/, "expiresAt must be an ISO 8601 time"),
  v.check((text) => !Number.isNaN(Date.parse(text)), "expiresAt must be an ISO 8601 time"),
  v.transform((text) => new Date(text).toISOString()),
);
/** What an order waits for, until when and with which others, and how its stop loss moves; in an edit, what is not named stays. */
const terms = {
  expiresAt: v.optional(v.nullable(instant)),
  trailingDistance: v.optional(v.nullable(distance("trailingDistance"))),
  breakEvenAt: v.optional(v.nullable(distance("breakEvenAt"))),
  ocoGroup: v.optional(v.nullable(idText("ocoGroup must be a UUID"))),
};

/** What an order that waits can't do without, by field, and a stop-limit besides. */
export const NEEDED = {
  triggerPrice: "triggerPrice is required: the price that the order waits for",
  limitPrice: "limitPrice is required: the limit that the order becomes",
};

/** The shape of an order, as the server takes it. Prices that the account's own price is held against come later. */
export const fullOrderBody = v.pipe(
  v.object({
    ...orderEntries,
    orderType: v.optional(v.picklist(orderTypes, "orderType must be market, limit, stop or stop_limit"), "market"),
    triggerPrice: v.optional(v.nullable(price), null),
    limitPrice: v.optional(v.nullable(price), null),
    ...terms,
  }),
  v.forward(
    v.check(
      ({ maxSlippage, currentPrice, orderType }) => maxSlippage === null || currentPrice !== null || orderType !== "market",
      "currentPrice must be the price that maxSlippage counts from",
    ),
    ["currentPrice"],
  ),
  // In one step, since the shape stops at the first that finds something: both are named at once.
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value: input } = dataset;
    const lacks = (key: keyof typeof NEEDED) =>
      input[key] === null && addIssue({ message: NEEDED[key], path: [{ type: "object", origin: "value", input, key, value: null }] });
    if (input.orderType !== "market") lacks("triggerPrice");
    if (input.orderType === "stop_limit") lacks("limitPrice");
  }),
  v.forward(
    v.check(({ orderType, triggerPrice }) => orderType !== "market" || triggerPrice === null, "triggerPrice is for limit, stop and stop-limit orders"),
    ["triggerPrice"],
  ),
  v.forward(
    v.check(({ orderType, limitPrice }) => orderType === "stop_limit" || limitPrice === null, "limitPrice is for stop-limit orders"),
    ["limitPrice"],
  ),
);

/** Any order. */
export const placeAnyOrder = { ...placeOrder, body: fullOrderBody };
/** Any change of a position or a waiting order; what is not named stays, null clears. */
export const editAny = {
  ...editPosition,
  body: v.object({
    stopLoss: v.optional(v.nullable(price)),
    takeProfit: v.optional(v.nullable(price)),
    triggerPrice: v.optional(price),
    limitPrice: v.optional(price),
    ...terms,
  }),
};
/** Cancels all waiting orders, or those of one account. */
export const cancelAll = endpoint("POST /api/trading/positions/cancel-all", {
  body: v.object({ accountId: v.optional(v.nullable(id), null) }),
  answer: answer<{ cancelled: Position[] }>(),
});
/** Orders that ended unfilled, those placed last first. */
export const cancelledOrders = endpoint("GET /api/trading/positions/cancelled", {
  query: v.object({ ...listQuery.entries, accountId: v.optional(id) }),
  answer: answer<Position[]>(),
});
