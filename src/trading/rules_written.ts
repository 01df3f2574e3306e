import type { BodyOf } from "../lib/endpoint";
import { fit } from "../lib/fit";
import { priceUnits } from "../lib/money";
import { openingPrice, type Prices } from "./rules";
import type { Side } from "./rules_prices";
import { dayEnd, inScreenWords, orderFaults, weekEnd } from "./rules_waiting";
import type { OrderType, Position } from "./schema";
import { fullOrderBody, NEEDED, type placeAnyOrder } from "./schema_orders";

/** An order as it stands in the fields of a screen, and the call that it comes to: of the order panels and of the form without scripts. */

/** What an order says beside its pair and side. `ocoGroup`: the id of the waiting order that it is paired with. */
export type OrderValues = { orderType: OrderType; amount: string; stopLoss: string; takeProfit: string } & Partial<
  Record<"triggerPrice" | "limitPrice" | "expiry" | "expiresAt" | "trailingDistance" | "breakEvenAt" | "ocoGroup", string>
>;
export type WrittenOrder = OrderValues & { symbol: string; side: Side; accountId: string };

/** When an order may end, by the values of its field. */
export const EXPIRIES = [
  ["", "Until cancelled"],
  ["day", "Day: New York 17:00"],
  ["week", "Week: Friday 17:00 New York"],
  ["at", "A date and time"],
] as const;

/** Stands for 'the next order' where an order's partner is chosen. */
export const NEXT = "next";

/** When the order ends, as its fields say; null: when it is cancelled. The moment that somebody chose is written in UTC. */
function endOf({ expiry, expiresAt, symbol }: WrittenOrder, now: number): string | null {
  if (expiry === "day") return new Date(dayEnd(now, symbol)).toISOString();
  if (expiry === "week") return new Date(weekEnd(now)).toISOString();
  return expiry === "at" ? `${expiresAt ?? ""}Z` : null;
}

/** The waiting order that was chosen as this one's partner. */
export const partnerOf = ({ ocoGroup }: OrderValues, positions: readonly Position[]): Position | undefined =>
  positions.find(({ id, status }) => id === ocoGroup && status === "pending");

/**
 * The body of the call that places it. `now`: the market's time. A partner's group is its own, else its id, so that a second try asks for the
 * same.
 */
export function bodyOf(order: WrittenOrder, now: number, positions: readonly Position[]) {
  const { orderType, symbol, side, amount, accountId, stopLoss, takeProfit, ocoGroup } = order;
  const waits = orderType !== "market";
  const isPaired = waits && ocoGroup && ocoGroup !== NEXT;
  return {
    symbol,
    type: side,
    amount,
    accountId,
    stopLoss: stopLoss || null,
    takeProfit: takeProfit || null,
    orderType,
    triggerPrice: (waits && order.triggerPrice) || null,
    limitPrice: (orderType === "stop_limit" && order.limitPrice) || null,
    expiresAt: waits ? endOf(order, now) : null,
    trailingDistance: order.trailingDistance || null,
    breakEvenAt: order.breakEvenAt || null,
    ocoGroup: isPaired ? (partnerOf(order, positions)?.ocoGroup ?? ocoGroup) : null,
  };
}

/** The call's body where the fields can be read, else null; and what the server would refuse, by field, in the words of the screen. */
export function checkedOrder(order: WrittenOrder, prices: Prices | null, now: number, positions: readonly Position[]) {
  const body = bodyOf(order, now, positions);
  const shape = fit(fullOrderBody, body);
  const fields: Record<string, string> = shape.ok ? (prices ? orderFaults(body, prices, now) : {}) : { ...shape.fields };
  // The shape stops at its first fault, and what is empty can be told at the first try.
  if (order.orderType !== "market" && !body.triggerPrice) fields.triggerPrice ??= NEEDED.triggerPrice;
  if (order.orderType === "stop_limit" && !body.limitPrice) fields.limitPrice ??= NEEDED.limitPrice;
  if (body.expiresAt === "Z") fields.expiresAt = "Choose the date and time at which it ends";
  if (body.ocoGroup && !partnerOf(order, positions)) fields.ocoGroup = "That order no longer waits. Choose another.";
  return { body: shape.ok ? body : null, fields: fieldsInWords(fields, order.orderType) };
}

/** Refusals by field in the words of the screen. */
export const fieldsInWords = (fields: Record<string, string>, orderType: OrderType): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, message]) => [name, inScreenWords(message, orderType)]));

/** The prices that an order is reckoned with before it fills: those at its trigger, as far apart as now. */
export function pricesAt({ orderType, side, triggerPrice }: Pick<WrittenOrder, "orderType" | "side" | "triggerPrice">, prices: Prices): Prices {
  if (orderType === "market" || !triggerPrice) return prices;
  const away = priceUnits(triggerPrice) - openingPrice(side, prices);
  return { bid: prices.bid + away, ask: prices.ask + away };
}

/** The order that a call asks for, as the command takes it. */
export const orderOf = (body: BodyOf<typeof placeAnyOrder>) => ({
  symbol: body.symbol,
  type: body.type,
  amount: body.amount,
  accountId: body.accountId ?? null,
  currentPrice: body.currentPrice ?? null,
  stopLoss: body.stopLoss ?? null,
  takeProfit: body.takeProfit ?? null,
  maxSlippage: body.maxSlippage == null ? null : String(body.maxSlippage),
  ...termsOf(body),
});

/** None for a plain order at the market. */
function termsOf({ orderType, triggerPrice, limitPrice, ...rest }: BodyOf<typeof placeAnyOrder>) {
  const { expiresAt = null, trailingDistance = null, breakEvenAt = null, ocoGroup = null } = rest;
  if (orderType === "market" && [expiresAt, trailingDistance, breakEvenAt, ocoGroup].every((term) => term === null)) return {};
  return { terms: { orderType, triggerPrice: triggerPrice ?? null, limitPrice: limitPrice ?? null, expiresAt, trailingDistance, breakEvenAt, ocoGroup } };
}
