import { add, displayMoney, marginOf, priceText, priceUnits, profitOf, subtract, sum } from "../../src/lib/money";
import { instrumentOf, isForex } from "../../src/market/schema";
import { accountPrice, closingPrice, type Prices } from "../../src/trading/rules";
import type { Position } from "../../src/trading/schema";

/** A quote as the streams tell it: market prices as decimal strings, `time` by the feed's clock. */
export type Quote = { symbol: string; bid: string; ask: string; time: string; stale: boolean; open: boolean };

/** What a watchlist shows of an instrument beside its quote. */
export type Watched = {
  symbol: string;
  quote: Quote | null;
  /** The trading day's first mid price, which the change is measured from. */
  dayOpen: string;
  /** The last hours as an SVG path in a box of 100 × 32. */
  spark: string;
};

/** What of a trading account its prices and figures depend on. */
export type Tier = { spreadsFrom: string };

export type Side = "buy" | "sell";
export const sideWord = (side: Side) => (side === "buy" ? "BUY" : "SELL");

/** Decimals of the instrument's prices; five where the instrument is not known. */
export const digitsOf = (symbol: string): number => instrumentOf(symbol)?.digits ?? 5;

/** One pip in units of 10⁻⁸ where a tier's spread is counted in pips; 0 for coins, which have none. */
export function pipOf(symbol: string): number {
  const instrument = instrumentOf(symbol);
  return instrument && isForex(instrument) ? instrument.pipSize : 0;
}

/** The bid and ask that this account would get, in units of 10⁻⁸. */
export const pricesFor = (tier: Tier, { symbol, bid, ask }: Pick<Quote, "symbol" | "bid" | "ask">): Prices =>
  accountPrice({ bid: priceUnits(bid), ask: priceUnits(ask) }, pipOf(symbol), tier.spreadsFrom);

/** What stands under an order's amount: that it waits for the opening, else what it would bind, once its amount can be read. */
export function orderNote(waits: boolean, amount: string, leverage: string): string {
  if (waits) return "The market is closed. Your order fills at the first price after it opens.";
  return /^\d{1,9}(\.\d{1,2})?$/.test(amount) ? `Margin for this order: ${displayMoney(marginOf(amount, Number(leverage.split(":")[1])))}` : "";
}

type Floating = Pick<Position, "type" | "amount" | "openPrice" | "currentPrice" | "profit" | "status">;
/** What a position would close at now and bring, on this quote; what the server last said where there is no quote. */
export function standingOf(position: Floating, tier: Tier | undefined, quote: Quote | null): { price: string | null; profit: string | null } {
  if (!quote || !tier || position.status !== "open" || !position.openPrice) return { price: position.currentPrice, profit: position.profit };
  const price = closingPrice(position.type, pricesFor(tier, quote));
  return { price: priceText(price), profit: profitOf(position.type, position.amount, priceUnits(position.openPrice), price) };
}

/** Balance less what the house advanced, and what the account's open positions would bring on these quotes: the server's own figure. */
export function equityOf(account: Tier & { balance: string; advance: string }, open: readonly Position[], quoteFor: (symbol: string) => Quote | null): string {
  const floating = open.map((position) => standingOf(position, account, quoteFor(position.symbol)).profit ?? "0.00");
  return add(subtract(account.balance, account.advance), sum(floating));
}

/** Equity over used margin in whole per cent, for the eye; null with no margin in use. */
export function levelOf(equity: string, margin: string): string | null {
  const used = Number(margin);
  return used > 0 ? Math.floor((Number(equity) / used) * 100).toLocaleString("en-US") : null;
}
