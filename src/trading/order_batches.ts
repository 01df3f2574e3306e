import type { BoardArrays } from "../market/board_sql";
import { type Db, isRolledBack } from "../platform/database/db";
import type { Done, Foretell } from "../platform/http/idempotency";
import { openPosition } from "./commands";
import { openTogether, type Sent } from "./commands_together";
import type { Position } from "./schema";

type Opened = Done<Position> & { userId: string };
type Waiting = Sent & { readonly answer: PromiseWithResolvers<Opened>; readonly foretell: Foretell<Position> | undefined };

/** Orders of one batch at most: so long may the first of them have to wait for the last. */
const MOST = 64;
/** So many batches are written at a time, and so many orders at least make one beside another: while the database writes these, the program answers those. */
const AT_ONCE = 2;
const BESIDE = 16;
/** After so many ms a batch, or an order alone, that is still being written holds up the others no longer: it may wait for a lock. */
const PATIENCE = 20;

/**
 * Group commit for orders at the market: what comes while a batch is written goes into the next one, in one statement and one flush of the
 * disk, as soon as that is done or many have come. An order that finds nothing under way is sent at once, so nobody waits for company. Each is
 * still filled or refused by itself: what a batch did not fill is placed alone. A session's orders go one after another.
 */
export class OrderBatches {
  private waiting: Waiting[] = [];
  /** How many batches are being written; what comes meanwhile gathers for the next. */
  private writing = 0;
  /** The sessions with an order that was sent and has no answer yet. */
  private readonly busy = new Set<string>();

  constructor(
    private readonly sql: Db,
    private readonly board: () => BoardArrays,
  ) {}

  /** Fills an order at the market. Refuses what `openPosition` refuses. Of an order that is placed alone `foretell` hears the answer first. */
  open(sent: Sent, foretell?: Foretell<Position>): Promise<Opened> {
    const answer = Promise.withResolvers<Opened>();
    this.waiting.push({ ...sent, answer, foretell });
    this.send();
    return answer.promise;
  }

  private send(): void {
    if (this.writing >= AT_ONCE) return;
    const batch = this.take(this.writing === 0 ? 1 : BESIDE);
    if (batch.length === 0) return;
    this.writing++;
    let isAwaited = true;
    const goOn = () => {
      if (!isAwaited) return;
      isAwaited = false;
      clearTimeout(timer);
      this.writing--;
      this.send();
    };
    const timer = setTimeout(goOn, PATIENCE);
    void this.write(batch).finally(goOn);
  }

  /** The oldest orders that may be sent, one of each session; none of them where they are fewer than `least`. */
  private take(least: number): Waiting[] {
    if (this.waiting.length < least) return [];
    const batch = new Map<string, Waiting>();
    for (const order of this.waiting) {
      if (batch.size === MOST) break;
      const { session } = order.by;
      if (!this.busy.has(session) && !batch.has(session)) batch.set(session, order);
    }
    if (batch.size < least) return [];
    this.waiting = this.waiting.filter((order) => batch.get(order.by.session) !== order);
    for (const session of batch.keys()) this.busy.add(session);
    return [...batch.values()];
  }

  /** Resolves when the batch's own statement is done; what it left is placed alone meanwhile. */
  private async write(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch;
    if (first && batch.length === 1) return this.alone(first);
    try {
      const left = new Set(batch);
      for (const { place, userId, idle, answer } of await openTogether(this.sql, batch, this.board())) {
        const order = batch[place] as Waiting;
        left.delete(order);
        order.by.used(idle);
        this.settle(order, () => order.answer.resolve({ status: 201, answer, userId }));
      }
      for (const order of left) void this.alone(order);
    } catch (error) {
      // One order's fault is not the others': each hears its own answer. Where it is not known whether they were filled, all hear that.
      if (isRolledBack(error)) for (const order of batch) void this.alone(order);
      else for (const order of batch) this.settle(order, () => order.answer.reject(error));
    }
  }

  private async alone(sent: Waiting): Promise<void> {
    const { by, order, quote, key, epoch, answer, foretell } = sent;
    await openPosition(this.sql, by, order, true, quote, this.board(), key, epoch, foretell).then(
      (opened) => this.settle(sent, () => answer.resolve(opened)),
      (error: unknown) => this.settle(sent, () => answer.reject(error)),
    );
  }

  private settle({ by }: Waiting, tell: () => void): void {
    this.busy.delete(by.session);
    tell();
    this.send();
  }
}
