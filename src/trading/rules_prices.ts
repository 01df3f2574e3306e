import { add, cents, displayMoney, displayPrice, marginOf, priceText, priceUnits, profitOf, subtract, sum } from "../lib/money";
import { leverageBySteps } from "./rules_margin_steps";
import { heldFor } from "../lib/held";
import { instrumentOf, pipOf } from "../market/rules_listed";
import { markupOf, termsOf } from "../market/rules_terms";
import type { SpreadRule } from "../accounts/schema_groups";
import { accountPrice, closingPrice, type Prices } from "./rules";
import type { OrderType, Position } from "./schema";

/** A quote as the streams tell it: market prices as decimal strings, `time` by the feed's clock. */
export type Quote = { symbol: string; bid: string; ask: string; time: string; stale: boolean; open: boolean; closeOnly?: true; barred?: Side };

/** What a watchlist shows of an instrument beside its quote. */
export type Watched = {
  symbol: string;
  quote: Quote | null;
  /** The trading day's first mid price, which the change is measured from. */
  dayOpen: string;
  /** The trading day so far as an SVG path in a box of 10 × 32. */
  spark: string;
};

/** What of a trading account its prices and figures depend on. */
type Spreads = {
  /** The least spread of a pair in pips, where nothing else is said of it. */
  spreadsFrom: string;
  /** What is said of a class or a symbol, which comes before its class; null or missing: nothing. */
  spreads?: SpreadRule[] | null;
};
export type Tier = Spreads & {
  /** The version of the group's terms that this is; and, while a notice runs, the earlier ones that something open is closed by, by version. */
  version?: number;
  held?: Record<string, Spreads> | null;
};

/** What a position is closed by, that was opened on a version of its group's terms (null: on another group's): the terms of now, or during a notice of before. */
/** Of a group's terms as an account says them: its version, and the oldest one that something open may still be closed by. As `format('%s/%s', version, applied)` of its group. */
export const stampOf = ({ version = 0, held }: Pick<Tier, "version" | "held">): string =>
  `${version}/${Math.min(version, ...Object.keys(held ?? {}).map(Number))}`;

export const tierHeld = (tier: Tier, opened: number | null): Tier => heldFor<Tier>(tier.held, opened, tier);

/** The spread of an account in a symbol, as `accountPrice` takes it, before the instrument's mark-up. */
export function spreadText({ spreadsFrom, spreads }: Spreads, symbol: string): string {
  if (!spreads || spreads.length === 0) return spreadsFrom;
  const group = instrumentOf(symbol)?.group;
  const said = spreads.find((rule) => rule.for === symbol) ?? spreads.find((rule) => rule.for === group);
  return said ? `${said.fixed ? "-" : ""}${said.spreadPips}` : spreadsFrom;
}

export type Side = "buy" | "sell";
export const sideWord = (side: Side) => (side === "buy" ? "BUY" : "SELL");
export const ORDER_TYPE_WORDS: Record<OrderType, string> = { market: "Market", limit: "Limit", stop: "Stop", stop_limit: "Stop-limit" };

/** Decimals of the instrument's prices; five where the instrument is not known. */
export const digitsOf = (symbol: string): number => instrumentOf(symbol)?.digits ?? 5;

/** Decimals in which deals are written: a pair's have one more than the market's quotes, as half of an account's spread may be half a point. */
export const dealDigitsOf = (symbol: string): number => digitsOf(symbol) + (pipOf(symbol) ? 1 : 0);

/** A price that an account dealt or would deal at, for the eye; a column of them never changes its width. A dash where there is none. */
export const dealPrice = (price: string | null, symbol: string): string => (price === null ? "–" : displayPrice(price, dealDigitsOf(symbol)));

/** The bid and ask that this account would get, in units of 10⁻⁸; for a position, of the version of its instrument's terms that it was `opened` on. */
export const pricesFor = (tier: Tier, { symbol, bid, ask }: Pick<Quote, "symbol" | "bid" | "ask">, opened?: number | null): Prices =>
  accountPrice({ bid: priceUnits(bid), ask: priceUnits(ask) }, pipOf(symbol), spreadText(tier, symbol), markupOf(symbol, opened));

const MONEY = /^\d{1,9}(\.\d{1,2})?$/;

type Geared = { id: string; leverage: string; caps?: Record<string, string> | null | undefined };
/** The most leverage that a country allows, 30 for 1:30, by the group of instruments; a group that is missing is not bounded. */
export type LeverageBounds = Readonly<Record<string, number>>;
const BOUNDED = ["forex-major", "forex-minor", "crypto"];
const mostOf = (leverage: string) => Number(leverage.split(":")[1]);

/** Whether these are the bounds by which an account says what it is dealt at. */
export const isWithin = ({ leverage, caps }: Omit<Geared, "id">, bounds: LeverageBounds): boolean =>
  BOUNDED.every((group) => mostOf(caps?.[group] ?? leverage) === Math.min(bounds[group] ?? Number.POSITIVE_INFINITY, mostOf(leverage)));

type Ordered = { symbol: string; side: Side; amount: string };
type Open = Pick<Position, "accountId" | "symbol" | "type" | "status" | "amount">;
/**
 * The leverage at which an order is dealt: the account's own, or what its owner's country or the instrument allows. `positions`: what its owner has
 * open; what the account holds of the instrument on that side counts with the order where the instrument's margin goes by size.
 */
export function leverageOf({ id, leverage, caps }: Geared, { symbol, side, amount }: Ordered, positions: readonly Open[]): string {
  const own = caps?.[instrumentOf(symbol)?.group ?? ""] ?? leverage;
  const most = mostOf(own);
  const terms = termsOf(symbol);
  if (terms?.steps && MONEY.test(amount)) {
    const held = positions.filter((each) => each.accountId === id && each.symbol === symbol && each.type === side && each.status === "open");
    return `1:${leverageBySteps(terms.steps, most, cents(amount), cents(sum(held.map((each) => each.amount))))}`;
  }
  return `1:${Math.min(most, terms?.leverage ?? Number.POSITIVE_INFINITY)}`;
}

/** The note under an order's amount: that the order waits for the opening, else the margin it would bind, once the amount can be read. */
export function orderNote(waits: boolean, amount: string, leverage: string): string {
  if (waits) return "The market is closed. Your order fills at the first price after it opens.";
  return MONEY.test(amount) ? `Margin for this order: ${displayMoney(marginOf(amount, Number(leverage.split(":")[1])))}` : "";
}

type Floating = Pick<Position, "type" | "amount" | "openPrice" | "currentPrice" | "profit" | "status" | "groupVersion" | "termsVersion">;
/** A position's closing price and profit on this quote; without a quote, as the server last said. */
export function standingOf(position: Floating, tier: Tier | undefined, quote: Quote | null): { price: string | null; profit: string | null } {
  if (!quote || !tier || position.status !== "open" || !position.openPrice) return { price: position.currentPrice, profit: position.profit };
  const price = closingPrice(position.type, pricesFor(tierHeld(tier, position.groupVersion ?? null), quote, position.termsVersion ?? null));
  return { price: priceText(price), profit: profitOf(position.type, position.amount, priceUnits(position.openPrice), price) };
}

/** Equity: the balance less the house's advance, plus the profit of the open positions on these quotes. The server computes the same figure. */
export function equityOf(account: Tier & { balance: string; advance: string }, open: readonly Position[], quoteFor: (symbol: string) => Quote | null): string {
  const floating = open.map((position) => standingOf(position, account, quoteFor(position.symbol)).profit ?? "0.00");
  return add(subtract(account.balance, account.advance), sum(floating));
}

/** Equity over used margin in whole per cent, for the eye: "250%", and from 1,000 on that there is plenty; a dash with no margin in use. */
export function levelText(equity: string, margin: string): string {
  const used = Number(margin);
  if (!(used > 0)) return "–";
  const level = Math.floor((Number(equity) / used) * 100);
  return level < 1000 ? `${level}%`.replace("-", "−") : "over 1,000%";
}
