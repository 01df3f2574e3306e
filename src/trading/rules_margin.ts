import { profitNumber } from "../lib/money";

/** Margin levels: below 100 % of used margin an account is called, below 50 % its positions are closed. Money in whole cents. */

type Side = "buy" | "sell";

/** An open position as margin sees it: notional amount in cents, opening price in units of 10⁻⁸, margin in cents. */
export type Stake = {
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly amount: bigint;
  readonly open: number;
  readonly margin: number;
  /** The spread in pips that it is closed by, before the instrument's mark-up, which goes by the version of its terms that it was `opened` on (null: none). */
  readonly tierPips: string;
  readonly opened: number | null;
};

/** What an account is worth with everything closed now, and what its positions bind. */
export type MarginState = { equity: number; used: number };

/** The closing price of what is so held, in units of 10⁻⁸; null where there never was a price. */
export type Closing = (of: Pick<Stake, "symbol" | "side" | "tierPips" | "opened">) => number | null;

/**
 * Equity and used margin, the mirror of SQL's account_state to the cent. `net` is the balance less what the house
 * advanced. A position without any price counts as neither gain nor loss.
 */
export function marginState(net: number, stakes: Iterable<Stake>, closing: Closing): MarginState {
  const state = { equity: net, used: 0 };
  for (const stake of stakes) {
    const { side, amount, open, margin } = stake;
    const close = closing(stake);
    if (close !== null) state.equity += profitNumber(side, amount, open, close);
    state.used += margin;
  }
  return state;
}

export const isCalled = ({ equity, used }: MarginState): boolean => equity < used;
export const isStoppedOut = ({ equity, used }: MarginState): boolean => equity * 2 < used;

/** All of an account's positions on one side of one symbol that close at one spread; `slope` is how many cents a unit of 10⁻⁸ moves them. */
export type Exposure = { symbol: string; side: Side; tierPips: string; opened: number | null; slope: number };

type Priced = Pick<Stake, "symbol" | "tierPips" | "opened">;
/** Whether both close at the same prices. Accounts have few kinds of positions: looking through them takes less than writing a key for each. */
export const isPricedAs = (one: Priced, other: Priced): boolean =>
  one.symbol === other.symbol && one.tierPips === other.tierPips && one.opened === other.opened;

export function exposuresOf(stakes: Iterable<Stake>): Exposure[] {
  const found: Exposure[] = [];
  for (const stake of stakes) {
    let exposure = found.find((each) => each.side === stake.side && isPricedAs(each, stake));
    if (!exposure) found.push((exposure = { symbol: stake.symbol, side: stake.side, tierPips: stake.tierPips, opened: stake.opened, slope: 0 }));
    exposure.slope += Number(stake.amount) / stake.open;
  }
  return found;
}

/** Float arithmetic of slopes and distances is off by far less than this part. */
const CAUTION = 1 - 1e-9;

/**
 * How far, in units of 10⁻⁸, the exposure's closing price may move before it has moved more than its share of `room`
 * cents of equity; at least one unit. While no exposure moves that far, equity has not moved by `room`: each of the
 * `positions` may round by half a cent now and then.
 */
export function distanceOf({ slope }: Exposure, room: number, exposures: number, positions: number): number {
  return Math.max(1, Math.floor((((room - positions) / exposures) * CAUTION) / slope));
}
