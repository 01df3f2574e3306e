import type { Quote } from "../market/board";
import { tierPip } from "../market/board_sql";
import type { DueExit } from "./commands";
import type { Account } from "./margin";
import { accountPrice, closingPrice, stopReached, targetReached } from "./rules";
import type { Stake } from "./rules_margin";
import { type Level, type TriggerBook, TriggerBooks } from "./triggers";

type Exit = Level & { readonly reason: DueExit["reason"]; readonly positionId: string; readonly book: TriggerBook<Exit> };

/** A position whose exits are watched, where it has any. */
export type Held = {
  readonly account: Account;
  readonly stake: Stake;
  readonly stop: Exit | null;
  readonly target: Exit | null;
  /** The tick at which it was opened or its exits were moved: it answers to later ones. */
  readonly sinceSeq: number;
};

/** The stops and targets of all positions. */
export class ExitBook {
  private readonly positions = new Map<string, Held>();
  private readonly books = new TriggerBooks<Exit>();

  get(positionId: string): Held | undefined {
    return this.positions.get(positionId);
  }
  get size(): number {
    return this.positions.size;
  }

  /** Watches a position's exits, at these prices in units of 10⁻⁸; in place of how they were watched before. */
  arm(account: Account, stake: Stake, stopPrice: number | null, targetPrice: number | null, sinceSeq: number): void {
    this.forget(stake.id);
    const stop = this.exit(account, stake, "stop_loss", stopPrice);
    const target = this.exit(account, stake, "take_profit", targetPrice);
    this.positions.set(stake.id, { account, stake, stop, target, sinceSeq });
  }

  /** Watches a position anew whose exit a tick reached that it need not answer to. */
  rearm({ account, stake, stop, target, sinceSeq }: Held): void {
    this.arm(account, stake, stop?.price ?? null, target?.price ?? null, sinceSeq);
  }

  forget(positionId: string): void {
    const held = this.positions.get(positionId);
    for (const exit of [held?.stop, held?.target]) if (exit) exit.book.kill(exit);
    this.positions.delete(positionId);
  }

  /** Takes out the exits that this tick reaches. */
  reached(quote: Quote): readonly Exit[] {
    return this.books.reached(quote);
  }

  private exit({ tierPips }: Account, { id, symbol, side }: Stake, reason: Exit["reason"], price: number | null): Exit | null {
    if (price === null) return null;
    const book = this.books.of(symbol, tierPips);
    const exit: Exit = { price, alive: true, positionId: id, reason, book };
    book.add(side, reason === "stop_loss" ? "loss" : "gain", exit);
    return exit;
  }
}

/** Which exit of the position the tick reaches, at the account's own prices. */
export function exitReached({ account, stake, stop, target }: Held, quote: Quote): Exit["reason"] | null {
  const closing = closingPrice(stake.side, accountPrice(quote, tierPip(quote.symbol), account.tierPips));
  if (stop && stopReached(stake.side, closing, stop.price)) return "stop_loss";
  return target && targetReached(stake.side, closing, target.price) ? "take_profit" : null;
}
