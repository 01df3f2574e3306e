import type { Refusal } from "../lib/refusal";
import { refusalOf } from "../platform/db";
import type { Log } from "../platform/log";

/** Accounts that are worked on at once; the rest wait in their order. */
const HANDS = 8;
const RETRY_FROM_MS = 50;
const RETRY_UP_TO_MS = 5_000;

export type Deed = () => Promise<void>;

/**
 * Deeds on accounts: one after the other for each account, several accounts at once. A deed whose write fails is repeated
 * until it lands; one that is refused is over.
 */
export class DeedQueue {
  private readonly lines = new Map<string, Deed[]>();
  /** Accounts with deeds and no hand on them yet. */
  private waiting: string[] = [];
  private running = 0;
  private stopped = false;
  private idleWaiters: (() => void)[] = [];

  /** `drained` hears of each account whose last deed is over, before anyone is told that all is idle. */
  constructor(
    private readonly log: Log,
    private readonly drained: (accountId: string) => void,
  ) {}

  push(accountId: string, deed: Deed) {
    if (this.stopped) return;
    const line = this.lines.get(accountId);
    if (line) return void line.push(deed);
    this.lines.set(accountId, [deed]);
    this.waiting.push(accountId);
    if (this.running < HANDS) void this.work();
  }

  /** True while a deed on the account waits or is under way. */
  isBusy(accountId: string): boolean {
    return this.lines.has(accountId);
  }

  get busy(): string[] {
    return [...this.lines.keys()];
  }

  /** Resolves when no deed is under way or waiting; undefined where none is. */
  idle(): Promise<void> | undefined {
    return this.lines.size === 0 ? undefined : new Promise((done) => this.idleWaiters.push(done));
  }

  /** Finishes what is under way and drops the rest. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const accountId of this.waiting.splice(0)) this.lines.delete(accountId);
    await this.idle();
  }

  private async work() {
    this.running++;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) await this.step(next);
    this.running--;
    if (this.lines.size === 0) for (const done of this.idleWaiters.splice(0)) done();
  }

  /** One deed of an account; then the others have their turn. */
  private async step(accountId: string) {
    const line = this.lines.get(accountId) ?? [];
    const deed = line[0];
    if (deed) await this.persist(deed, accountId);
    line.shift();
    if (line.length > 0 && !this.stopped) return void this.waiting.push(accountId);
    this.lines.delete(accountId);
    if (this.stopped) return;
    try {
      this.drained(accountId);
    } catch (error) {
      this.log.error("an account could not be judged", { accountId, error });
    }
  }

  private async persist(deed: Deed, accountId: string) {
    for (let wait = RETRY_FROM_MS; !this.stopped; wait = Math.min(RETRY_UP_TO_MS, wait * 2)) {
      try {
        return await deed();
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal && refusal.code !== "unavailable") return this.note(refusal, accountId);
        this.log.warn("an exit could not be written yet, will try again", { accountId, error });
        await Bun.sleep(wait);
      }
    }
  }

  private note({ code, message }: Refusal, accountId: string) {
    const expected = code === "conflict" || code === "not_triggered";
    this.log[expected ? "debug" : "error"]("an exit was refused", { accountId, code, message });
  }
}
