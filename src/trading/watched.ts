import { cents, priceUnits } from "../lib/money";
import type { Exits } from "./exits";
import type { Account } from "./margin";
import type { Waiting } from "./orders";
import type { Watched } from "./queries_watch";
import type { Stake } from "./rules_margin";
import { spreadText, type Tier, tierHeld } from "./rules_prices";

/** What the engine makes of what it read of a position or a waiting order: prices in units of 10⁻⁸, money in cents. */

/** What it must know of an open position, as text. */
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
/** The same in figures. */
export type OpenFigures = Pick<Opened, "id" | "symbol" | "side" | "sinceSeq" | "groupVersion" | "termsVersion"> &
  Pick<Stake, "amount" | "open" | "margin"> &
  Pick<Exits, "stop" | "target"> &
  NonNullable<Exits["trail"]>;
/** What it must know of a waiting order. `level`: the price that it waits for now. */
export type WaitingFigures = Pick<Watched, "id" | "symbol" | "side" | "orderType" | "setOff" | "expiresAt" | "place" | "sinceSeq"> & Pick<Waiting, "level">;
const units = (price: string | null) => (price === null ? null : priceUnits(price));

/** The terms of an account's group, in one of its rows. */
export const tierIn = ({ spreadsFrom, spreads, version, held }: Watched): Tier => ({ spreadsFrom, spreads, version, held });

export const openFigures = (row: Opened): OpenFigures => ({
  id: row.id,
  symbol: row.symbol,
  side: row.side,
  amount: cents(row.amount),
  open: priceUnits(row.openPrice ?? ""),
  margin: Number(cents(row.margin)),
  stop: units(row.stopLoss),
  target: units(row.takeProfit),
  distance: units(row.trailingDistance),
  breakEven: units(row.breakEvenAt),
  sinceSeq: row.sinceSeq,
  groupVersion: row.groupVersion,
  termsVersion: row.termsVersion,
});

/** A stop-limit that was set off waits as a limit. */
export const waitingFigures = ({ id, symbol, side, orderType, setOff, triggerPrice, limitPrice, expiresAt, place, sinceSeq }: Watched): WaitingFigures => ({
  ...{ id, symbol, side, orderType, setOff, expiresAt, place, sinceSeq },
  level: units(setOff ? limitPrice : triggerPrice),
});

export const stakeOf = ({ id, symbol, side, amount, open, margin, groupVersion, termsVersion }: OpenFigures, tier: Tier): Stake => ({
  id,
  symbol,
  side,
  amount,
  open,
  margin,
  tierPips: spreadText(tierHeld(tier, groupVersion), symbol),
  opened: termsVersion,
});

export const exitsOf = ({ stop, target, distance, breakEven, sinceSeq }: OpenFigures): Exits => ({
  stop,
  target,
  trail: distance === null && breakEven === null ? null : { distance, breakEven },
  sinceSeq,
});

export function waitingOf({ id, symbol, side, orderType, setOff, level, expiresAt, place, sinceSeq }: WaitingFigures, account: Account): Waiting {
  const rises = (side === "buy") !== (orderType === "limit" || setOff);
  const tierPips = spreadText(account.tier, symbol);
  return { id, accountId: account.id, userId: account.userId, symbol, side, tierPips, level, rises, expiresAt, place, sinceSeq };
}
