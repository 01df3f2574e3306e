import type { Quote } from "../market/board";
import type { DueExit } from "./commands";
import type { Account } from "./margin";
import { closingPrice, stopReached, targetReached } from "./rules";
import type { Stake } from "./rules_margin";
import type { Level } from "../market/levels";
import { dealtAt, type TriggerBook, TriggerBooks } from "./triggers";

type Exit = Level & { readonly reason: DueExit["reason"]; readonly positionId: string; readonly book: TriggerBook<Exit> };
/** A price at which a stop loss moves. */
type Move = Level & { readonly positionId: string; readonly book: TriggerBook<Move> };

/** How a stop loss moves, as price distances in units of 10⁻⁸: behind the best closing price; to the opening price once so much is gained. */
export type Trail = { readonly distance: number | null; readonly breakEven: number | null };
/** Stop and target in units of 10⁻⁸, and the tick at which the position was opened or its exits were moved: it answers to later ones. */
export type Exits = { readonly stop: number | null; readonly target: number | null; readonly trail: Trail | null; readonly sinceSeq: number };

/** A position whose exits are watched, where it has any. */
export type Held = {
  readonly account: Account;
  readonly stake: Stake;
  readonly target: Exit | null;
  stop: Exit | null;
  trail: Trail | null;
  move: Move | null;
  sinceSeq: number;
};

/** The stops and targets of all positions, and what moves the stops. */
export class ExitBook {
  private readonly positions = new Map<string, Held>();
  private readonly books = new TriggerBooks<Exit>();
  private readonly moves = new TriggerBooks<Move>();

  get(positionId: string): Held | undefined {
    return this.positions.get(positionId);
  }
  get size(): number {
    return this.positions.size;
  }

  /** Watches a position's exits, in place of how they were watched before. */
  arm(account: Account, stake: Stake, { stop, target, trail, sinceSeq }: Exits): void {
    this.forget(stake.id);
    const held: Held = {
      account,
      stake,
      stop: this.exit(stake, "stop_loss", stop),
      target: this.exit(stake, "take_profit", target),
      trail,
      move: null,
      sinceSeq,
    };
    this.positions.set(stake.id, held);
    this.awaitMove(held);
  }

  /** Whether a position that an earlier tick reached must answer to it; where not, it is watched anew. */
  answers(positionId: string, quote: Quote): boolean {
    const held = this.positions.get(positionId);
    if (!held || held.sinceSeq < quote.seq) return held !== undefined;
    const { account, stake, stop, target, trail, sinceSeq } = held;
    this.arm(account, stake, { stop: stop?.price ?? null, target: target?.price ?? null, trail, sinceSeq });
    return false;
  }

  forget(positionId: string): void {
    const held = this.positions.get(positionId);
    if (!held) return;
    for (const exit of [held.stop, held.target]) if (exit) exit.book.kill(exit);
    if (held.move) held.move.book.kill(held.move);
    this.positions.delete(positionId);
  }

  /** Takes out the exits that this tick reaches. */
  reached(quote: Quote): readonly Exit[] {
    return this.books.reached(quote);
  }

  /** Takes out what moves a stop loss on this tick; each is to be moved, or armed anew. */
  moving(quote: Quote): readonly { readonly positionId: string }[] {
    return this.moves.reached(quote);
  }

  /** Moves the stop loss as far as this tick asks for, as SQL's stop_wanted does. False where it asks for nothing. */
  move(held: Held, quote: Quote): boolean {
    const { stake, trail, stop } = held;
    if (!trail) return false;
    const way = stake.side === "buy" ? 1 : -1;
    const closing = closingPrice(stake.side, dealtAt(quote, stake));
    const broke = trail.breakEven !== null && (closing - stake.open) * way >= trail.breakEven;
    let level = trail.distance === null || closing - way * trail.distance <= 0 ? null : closing - way * trail.distance;
    if (broke && (level === null || (stake.open - level) * way > 0)) level = stake.open;
    const moves = level !== null && (stop === null || (level - stop.price) * way > 0);
    if (moves) {
      if (stop) stop.book.kill(stop);
      held.stop = this.exit(stake, "stop_loss", level);
    }
    if (broke) held.trail = { ...trail, breakEven: null };
    if (moves || broke) held.sinceSeq = quote.seq;
    this.awaitMove(held);
    return moves || broke;
  }

  /** Waits for the next price that moves the stop loss. */
  private awaitMove(held: Held): void {
    const { stake, trail, stop } = held;
    if (held.move) held.move.book.kill(held.move);
    held.move = null;
    const distance = trail?.distance ?? null;
    const breakEven = trail?.breakEven ?? null;
    if (distance === null && breakEven === null) return;
    const long = stake.side === "buy";
    const behind = distance === null ? null : long ? (stop?.price ?? 0) + distance + 1 : (stop?.price ?? Number.POSITIVE_INFINITY) - distance - 1;
    const even = breakEven === null ? null : stake.open + (long ? breakEven : -breakEven);
    const price = (long ? Math.min : Math.max)(behind ?? even ?? 0, even ?? behind ?? 0);
    const book = this.moves.of(stake);
    held.move = { price, alive: true, positionId: stake.id, book };
    book.add(stake.side, "gain", held.move);
  }

  private exit(stake: Stake, reason: Exit["reason"], price: number | null): Exit | null {
    if (price === null) return null;
    const book = this.books.of(stake);
    const exit: Exit = { price, alive: true, positionId: stake.id, reason, book };
    book.add(stake.side, reason === "stop_loss" ? "loss" : "gain", exit);
    return exit;
  }
}

/** Which exit of the position the tick reaches, at the account's own prices. */
export function exitReached({ stake, stop, target }: Held, quote: Quote): Exit["reason"] | null {
  const closing = closingPrice(stake.side, dealtAt(quote, stake));
  if (stop && stopReached(stake.side, closing, stop.price)) return "stop_loss";
  return target && targetReached(stake.side, closing, target.price) ? "take_profit" : null;
}
