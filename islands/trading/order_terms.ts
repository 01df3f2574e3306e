import { fit } from "../../src/lib/fit";
import { plainPrice, priceText, priceUnits } from "../../src/lib/money";
import { pipOf } from "../../src/market/schema";
import { openingPrice, type Prices } from "../../src/trading/rules";
import { digitsOf, pricesFor, type Quote } from "../../src/trading/rules_prices";
import { dayEnd, inScreenWords, orderFaults, orderSentence, orderWords, weekEnd } from "../../src/trading/rules_waiting";
import { editAny, fullOrderBody } from "../../src/trading/schema_orders";
import { positions, takePosition } from "../runtime/trading_store";
import { ApiError, call } from "../wire/api";
import type { Order, Seen, Ways } from "./order";

/** Orders that wait, and stop losses that follow: how they are written, checked, sent and told. Comes with the first of their fields. */

/** Stands for 'the next order' where an order's partner is chosen. */
export const NEXT = "next";
const PAIRED = " The next order is paired with it: the first that fills cancels the other.";

/** The market's time. A quote has it, in a replay as well; an old one does not. */
const timeOf = (quote: Quote | null): number => (quote?.open && !quote.stale ? Date.parse(quote.time) : Date.now());

/** When the order ends, as its fields say; null: when it is cancelled. The moment that somebody chose is written in UTC. */
function endOf({ expiry, expiresAt, symbol }: Pick<Order, "expiry" | "expiresAt" | "symbol">, now: number): string | null {
  if (expiry === "day") return new Date(dayEnd(now, symbol)).toISOString();
  if (expiry === "week") return new Date(weekEnd(now)).toISOString();
  return expiry === "at" ? `${expiresAt ?? ""}Z` : null;
}

/** The group of the waiting order that was chosen as this one's partner: its own, else its id. */
const groupOf = (partner: string | undefined) =>
  partner && partner !== NEXT ? (positions.peek()?.find(({ id }) => id === partner)?.ocoGroup ?? partner) : null;

function written(order: Order, { quote }: Seen) {
  const { orderType, symbol, side, amount, accountId, stopLoss, takeProfit } = order;
  const waits = orderType !== "market";
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
    expiresAt: waits ? endOf(order, timeOf(quote)) : null,
    trailingDistance: order.trailingDistance || null,
    breakEvenAt: order.breakEvenAt || null,
    ocoGroup: waits ? groupOf(order.ocoGroup) : null,
  };
}

const inWords = (fields: Record<string, string>, { orderType }: Order) =>
  Object.fromEntries(Object.entries(fields).map(([name, message]) => [name, inScreenWords(message, orderType)]));

/** The order where its fields can be read, and what the server would refuse of it, in the words of the screen. */
function checked(order: Order, seen: Seen) {
  const { account, quote } = seen;
  const body = written(order, seen);
  const shape = fit(fullOrderBody, body);
  const fields = shape.ok ? (quote ? orderFaults(body, pricesFor(account, quote), timeOf(quote)) : {}) : { ...shape.fields };
  if (body.expiresAt === "Z") fields.expiresAt = "Choose the date and time at which it ends";
  if (body.ocoGroup && !positions.peek()?.some(({ id, status }) => id === order.ocoGroup && status === "pending"))
    fields.ocoGroup = "That order no longer waits. Choose another.";
  return { terms: shape.ok ? body : null, fields: inWords(fields, order) };
}

export const ways: Ways = {
  check(order, seen) {
    const { fields } = checked(order, seen);
    return Object.keys(fields).length ? { ok: false, fields } : { ok: true };
  },

  /** The partner that has no group yet gets one first: its own id, so that a second try asks for the same. */
  async bodyOf(order, seen) {
    const body = written(order, seen);
    const partner = body.ocoGroup && positions.peek()?.find(({ id }) => id === order.ocoGroup);
    if (partner && !partner.ocoGroup) takePosition(await call(editAny, { ocoGroup: body.ocoGroup }, { params: { id: partner.id } }));
    return body;
  },

  explained: (error, order) =>
    new ApiError(error.status, inScreenWords(error.message, order.orderType), error.code, inWords(error.fields, order), error.retryAfter),

  said(order, position) {
    const { status, orderType } = position;
    const words = `${orderWords({ type: order.side, orderType })} order for $${order.amount} on ${order.symbol}`;
    if (status === "open") return { title: "Trade Executed", description: `${words} has been placed successfully` };
    if (orderType === "market") return { title: "Order Waiting", description: `${words} fills at the first price after the market opens` };
    return { title: "Order Placed", description: orderSentence(position, Date.now()) + (order.ocoGroup === NEXT ? PAIRED : "") };
  },

  /** The order that was placed is the partner of the next one. */
  after: ({ orderType, ocoGroup }, { id, status }) => (ocoGroup === NEXT && status === "pending" ? { orderType, ocoGroup: id } : {}),
};

/** What the order will do, in words; null while its fields can't be read. */
export function sentenceOf(order: Order, seen: Seen): string | null {
  const { terms } = checked(order, seen);
  if (!terms) return null;
  const pair = order.orderType !== "market" && order.ocoGroup === NEXT ? PAIRED : "";
  return orderSentence(terms, timeOf(seen.quote), seen.quote?.open === false) + pair;
}

/** The prices that an order is reckoned with before it fills: those at its trigger, as far apart as now. */
export function pricesAt({ orderType, side, triggerPrice }: Order, prices: Prices): Prices {
  if (orderType === "market" || !triggerPrice) return prices;
  const away = priceUnits(triggerPrice) - openingPrice(side, prices);
  return { bid: prices.bid + away, ask: prices.ask + away };
}

/** A price moved by a whole number of steps, as its field has it; as it was where it can't be read. Steps in units of 10⁻⁸. */
export function stepped(price: string, steps: number, symbol: string): string {
  if (!/^\d{1,8}(\.\d{1,8})?$/.test(price)) return price;
  const moved = priceUnits(price) + steps * stepOf(symbol, priceUnits(price));
  return moved > 0 ? plainPrice(priceText(moved), digitsOf(symbol)) : price;
}

/** A pip; of a coin some ten-thousandth of its price, as a round number. In units of 10⁻⁸. */
export const stepOf = (symbol: string, price: number): number => pipOf(symbol) || 10 ** Math.max(0, Math.floor(Math.log10(price)) - 4);
