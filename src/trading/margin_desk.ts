import type { BoardArrays } from "../market/board_sql";
import type { Market } from "../market/market";
import type { Db } from "../platform/database/db";
import type { announcer } from "./announce";
import type { Books } from "./books";
import type { Epoch } from "./commands";
import { type Carried, carryOut } from "./commands_margin";
import type { Account } from "./margin";
import type { Task } from "./queue";

type Parts = { sql: Db; market: Market; board: () => BoardArrays };
/** What it shares with the engine. */
type Shared = {
  books: Books;
  queue: { isBusy(accountId: string): boolean; push(accountId: string, task: Task<never>): void };
  tell: ReturnType<typeof announcer>;
  epoch: Epoch;
  /** Reads an account anew that the database judged otherwise than expected. */
  recheck(accountId: string): Promise<void>;
};

/** Judges accounts by their margin, and carries out what it asks for. */
export class MarginDesk {
  /** Accounts with a judgement on its way. */
  private readonly judged = new Set<string>();

  constructor(
    private readonly parts: Parts,
    private readonly shared: Shared,
  ) {}

  /** Calls, stops out or releases an account whose margin asks for it; later where a task on it is under way. */
  judge(accountId: string): void {
    const { market } = this.parts;
    const { books, queue, epoch } = this.shared;
    const account = queue.isBusy(accountId) || this.judged.has(accountId) ? undefined : books.margin.get(accountId);
    const verdict = account && books.margin.judge(account);
    if (!account || !verdict) return;
    const grounds = { board: this.parts.board(), seq: market.board.newest, quotes: books.margin.dealable(account) };
    this.judged.add(accountId);
    let again = false;
    const run = async () => {
      const carried = carryOut(this.parts.sql, verdict, { id: accountId, positions: [...account.stakes.keys()] }, grounds, epoch, again);
      again = true;
      await this.carried(account, await carried);
    };
    queue.push(accountId, { run: () => run().finally(() => this.judged.delete(accountId)) });
  }

  private async carried({ id, userId }: Account, { call, stopOuts }: Carried) {
    const { books, tell, recheck } = this.shared;
    if (!call && stopOuts.length === 0) return recheck(id);
    for (const done of stopOuts) {
      books.forget(done.closed.id);
      books.settle(done.closed);
      tell.stopOut(userId, done);
    }
    const known = books.margin.get(id);
    if (call && known) known.called = call.called;
    if (call?.called) tell.marginCall(userId, call);
    if (stopOuts.some(({ closed }) => closed.charges)) return recheck(id);
  }
}
