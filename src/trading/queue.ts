import type { Refusal } from "../lib/refusal";
import { isPassing, refusalOf } from "../platform/database/db";
import type { Log } from "../platform/log";

/** Tasks that are worked on at once; the rest wait in their order. */
const HANDS = 8;
/** Tasks that are carried out in one statement, at most. */
const TOGETHER = 128;
const RETRY_FROM_MS = 50;
const RETRY_UP_TO_MS = 5_000;

/** Something to be done on one account: by `run`; together with others of its kind where it is `listed`. */
export type Task<T extends Listed> = { run(): Promise<void>; listed?: T };
type Listed = { readonly kind: string };
type Waiting<T extends Listed> = { readonly task: Task<T>; listed: T | null; failures: number };
type Line<T extends Listed> = { readonly accountId: string; readonly tasks: Waiting<T>[] };

/** Carries out tasks in one statement, all or nothing, and says of each whether it did; the others are then run alone. */
type Together<T extends Listed> = (list: T[]) => Promise<boolean[]>;

/**
 * Tasks on accounts: one after the other for each account, several accounts at once. A task whose write fails is repeated
 * until it lands; one that is refused is over. While the database is away, an account's tasks keep their order; a task that
 * fails for a reason of its own steps aside, and the account's others go on. Nobody waits for another account's failure.
 */
export class TaskQueue<T extends Listed> {
  private readonly lines = new Map<string, Line<T>>();
  /** Lines with tasks and no hand on them yet. */
  private readonly waiting: Line<T>[] = [];
  /** How many tasks of an account have stepped aside. */
  private readonly aside = new Map<string, number>();
  private readonly timers = new Set<Timer>();
  private running = 0;
  private stopped = false;
  private idleWaiters: (() => void)[] = [];
  private quietWaiters: (() => void)[] = [];
  /** Who waits for a turn of an account's line. */
  private readonly passers = new Set<() => void>();

  /**
   * `drained` hears of each account whose line is empty, before anyone is told that all is idle. `deposed` hears that another
   * program leads: then nothing more is done here.
   */
  constructor(
    private readonly log: Log,
    private readonly together: Together<T>,
    private readonly drained: (accountId: string) => void,
    private readonly deposed: () => void,
  ) {}

  push(accountId: string, task: Task<T>) {
    this.enqueue(accountId, { task, listed: task.listed ?? null, failures: 0 });
  }

  /** True while a task on the account is in line or under way. */
  isBusy(accountId: string): boolean {
    return this.lines.has(accountId);
  }

  get busy(): string[] {
    return [...this.lines.keys()];
  }

  /**
   * Resolves when all that is in line or under way on accounts that `counts` is over, or will not be done here; also what came of it, as an account that
   * is read anew may turn out to have been reached.
   */
  async passed(counts: (accountId: string) => boolean): Promise<void> {
    for (let turn = 0; turn < 2; turn++) await Promise.all(this.busy.filter(counts).map((accountId) => this.turnOf(accountId)));
  }

  private turnOf(accountId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const pass = () => {
      this.passers.delete(pass);
      resolve();
    };
    this.passers.add(pass);
    this.push(accountId, { run: async () => pass() });
    if (this.stopped) pass();
    return promise;
  }

  /** Resolves when no task is under way or waiting; undefined where none is. */
  idle(): Promise<void> | undefined {
    return this.lines.size + this.aside.size === 0 ? undefined : new Promise((done) => this.idleWaiters.push(done));
  }

  /** Resolves when no task is under way or about to be: what could not be written waits for its next try; undefined where none is. */
  quiet(): Promise<void> | undefined {
    return this.running === 0 ? undefined : new Promise((done) => this.quietWaiters.push(done));
  }

  /** Finishes what is under way and drops the rest. */
  async stop(): Promise<void> {
    this.halt();
    this.settleIdle();
    await this.idle();
  }

  private halt() {
    this.stopped = true;
    for (const pass of this.passers) pass();
    for (const timer of this.timers) clearTimeout(timer);
    this.aside.clear();
    for (const line of this.waiting.splice(0)) this.lines.delete(line.accountId);
  }

  private enqueue(accountId: string, waiting: Waiting<T>) {
    if (this.stopped) return;
    const line = this.lines.get(accountId);
    if (line) return void line.tasks.push(waiting);
    const begun = { accountId, tasks: [waiting] };
    this.lines.set(accountId, begun);
    this.offer(begun);
  }

  private offer(line: Line<T>) {
    this.waiting.push(line);
    if (this.running < HANDS) void this.work();
  }

  private async work() {
    this.running++;
    // What one tick fires is all in line by then.
    await Promise.resolve();
    for (let turn = this.next(); turn.length > 0; turn = this.next()) await this.take(turn);
    this.running--;
    this.settleIdle();
  }

  private settleIdle() {
    if (this.running === 0) for (const done of this.quietWaiters.splice(0)) done();
    if (this.stopped && this.running === 0) this.lines.clear();
    if (this.lines.size + this.aside.size === 0) for (const done of this.idleWaiters.splice(0)) done();
  }

  /** The next account's turn; with it those of the accounts behind, as far as they can be served in one statement. */
  private next(): Line<T>[] {
    const first = this.waiting.shift();
    if (!first) return [];
    const turn = [first];
    const kindOf = (line: Line<T> | undefined) => line?.tasks[0]?.listed?.kind;
    const kind = kindOf(first);
    if (kind !== undefined) while (turn.length < TOGETHER && kindOf(this.waiting[0]) === kind) turn.push(this.waiting.shift() as Line<T>);
    return turn;
  }

  /** One task of each account; then the others have their turn. */
  private async take(turn: Line<T>[]) {
    const heads = turn.map(({ tasks }) => tasks[0] as Waiting<T>);
    if (heads[0]?.listed == null) return this.runAlone(turn[0] as Line<T>, heads[0] as Waiting<T>);
    let done: boolean[] = [];
    try {
      done = await this.together(heads.map(({ listed }) => listed as T));
    } catch (error) {
      if (this.isOver(error)) return turn.forEach((line) => this.goOn(line));
      this.log.warn("exits could not be written yet, will try again", { exits: heads.length, kind: heads[0]?.listed?.kind, error });
      if (isPassing(error) || refusalOf(error)) return turn.forEach((line, place) => this.later(line, heads[place] as Waiting<T>));
    }
    for (const [place, line] of turn.entries()) {
      if (done[place]) line.tasks.shift();
      else (heads[place] as Waiting<T>).listed = null;
      this.goOn(line);
    }
  }

  private async runAlone(line: Line<T>, head: Waiting<T>) {
    try {
      await head.task.run();
      line.tasks.shift();
    } catch (error) {
      const refusal = refusalOf(error);
      const { accountId } = line;
      if (this.isOver(error)) return this.goOn(line);
      if (refusal && refusal.code !== "unavailable") {
        this.note(refusal, accountId);
        line.tasks.shift();
      } else {
        this.log.warn("exits could not be written yet, will try again", { accountId, error });
        if (refusal || isPassing(error)) return this.later(line, head);
        line.tasks.shift();
        this.stepAside(accountId, head);
      }
    }
    this.goOn(line);
  }

  private goOn(line: Line<T>) {
    if (line.tasks.length > 0 && !this.stopped) return this.offer(line);
    this.lines.delete(line.accountId);
    if (this.stopped) return;
    try {
      this.drained(line.accountId);
    } catch (error) {
      this.log.error("an account could not be judged", { accountId: line.accountId, error });
    }
  }

  /** The whole line waits, in its order. */
  private later(line: Line<T>, head: Waiting<T>) {
    this.afterPause(head, () => this.offer(line));
  }

  private stepAside(accountId: string, waiting: Waiting<T>) {
    if (this.stopped) return;
    this.aside.set(accountId, (this.aside.get(accountId) ?? 0) + 1);
    this.afterPause(waiting, () => {
      const left = (this.aside.get(accountId) ?? 1) - 1;
      if (left > 0) this.aside.set(accountId, left);
      else this.aside.delete(accountId);
      this.enqueue(accountId, waiting);
    });
  }

  private afterPause(waiting: Waiting<T>, then: () => void) {
    if (this.stopped) return;
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        then();
      },
      Math.min(RETRY_UP_TO_MS, RETRY_FROM_MS * 2 ** waiting.failures++),
    );
    this.timers.add(timer);
  }

  /** True where the database refused because another program leads: the tasks are its own now. */
  private isOver(error: unknown): boolean {
    if (refusalOf(error)?.code !== "deposed") return false;
    this.halt();
    this.deposed();
    return true;
  }

  private note({ code, message }: Refusal, accountId: string) {
    const expected = code === "conflict" || code === "not_triggered";
    this.log[expected ? "debug" : "error"]("an exit was refused", { accountId, code, message });
  }
}
