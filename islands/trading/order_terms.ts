import { plainPrice, priceText, priceUnits } from "../../src/lib/money";
import { pipOf } from "../../src/market/rules_listed";
import { digitsOf, pricesFor, type Quote } from "../../src/trading/rules_prices";
import { inScreenWords, orderSentence, orderWords } from "../../src/trading/rules_waiting";
import { bodyOf, checkedOrder, fieldsInWords, NEXT, partnerOf } from "../../src/trading/rules_written";
import { editAny } from "../../src/trading/schema_orders";
import { positions, takePosition } from "../runtime/trading_store";
import { ApiError, call } from "../wire/api";
import type { Order, Seen, Ways } from "./order_ways";

/** Orders that wait, and stop losses that follow: how they are written, checked, sent and told. Comes with the first of their fields. */

const PAIRED = " The next order is paired with it: the first that fills cancels the other.";

/** The market's time. A quote has it, in a replay as well; an old one does not. */
const timeOf = (quote: Quote | null): number => (quote?.open && !quote.stale ? Date.parse(quote.time) : Date.now());

/** What is held against the account's price of this moment. */
const checked = (order: Order, { account, quote }: Seen) => checkedOrder(order, quote && pricesFor(account, quote), timeOf(quote), positions.peek() ?? []);

export const ways: Ways = {
  check(order, seen) {
    const { fields } = checked(order, seen);
    return Object.keys(fields).length ? { ok: false, fields } : { ok: true };
  },

  /** The partner that has no group yet gets one first: its own id, so that a second try asks for the same. */
  async bodyOf(order, seen) {
    const own = positions.peek() ?? [];
    const body = bodyOf(order, timeOf(seen.quote), own);
    const partner = body.ocoGroup && partnerOf(order, own);
    if (partner && !partner.ocoGroup) takePosition(await call(editAny, { ocoGroup: body.ocoGroup }, { params: { id: partner.id } }));
    return body;
  },

  explained: (error, order) =>
    new ApiError(error.status, inScreenWords(error.message, order.orderType), error.code, fieldsInWords(error.fields, order.orderType), error.retryAfter),

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
  const { body } = checked(order, seen);
  if (!body) return null;
  const pair = order.orderType !== "market" && order.ocoGroup === NEXT ? PAIRED : "";
  return orderSentence(body, timeOf(seen.quote), seen.quote?.open === false) + pair;
}

/** A price moved by a whole number of steps, as its field has it; as it was where it can't be read. Steps in units of 10⁻⁸. */
export function stepped(price: string, steps: number, symbol: string): string {
  if (!/^\d{1,8}(\.\d{1,8})?$/.test(price)) return price;
  const moved = priceUnits(price) + steps * stepOf(symbol, priceUnits(price));
  return moved > 0 ? plainPrice(priceText(moved), digitsOf(symbol)) : price;
}

/** A pip; of a coin some ten-thousandth of its price, as a round number. In units of 10⁻⁸. */
export const stepOf = (symbol: string, price: number): number => pipOf(symbol) || 10 ** Math.max(0, Math.floor(Math.log10(price)) - 4);
