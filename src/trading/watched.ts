import { cents, priceUnits } from "../lib/money";
import type { Exits } from "./exits";
import type { Waiting } from "./orders";
import type { Watched } from "./queries_watch";
import type { Stake } from "./rules_margin";
import { spreadText, type Tier, tierHeld } from "./rules_prices";

/** What the engine makes of what it read of a position or a waiting order: prices in units of 10⁻⁸, money in cents. */

/** What it must know of an open position. */
export type Opened = Pick<
  Watched,
  | "id"
  | "symbol"
  | "side"
  | "amount"
  | "openPrice"
  | "margin"
  | "stopLoss"
  | "takeProfit"
  | "trailingDistance"
  | "breakEvenAt"
  | "sinceSeq"
  | "groupVersion"
  | "termsVersion"
>;
const units = (price: string | null) => (price === null ? null : priceUnits(price));

/** The terms of an account's group, in one of its rows. */
export const tierIn = ({ spreadsFrom, spreads, version, held }: Watched): Tier => ({ spreadsFrom, spreads, version, held });

export const stakeOf = ({ id, symbol, side, amount, openPrice, margin, groupVersion, termsVersion }: Opened, tier: Tier): Stake => ({
  id,
  symbol,
  side,
  amount: cents(amount),
  open: priceUnits(openPrice ?? ""),
  margin: Number(cents(margin)),
  tierPips: spreadText(tierHeld(tier, groupVersion), symbol),
  opened: termsVersion,
});

export function exitsOf({ stopLoss, takeProfit, trailingDistance, breakEvenAt, sinceSeq }: Opened): Exits {
  const [distance, breakEven] = [units(trailingDistance), units(breakEvenAt)];
  return { stop: units(stopLoss), target: units(takeProfit), trail: distance === null && breakEven === null ? null : { distance, breakEven }, sinceSeq };
}

/** A stop-limit that was set off waits as a limit. */
export function waitingOf(row: Watched): Waiting {
  const { id, accountId, userId, symbol, side, orderType, setOff, place, sinceSeq } = row;
  const level = units(setOff ? row.limitPrice : row.triggerPrice);
  const rises = (side === "buy") !== (orderType === "limit" || setOff);
  const expiresAt = row.expiresAt === null ? null : Date.parse(row.expiresAt);
  return { id, accountId, userId, symbol, side, tierPips: spreadText(row, symbol), level, rises, expiresAt, place, sinceSeq };
}
