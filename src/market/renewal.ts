import { Refusal } from "../lib/refusal";
import { inTime, SECOND } from "../lib/time";
import type { Bus } from "../platform/cluster/bus";

/** So long, in ms, may the leader's answer take: another one comes to lead in less. */
const PATIENCE = 4 * SECOND;
/** Nobody may have led when it was asked for. */
const ASK_EVERY = SECOND / 5;

/**
 * A follower's board lags behind the leader's by as long as a notice takes, and whoever watches the leader knows the prices to come. So
 * before a deal the leader is asked: when it answers, the board here holds all that the leader's held after the deal was asked for.
 */
export class Renewal {
  private running: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  constructor(
    private readonly bus: Bus,
    /** False for an answer of a program that leads no longer. */
    private readonly believed: (epoch: number) => boolean,
  ) {}

  /**
   * Resolves when the board is as the leader's was at this moment or later; and, where a person is named in `after`, as it was when all was written
   * that its ticks had set off for that one. Refuses (stale_price) where no leader answers.
   */
  ask(after?: string): Promise<void> {
    if (after !== undefined) return this.askNow(after);
    // The running question's answer may describe an earlier moment, so whoever asks now waits for the next one.
    this.next ??= (this.running ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        this.next = null;
        this.running = this.askNow();
        return this.running;
      });
    return this.next;
  }

  private async askNow(after?: string): Promise<void> {
    const nonce = crypto.randomUUID();
    const told = Promise.withResolvers<true>();
    const stop = this.bus.subscribe("renewedPrices", (answer) => answer.nonce === nonce && this.believed(answer.epoch) && told.resolve(true));
    const ask = () => this.bus.publish("askPrices", { nonce, ...(after === undefined ? {} : { after }) });
    ask();
    const asking = setInterval(ask, ASK_EVERY);
    const answered = await inTime(told.promise, PATIENCE);
    clearInterval(asking);
    stop();
    if (!answered) throw new Refusal("stale_price", "There is no current price. Please try again in a moment.", undefined, 2);
  }
}
