import { displayMoney, displayPrice, plainPrice, priceText, priceUnits } from "../lib/money";
import { DAY, HOUR, NEW_YORK, newYorkClock, tradingDayStart, wallClock } from "../lib/time";
import { instrumentOf, isForex, pipOf } from "../market/rules_listed";
import { closingPrice, openingPrice, type Prices } from "./rules";
import { digitsOf, ORDER_TYPE_WORDS, type Side, sideWord } from "./rules_prices";
import type { OrderType, Position } from "./schema";

/** What an order waits for, in words, and what of it the server would refuse. Prices and distances are decimal strings. */
export type OrderTerms = Pick<
  Position,
  "symbol" | "type" | "amount" | "orderType" | "triggerPrice" | "limitPrice" | "expiresAt" | "trailingDistance" | "breakEvenAt" | "ocoGroup"
> & {
  /** A stop-limit that was set off waits as a limit. */
  setOff?: boolean;
};

/** 'BUY limit'. */
export const orderWords = ({ type, orderType }: Pick<OrderTerms, "type" | "orderType">): string =>
  `${sideWord(type)} ${ORDER_TYPE_WORDS[orderType].toLowerCase()}`;

/** What the screens call the fields of an order. */
export const termWords = (orderType: OrderType) => ({
  triggerPrice: orderType === "limit" ? "Price" : "Stop price",
  limitPrice: "Limit price",
  expiresAt: "Expiry",
  trailingDistance: "Trailing distance",
  breakEvenAt: "Break-even at",
  ocoGroup: "One cancels the other",
  stopLoss: "Stop loss",
  takeProfit: "Take profit",
});

/** A refusal's sentence with the screen's names of the fields in place of the call's. */
export const inScreenWords = (message: string, orderType: OrderType): string =>
  Object.entries(termWords(orderType)).reduce(
    (text, [name, words]) => (text.startsWith(name) ? words + text.slice(name.length) : text.replace(` ${name} `, ` the ${words.toLowerCase()} `)),
    message,
  );

/** Where an order of this kind begins: a tenth of a per cent from the account's price, ten pips for a pair, on the side where it waits. */
export function firstTrigger(side: Side, orderType: OrderType, prices: Prices, symbol: string): string {
  const price = openingPrice(side, prices);
  return near(price, (pipOf(symbol) * 10 || price / 1000) * (rises(side, orderType) ? 1 : -1), symbol);
}

/** Where the limit of a stop-limit begins: half as far beyond its stop price. */
export function firstLimit(side: Side, triggerPrice: string, symbol: string): string {
  const trigger = priceUnits(triggerPrice);
  return near(trigger, (pipOf(symbol) * 5 || trigger / 2000) * (side === "buy" ? 1 : -1), symbol);
}

/** A price so far away, with the instrument's digits, as one writes it. */
function near(price: number, away: number, symbol: string): string {
  const digit = 10 ** (8 - digitsOf(symbol));
  return plainPrice(priceText(Math.max(digit, Math.round((price + away) / digit) * digit)), digitsOf(symbol));
}

/** The price has to rise to it: a buy stop, a sell limit. */
const rises = (side: Side, orderType: OrderType) => (side === "buy") !== (orderType === "limit");

/** The end of the trading day under way, New York 17:00; of a pair's next one while its market is closed over the weekend. */
export function dayEnd(at: number, symbol: string): number {
  const instrument = instrumentOf(symbol);
  let end = nextClose(at);
  while (instrument && isForex(instrument) && [0, 6].includes(newYorkClock(end).weekday)) end = nextClose(end);
  return end;
}

/** The end of the trading week under way: Friday, New York 17:00. */
export function weekEnd(at: number): number {
  let end = nextClose(at);
  while (newYorkClock(end).weekday !== 5) end = nextClose(end);
  return end;
}

/** The first New York 17:00 after `at`. Where clocks change a day has 23 hours, or 25. */
export const nextClose = (at: number): number => tradingDayStart(tradingDayStart(at) + 26 * HOUR);

const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(" ");

/** 'until Friday 17:00 New York', with its date where it is a week away or more, or `now` is not told (null). */
export function expiryText(expiresAt: string | null, now: number | null): string {
  if (expiresAt === null) return "until cancelled";
  const at = Date.parse(expiresAt);
  const clock = wallClock(at, NEW_YORK);
  const isNear = now !== null && at > now && at - now < 7 * DAY - HOUR;
  const date = new Date(clock);
  const day = isNear ? "" : ` ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return `until ${WEEKDAYS[date.getUTCDay()]}${day} ${date.toISOString().slice(11, 16)} New York`;
}

/** A price distance: '20 pips', for a coin as a price. */
export function distanceText(distance: string, symbol: string): string {
  const pip = pipOf(symbol);
  if (!pip) return displayPrice(distance, digitsOf(symbol));
  const pips = Number((priceUnits(distance) / pip).toFixed(2));
  return pips === 1 ? "1 pip" : `${pips} pips`;
}

/** What will happen, in sentences. `waits`: the market is closed. */
export function orderSentence(order: OrderTerms, now: number | null, waits = false): string {
  const { symbol, type, amount, orderType, trailingDistance, breakEvenAt, ocoGroup } = order;
  const deals = `${type === "buy" ? "Buys" : "Sells"} ${displayMoney(amount).replace(".00", "")} of ${symbol}`;
  const fills = orderType === "market" ? (waits ? "at the first price after the market opens" : "at the price of this moment") : whenReached(order);
  const end = orderType === "market" && order.expiresAt === null ? "" : `, ${expiryText(order.expiresAt, now)}`;
  const closing = type === "buy" ? "bid" : "ask";
  return [
    `${deals} ${fills}${end}.`,
    trailingDistance && `The stop loss then follows ${distanceText(trailingDistance, symbol)} behind the best ${closing}, and never goes back.`,
    breakEvenAt && `With ${distanceText(breakEvenAt, symbol)} of profit the stop loss moves to the opening price, once.`,
    ocoGroup && "Of the waiting orders grouped with it the first that fills cancels the others.",
  ]
    .filter(Boolean)
    .join(" ");
}

function whenReached({ symbol, type, orderType, triggerPrice, limitPrice, setOff }: OrderTerms): string {
  const opening = type === "buy" ? "ask" : "bid";
  const level = (price: string | null) => displayPrice(price ?? "0", digitsOf(symbol));
  const better = type === "buy" ? "or less" : "or more";
  const beyond = type === "buy" ? "or more" : "or less";
  if (orderType === "limit") return `when the ${opening} reaches ${level(triggerPrice)} ${better}`;
  if (setOff) return `when the ${opening} reaches ${level(limitPrice)} ${better}, since ${level(triggerPrice)} was reached`;
  const reached = `the ${opening} reaches ${level(triggerPrice)} ${beyond}`;
  return orderType === "stop" ? `at the market when ${reached}` : `at ${level(limitPrice)} ${better} once ${reached}`;
}

/**
 * What the server would refuse of an order on these prices of the account, by field and in the server's words; the mirror of SQL's check_trigger,
 * check_waiting_exits, check_distances and check_exits. `now`: the market's time. The shapes of its fields have been checked.
 */
export function orderFaults(order: OrderTerms & Pick<Position, "stopLoss" | "takeProfit">, prices: Prices, now: number): Record<string, string> {
  const { type, orderType, triggerPrice, limitPrice, setOff, expiresAt, trailingDistance, stopLoss, takeProfit } = order;
  const isWaiting = orderType !== "market";
  const faults: Record<string, string> = {};
  const level = isWaiting ? priceUnits((setOff ? limitPrice : triggerPrice) ?? "0") : 0;
  const price = openingPrice(type, prices);
  const up = rises(type, setOff ? "limit" : orderType);
  if (isWaiting && (up ? price >= level : price <= level)) {
    const field = setOff ? "limitPrice" : "triggerPrice";
    faults[field] = `${field} must be ${up ? "above" : "below"} the current price for a ${type} ${orderType.replace("_", "-")}`;
  }
  const from = isWaiting ? priceUnits(triggerPrice ?? "0") : closingPrice(type, prices);
  const of = isWaiting ? "triggerPrice" : "the current price";
  const way = type === "buy" ? 1 : -1;
  if (stopLoss && (from - priceUnits(stopLoss)) * way <= 0) faults.stopLoss = `stopLoss must be ${way > 0 ? "below" : "above"} ${of} for a ${type}`;
  if (takeProfit && (priceUnits(takeProfit) - from) * way <= 0) faults.takeProfit = `takeProfit must be ${way > 0 ? "above" : "below"} ${of} for a ${type}`;
  if (trailingDistance && priceUnits(trailingDistance) >= from) faults.trailingDistance = "trailingDistance must be less than the price";
  if (expiresAt) {
    const inAYear = new Date(now);
    inAYear.setUTCFullYear(inAYear.getUTCFullYear() + 1);
    if (Date.parse(expiresAt) <= now) faults.expiresAt = "expiresAt must be in the future";
    else if (Date.parse(expiresAt) > inAYear.getTime()) faults.expiresAt = "expiresAt must be at most a year away";
  }
  return faults;
}
