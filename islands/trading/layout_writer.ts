import type { ChartLayout } from "../../src/trading/schema_layouts";

/** From one writing to the next, in ms: what is dragged or typed is few. */
export const GAP_MS = 400;

export type Writing = { name: string; layout: ChartLayout };
type Running = { what: Writing | null; abort: AbortController; over: Promise<void> };

/**
 * Writes what was changed on a chart last: at once, then one writing after another, so that an older one never comes after a newer, and none is
 * lost by leaving. `write` answers whether it was done, and never throws.
 */
export class LayoutWriter {
  /** What is still to be written; also what could not be, until something else is. */
  private unsent: Writing | null = null;
  private running: Running | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private begun = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly write: (what: Writing, signal: AbortSignal) => Promise<boolean>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  change(what: Writing) {
    this.unsent = what;
    if (!this.running) this.timer ??= setTimeout(() => this.hurry(), Math.max(0, this.begun + GAP_MS - this.now()));
  }

  /** The page may go away soon, and still hears answers. */
  hurry() {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const what = this.unsent;
    if (!what || this.running) return;
    this.unsent = null;
    this.begun = this.now();
    this.run(what, (signal) => this.write(what, signal));
  }

  /** The page goes away: what no answer has come to is written once more, and the one under way no further. */
  leave() {
    const what = this.unsent ?? this.running?.what;
    if (!what) return;
    this.running?.abort.abort();
    this.running = null;
    this.unsent = what;
    this.hurry();
  }

  /** Does this once all is written, and writes nothing beside it; `forget`: what was still to be written is not. */
  async alone<T>(deed: () => Promise<T>, forget = false): Promise<T> {
    if (forget) this.unsent = null;
    this.hurry();
    while (this.running) await this.running.over;
    if (forget) this.unsent = null;
    return this.run(null, deed);
  }

  private run<T>(what: Writing | null, deed: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const done = deed(abort.signal);
    const mine: Running = { what, abort, over: Promise.resolve() };
    mine.over = done.then(
      (was) => this.end(mine, was === false),
      () => this.end(mine, true),
    );
    this.running = mine;
    return done;
  }

  private end(mine: Running, failed: boolean) {
    if (this.running !== mine) return;
    this.running = null;
    const next = this.unsent;
    if (next) this.change(next);
    else if (failed) this.unsent = mine.what;
  }
}
