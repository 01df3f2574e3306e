import type { ExitBook } from "./exits";
import type { Account } from "./margin";

/**
 * What the engine knows of an account, in a line: its net in cents, how many positions and orders, and of its open positions the
 * sums of the stops, of the targets (both in units of 10⁻⁸) and of the ticks they answer from. The database makes the same of what
 * it holds (`movedLately`), so that the engine notices what nobody could tell it: a deal whose answer was lost. Null: not known.
 */
export function digestOf(account: Account | undefined, exits: Pick<ExitBook, "get">): string | null {
  if (!account) return null;
  const held = [...account.stakes.keys()].flatMap((id) => exits.get(id) ?? []);
  const sum = (figures: number[]) => figures.reduce((total, figure) => total + BigInt(figure), 0n);
  const stops = sum(held.map(({ stop }) => stop?.price ?? 0));
  const targets = sum(held.map(({ target }) => target?.price ?? 0));
  const ticks = sum(held.map(({ sinceSeq }) => sinceSeq));
  return [account.net, account.stakes.size + account.orders.size, stops, targets, ticks].join(" ");
}
