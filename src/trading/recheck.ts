import type { ExitBook } from "./exits";
import type { Account } from "./margin";
import type { OrderBook } from "./orders";

/**
 * A digest of an account as the engine knows it: its net in cents, the number of positions and orders, and four sums: over its open positions
 * stops and targets (both in units of 10⁻⁸), and over all the ticks from which they are watched, and what moves stops, triggers orders and ends
 * them. The database computes the same (`movedLately`), so that the engine notices a deal whose answer was lost. Null: not known.
 */
export function digestOf(account: Account | undefined, exits: Pick<ExitBook, "get">, orders: Pick<OrderBook, "get">): string | null {
  if (!account) return null;
  const held = [...account.stakes.keys()].flatMap((id) => exits.get(id) ?? []);
  const waiting = [...account.orders.keys()].flatMap((id) => orders.get(id) ?? []);
  const sum = (figures: number[]) => figures.reduce((total, figure) => total + BigInt(figure), 0n);
  const stops = sum(held.map(({ stop }) => stop?.price ?? 0));
  const targets = sum(held.map(({ target }) => target?.price ?? 0));
  const ticks = sum([...held, ...waiting].map(({ sinceSeq }) => sinceSeq));
  const terms = sum([
    ...held.map(({ trail }) => (trail?.distance ?? 0) + (trail?.breakEven ?? 0)),
    ...waiting.flatMap(({ level, expiresAt }) => [level ?? 0, expiresAt ?? 0]),
  ]);
  return [account.net, account.stakes.size + account.orders.size, stops, targets, ticks, terms].join(" ");
}
