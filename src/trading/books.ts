import { cents } from "../lib/money";
import type { Market } from "../market/market";
import { ExitBook } from "./exits";
import { Account, MarginBook } from "./margin";
import { OrderBook } from "./orders";
import type { Watched } from "./queries_watch";
import { digestOf } from "./recheck";
import type { Tier } from "./rules_prices";
import type { Position } from "./schema";
import { exitsOf, type OpenFigures, openFigures, stakeOf, tierIn, type WaitingFigures, waitingFigures, waitingOf } from "./watched";

/** What must be known of an account; its net in cents. */
type Owner = Pick<Watched, "accountId" | "userId" | "leverage" | "called"> & { net: number };

/** All that the engine watches, by account: exits, waiting orders, margin. */
export class Books {
  readonly exits = new ExitBook();
  readonly orders = new OrderBook();
  readonly margin: MarginBook;
  /** Positions and orders with a task of the engine on its way. */
  readonly spokenFor = new Set<string>();

  constructor(market: Market) {
    this.margin = new MarginBook(market);
  }

  /** How many positions and orders are watched. */
  get size(): number {
    return this.exits.size + this.orders.size;
  }

  /** The digest of what is known of an account. */
  knows = (accountId: string) => digestOf(this.margin.get(accountId), this.exits, this.orders);

  forget(id: string): void {
    this.exits.forget(id);
    this.orders.forget(id);
  }

  /** The last tick that each position and order of an account need not answer to, as far as they are watched. */
  sinceOf(accountId: string): ReadonlyMap<string, number | undefined> {
    return new Map(this.idsOf(accountId).map((id) => [id, this.exits.get(id)?.sinceSeq ?? this.orders.get(id)?.sinceSeq]));
  }

  /** Takes an account out. */
  clear(accountId: string): void {
    for (const id of this.idsOf(accountId)) this.forget(id);
    this.margin.drop(accountId);
  }

  private idsOf(accountId: string): string[] {
    const account = this.margin.get(accountId);
    return [...(account?.stakes.keys() ?? []), ...(account?.orders.keys() ?? [])];
  }

  /** Takes all out. */
  empty(): void {
    for (const { id } of this.margin.all()) this.clear(id);
  }

  /** Takes all that is watched of one account. */
  enter(rows: readonly Watched[], reading = 0, puzzled = false): void {
    const [first] = rows;
    if (!first) return;
    const account = this.take({ ...first, net: Number(cents(first.net)) }, tierIn(first), reading, puzzled);
    for (const row of rows)
      if (row.status === "open") this.add(account, openFigures(row));
      else this.await(account, waitingFigures(row));
  }

  /** Takes an account, without what it has open or waiting, in place of what was known of it. */
  take({ accountId, userId, leverage, net, called }: Owner, tier: Tier, reading = 0, puzzled = false): Account {
    const account = new Account(accountId, userId, tier, leverage, net, called, reading, puzzled);
    this.margin.set(account);
    return account;
  }

  /** Books the result of a position that the engine closed; the account is known as it was before, since its tasks follow each other. */
  settle({ id, accountId, profit }: Position): void {
    const account = this.margin.get(accountId);
    if (account) this.margin.settle(account, id, Number(cents(profit ?? "0")));
  }

  /** Takes an open position. */
  add(account: Account, row: OpenFigures): void {
    const stake = stakeOf(row, account.tier);
    account.stakes.set(stake.id, stake);
    if (!this.spokenFor.has(stake.id)) this.exits.arm(account, stake, exitsOf(row));
  }

  /** Takes an order that waits. */
  await(account: Account, row: WaitingFigures): void {
    if (this.spokenFor.has(row.id)) return;
    account.orders.set(row.id, row.symbol);
    this.orders.add(waitingOf(row, account));
  }
}
