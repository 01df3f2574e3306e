import type { Alert, AlertCondition, AlertSide } from "../../src/alerts/schema";
import { displayPrice } from "../../src/lib/money";
import { instrumentOf } from "../../src/market/rules_listed";

export const SIDE_WORDS: Record<AlertSide, string> = { mid: "Mid", bid: "Bid", ask: "Ask" };
export const CONDITION_WORDS: Record<AlertCondition, string> = { above: "at or above", below: "at or below", crosses: "crosses" };

/** What alerts compare with, in words: charts draw it, and no account's spread is in it. */
export const WHICH_PRICE = "Alerts compare with the market’s own prices, before your account’s spread. Charts show the mid price.";

/** A market price for the eye, with the instrument's decimals. */
export const alertPrice = (price: string, symbol: string): string => displayPrice(price, instrumentOf(symbol)?.digits ?? 5);

/** "mid at or above 1.08420". */
export const conditionText = ({ side, condition, price, symbol }: Pick<Alert, "side" | "condition" | "price" | "symbol">): string =>
  `${SIDE_WORDS[side].toLowerCase()} ${CONDITION_WORDS[condition]} ${alertPrice(price, symbol)}`;
