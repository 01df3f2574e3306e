import type { Quote } from "../market/board";
import type { Bus } from "../platform/cluster/bus";
import type { Db } from "../platform/database/db";
import type { Epoch } from "./commands";
import { moveStops, type StopMove } from "./commands_waiting";

/** Stop losses of one account that the price moved, on their way to the database. */
export type Moved = { readonly kind: "stops"; readonly accountId: string; readonly userId: string; readonly moves: StopMove[] };

/** Gathers what moves of an account until its turn comes, and writes it: many accounts in one statement. */
export class MoveDesk {
  private readonly waiting = new Map<string, Moved>();

  constructor(
    private readonly sql: Db,
    private readonly bus: Bus,
    private readonly epoch: Epoch,
  ) {}

  /** Takes a move. Answers with what is to be written where nothing of the account waits yet. */
  take(account: { id: string; userId: string }, positionId: string, quote: Quote): Moved | null {
    const begun = this.waiting.get(account.id);
    if (begun) {
      begun.moves.push({ positionId, quote });
      return null;
    }
    const moved: Moved = { kind: "stops", accountId: account.id, userId: account.userId, moves: [{ positionId, quote }] };
    this.waiting.set(account.id, moved);
    return moved;
  }

  /** Writes what moved; unless it is `patient`, not of accounts that another command holds. Answers with the accounts whose was. */
  async write(list: readonly Moved[], patient: boolean): Promise<ReadonlySet<string>> {
    const owners = new Map<string, string>();
    for (const moved of list) {
      const { accountId, userId } = moved;
      if (this.waiting.get(accountId) === moved) this.waiting.delete(accountId);
      owners.set(accountId, userId);
    }
    const { held, moved } = await moveStops(this.sql, list, patient, this.epoch);
    for (const { id, accountId } of moved) this.bus.publish("position", { userId: owners.get(accountId) ?? "", accountId, positionId: id });
    return new Set(held);
  }
}
