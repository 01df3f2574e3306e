import type { Quote } from "../market/board";
import { STALE_AFTER } from "../market/board";
import type { Level } from "../market/levels";
import type { Market } from "../market/market";
import { closingPrice, type Prices } from "./rules";
import type { Tier } from "./rules_prices";
import {
  type Closing,
  distanceOf,
  type Exposure,
  exposuresOf,
  isCalled,
  isPricedAs,
  isStoppedOut,
  type MarginState,
  marginState,
  type Stake,
} from "./rules_margin";
import { dealtAt, type TriggerBook, TriggerBooks } from "./triggers";

/** A price at which an account's margin must be checked: this symbol alone may have used up its share of the room. */
type MarginLevel = Level & { readonly account: Account; readonly book: TriggerBook<MarginLevel> };

/** An account with open positions, as last read from the database and changed by the engine's own commands since. */
export class Account {
  readonly stakes = new Map<string, Stake>();
  /** Orders that wait for the market to open: id → symbol. */
  readonly orders = new Map<string, string>();
  readonly levels: MarginLevel[] = [];
  /** Since when a stale price keeps the account from being judged, by the market's clock. */
  waitingSince: number | null = null;

  constructor(
    readonly id: string,
    readonly userId: string,
    /** Its group's terms. */
    readonly tier: Tier,
    readonly leverage: number,
    /** Balance less the house's advance, in cents. */
    public net: number,
    /** Below 100 %, and told so. */
    public called: boolean,
    /** The look at the database that told this. */
    readonly reading: number,
    /** The database decided otherwise than expected: judged again at the next tick, not at once. */
    public puzzled: boolean,
  ) {}
}

/** What must be done about an account. */
export type Verdict = "call" | "recover" | "stop_out";

/**
 * The margin of every account with open positions. Each is computed exactly when it changes; then it is left alone until
 * a price comes to a level before which it can't have crossed its next threshold. So a tick costs by the accounts that
 * are near a threshold.
 */
export class MarginBook {
  private readonly accounts = new Map<string, Account>();
  private readonly books = new TriggerBooks<MarginLevel>();

  constructor(private readonly market: Market) {}

  get(accountId: string): Account | undefined {
    return this.accounts.get(accountId);
  }
  /** All that are watched. */
  all(): Account[] {
    return [...this.accounts.values()];
  }
  /** The ids of a person's accounts that are watched. */
  of(userId: string): string[] {
    return [...this.accounts.values()].flatMap((account) => (account.userId === userId ? account.id : []));
  }

  /** Takes an account in place of what was known of it. */
  set(account: Account) {
    this.drop(account.id);
    this.accounts.set(account.id, account);
  }

  drop(accountId: string) {
    const account = this.accounts.get(accountId);
    if (account) this.unwatch(account);
    this.accounts.delete(accountId);
  }

  /** Books the result of a position, in cents; with the last one closed a debt is forgiven, and nothing is left to watch. */
  settle(account: Account, positionId: string, result: number) {
    account.net += result;
    account.stakes.delete(positionId);
    if (account.stakes.size === 0 && account.orders.size === 0) this.drop(account.id);
    else if (account.stakes.size === 0) account.net = Math.max(0, account.net);
  }

  /** The accounts that this tick calls for a judgement. */
  reached(quote: Quote): Set<Account> {
    return new Set(this.books.reached(quote).map(({ account }) => account));
  }

  stateOf(account: Account): MarginState {
    return marginState(account.net, account.stakes.values(), this.closing());
  }

  /** Says what must be done about an account now. If it asks for nothing, waits for the prices that could change that. */
  judge(account: Account): Verdict | null {
    this.unwatch(account);
    const state = this.stateOf(account);
    const verdict = this.verdictOf(account, state);
    if (verdict !== null && !this.mustWait(account)) return verdict;
    if (verdict === null) account.waitingSince = null;
    if (verdict !== null || isStoppedOut(state)) this.watchEveryTick(account);
    else this.watch(account, state);
    return null;
  }

  /** Leaves an account to be judged at the next tick of any of its symbols, after what that tick fires. */
  judgeAtNextTick(accountId: string): void {
    const account = this.accounts.get(accountId);
    if (!account) return;
    this.unwatch(account);
    this.watchEveryTick(account);
  }

  private verdictOf(account: Account, state: MarginState): Verdict | null {
    if (!isCalled(state)) return account.called ? "recover" : null;
    if (!account.called) return "call";
    return isStoppedOut(state) && this.dealable(account).length > 0 ? "stop_out" : null;
  }

  /**
   * True where the verdict is not to be carried out on this tick. A price that went stale in an open market (after a
   * restart, or the feed's absence) gets some seconds to be renewed, before the account is judged by its last value.
   */
  private mustWait(account: Account): boolean {
    if (account.puzzled) {
      account.puzzled = false;
      return true;
    }
    const now = this.market.clock();
    const { board } = this.market;
    const stale = symbolsOf(account).some((symbol) => board.isOpen(symbol, now) && board.isStale(symbol, now));
    account.waitingSince = stale ? (account.waitingSince ?? now) : null;
    return account.waitingSince !== null && now - account.waitingSince < STALE_AFTER;
  }

  /** The newest quotes of the account's symbols that have a fresh price and an open market. */
  dealable(account: Account): Quote[] {
    const now = this.market.clock();
    const { board } = this.market;
    return symbolsOf(account).flatMap((symbol) => (board.isOpen(symbol, now) && !board.isStale(symbol, now) ? (board.get(symbol) ?? []) : []));
  }

  /** Waits for the thresholds on both sides of the level. */
  private watch(account: Account, { equity, used }: MarginState) {
    const down = account.called ? equity - used / 2 : equity - used;
    const exposures = exposuresOf(account.stakes.values());
    const closing = this.closing();
    for (const exposure of exposures) {
      const price = closing(exposure);
      const away = exposure.side === "buy" ? 1 : -1;
      const reach = (room: number) => distanceOf(exposure, room, exposures.length, account.stakes.size) * away;
      this.add(account, exposure, "loss", price === null ? away * Number.POSITIVE_INFINITY : price - reach(down));
      if (account.called && price !== null) this.add(account, exposure, "gain", price + reach(used - equity));
    }
  }

  private watchEveryTick(account: Account) {
    for (const exposure of exposuresOf(account.stakes.values()))
      this.add(account, exposure, "loss", exposure.side === "buy" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
  }

  private add(account: Account, exposure: Exposure, towards: "loss" | "gain", price: number) {
    const book = this.books.of(exposure);
    const level = { price, alive: true, account, book };
    book.add(exposure.side, towards, level);
    account.levels.push(level);
  }

  private unwatch(account: Account) {
    for (const level of account.levels.splice(0)) level.book.kill(level);
  }

  /** The closing prices of this moment, each worked out once. */
  private closing(): Closing {
    const known: { of: Parameters<Closing>[0]; prices: Prices | null }[] = [];
    const read: (of: Parameters<Closing>[0]) => (typeof known)[number] = (of) => {
      const quote = this.market.board.get(of.symbol);
      const one = { of, prices: quote ? dealtAt(quote, of) : null };
      known.push(one);
      return one;
    };
    return (of) => {
      const { prices } = known.find((each) => isPricedAs(each.of, of)) ?? read(of);
      return prices && closingPrice(of.side, prices);
    };
  }
}

const symbolsOf = (account: Account) => [...new Set([...account.stakes.values()].map(({ symbol }) => symbol))];
