import { approveDeposits, approveWithdrawals, type StaffDeposit, type StaffWithdrawal } from "../../src/funding/schema";
import type { Outcome } from "../../src/lib/outcome";
import { compare, displayMoney, sum } from "../../src/lib/money";
import { askedText, isDeposit, type MoneyRequest, payoutLine, personOf } from "../../views/funding/request_words";
import type { TogetherWords } from "../ui/TogetherDialog";
import { sendOnce } from "../wire/intent";

export type Decided = StaffDeposit | StaffWithdrawal;

/** What they are worth in dollars, euros and pounds at the rate that the list shows. */
const worthOf = (rows: readonly MoneyRequest[]) => sum(rows.map((row) => (isDeposit(row) ? (row.creditsUsd ?? "0.00") : row.amount)));
const people = (rows: readonly MoneyRequest[]) => {
  const count = new Set(rows.map(({ userId }) => userId)).size;
  return count === 1 ? personOf(rows[0] as MoneyRequest) : `${count} people`;
};

export const sendTogether = (rows: MoneyRequest[], notes: string): Promise<Outcome<Decided>[]> => {
  const body = { requests: rows.map(({ id, amount }) => ({ id, amount })), notes };
  const [first] = rows;
  return first && isDeposit(first) ? sendOnce(approveDeposits, body) : sendOnce(approveWithdrawals, body);
};

const doneText = (request: Decided): string => {
  if (!("credited" in request)) return payoutLine(request);
  const bonus = request.bonusApplied === "0.00" ? "" : ` and ${displayMoney(request.bonusApplied)} of bonuses`;
  return `credited ${displayMoney(request.credited ?? request.amount)}${bonus}`;
};

/** How a decision about many deposits or withdrawals is put in words. Above the panel's threshold the total is typed, as a single amount is. */
export const togetherWords = (what: "deposits" | "withdrawals", confirmAbove: string): TogetherWords<MoneyRequest, Decided> => ({
  what: (rows) => `${rows.length} ${rows.length === 1 ? what.slice(0, -1) : what}, ${displayMoney(worthOf(rows))}`,
  consequence: (rows) =>
    what === "deposits"
      ? `Credits ${displayMoney(worthOf(rows))} in all to ${people(rows)}, and the bonuses that each deposit earns.`
      : `Pays ${displayMoney(worthOf(rows))} in all to ${people(rows)}: the money that is held counts as paid out from then on.`,
  name: personOf,
  person: ({ userId }) => userId,
  amount: askedText,
  done: doneText,
  typed: (rows) => (compare(worthOf(rows), confirmAbove) > 0 ? worthOf(rows) : null),
  notes: true,
});
