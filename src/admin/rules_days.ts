import { cents, money } from "../lib/money";
import type { DayFigures, DayMethod, DayPart, PartSum, Queue } from "./schema_days";

/** How a day's figures are called, and what has changed since they were written down. */

const PART_NAMES: Readonly<Record<DayPart, string>> = {
  spread: "Spread",
  clients: "Clients' results before spread",
  commissions: "Commissions",
  swaps: "Swap",
  corrections: "Corrections",
  // Repaid is also what was advanced for nights, which nothing was booked for until then.
  forgiven: "Losses beyond balances, less repayments",
  bonuses: "Bonuses",
  in: "Money in",
  out: "Money out",
};
const METHOD_NAMES: Readonly<Record<DayMethod, string>> = { card: "Card", bank: "Bank", crypto: "Crypto", other: "Other" };

export const methodName = (method: DayMethod | null): string => (method ? METHOD_NAMES[method] : "All");
/** "Spread", "Money in, card". */
export const partName = ({ part, method }: { part: DayPart; method: DayMethod | null }): string =>
  method ? `${PART_NAMES[part]}, ${METHOD_NAMES[method].toLowerCase()}` : PART_NAMES[part];

export const QUEUES: Readonly<Record<Queue["queue"], { name: string; href: string }>> = {
  registrations: { name: "Registrations", href: "/admin-registrations" },
  documents: { name: "Documents (KYC)", href: "/admin?tab=kyc" },
  deposits: { name: "Deposits", href: "/admin?tab=deposits" },
  withdrawals: { name: "Withdrawals", href: "/admin?tab=withdrawals" },
  corrections: { name: "Second approvals", href: "/admin?tab=trades&status=waiting" },
  roles: { name: "New administrators", href: "/admin?tab=users" },
  tickets: { name: "Tickets", href: "/admin?tab=support" },
  chats: { name: "Chats", href: "/admin?tab=support&view=chat" },
  contact: { name: "Contact messages", href: "/admin?tab=support&view=contact" },
};

export type Change = { name: string; was: string; is: string; by: string };

/** The figures that are no longer what was written down, the house's result first. */
export function changesBetween(was: DayFigures, is: DayFigures): Change[] {
  const keyOf = ({ part, method }: PartSum) => `${part} ${method ?? ""}`;
  const amounts = (figures: DayFigures) => new Map(figures.parts.map((sum) => [keyOf(sum), sum]));
  const [before, after] = [amounts(was), amounts(is)];
  const all = new Map([...after, ...before]);
  const rows = [
    { name: "House's realised result", was: was.house, is: is.house },
    ...[...all].map(([key, sum]) => ({ name: partName(sum), was: before.get(key)?.amount ?? "0.00", is: after.get(key)?.amount ?? "0.00" })),
  ];
  return rows.filter((row) => row.was !== row.is).map((row) => ({ ...row, by: money(cents(row.is) - cents(row.was)) }));
}
