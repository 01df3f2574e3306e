import type { TradingAccount } from "../../src/accounts/schema";
import type { Quote } from "../../src/trading/rules_prices";

/** What a press deals in, and how far from the price on its button at most: in pips for a pair, in per cent of the price for a coin. Decimal text. */
export type OneClickTerms = { amount: string; pips: string; percent: string };

export type OneClickProps = {
  account: TradingAccount;
  symbol: string;
  quote: Quote | null;
  /** Why this account can't trade yet, in words; null when it can. */
  blocked: string | null;
};

const keyOf = (accountId: string) => `one-click ${accountId}`;

/** The terms under which one-click dealing is on for this account on this device; null where it is off. */
export function oneClickTerms(accountId: string): OneClickTerms | null {
  try {
    const { amount, pips, percent } = (JSON.parse(localStorage.getItem(keyOf(accountId)) ?? "null") ?? {}) as Partial<OneClickTerms>;
    return [amount, pips, percent].every((each) => /^\d{1,9}(\.\d{1,3})?$/.test(String(each))) ? ({ amount, pips, percent } as OneClickTerms) : null;
  } catch {
    return null; // Forbidden, or not of our making: off.
  }
}

/** Switches it on under these terms, or off (null). False where the browser keeps nothing: then it stays off. */
export function keepOneClick(accountId: string, terms: OneClickTerms | null): boolean {
  try {
    if (terms) localStorage.setItem(keyOf(accountId), JSON.stringify(terms));
    else localStorage.removeItem(keyOf(accountId));
    return true;
  } catch {
    return false;
  }
}
