import { useEffect, useState } from "react";
import { depositsForecast, type DepositsForecast } from "../../src/admin/schema";
import type { StaffDeposit, StaffWithdrawal } from "../../src/funding/schema";
import { approveDeposits, approveWithdrawals } from "../../src/funding/schema_together";
import type { Outcome } from "../../src/lib/outcome";
import { compare, displayMoney, sum } from "../../src/lib/money";
import { askedText, isDeposit, type MoneyRequest, payoutLine, personOf, sumsText } from "../../views/funding/request_words";
import type { TogetherWords } from "../ui/TogetherDialog";
import { ApiError, call } from "../wire/api";
import { sendOnce } from "../wire/intent";

export type Decided = StaffDeposit | StaffWithdrawal;

/** What they are worth in dollars, euros and pounds at the rate that the list shows. */
const worthOf = (rows: readonly MoneyRequest[]) => sum(rows.map((row) => (isDeposit(row) ? (row.creditsUsd ?? "0.00") : row.amount)));
const people = (rows: readonly MoneyRequest[]) => {
  const count = new Set(rows.map(({ userId }) => userId)).size;
  return count === 1 ? personOf(rows[0] as MoneyRequest) : `${count} people`;
};

/** Of what money they are, where it is not all dollars. */
const partsLine = (rows: readonly MoneyRequest[]) => {
  const sums = sumsText(rows);
  return sums === null ? "" : ` Asked for: ${sums}.`;
};

/** What they credit, and which bonuses they pay at this moment. */
function Credits({ rows }: { rows: readonly MoneyRequest[] }) {
  const ids = rows.map(({ id }) => id).join();
  const [forecast, setForecast] = useState<DepositsForecast | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    let here = true;
    call(depositsForecast, { ids: ids.split(",") })
      .then((known) => here && setForecast(known))
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (here) setFault(error.message);
      });
    return () => {
      here = false;
    };
  }, [ids]);
  return (
    <>
      {`Credits ${displayMoney(worthOf(rows))} in all to ${people(rows)}.${partsLine(rows)} `}
      <span className="block min-h-6">
        {forecast ? bonusesLine(forecast) : fault ? `Their bonuses are not known: ${fault}` : "Looking what bonuses they earn..."}
      </span>
    </>
  );
}

/** "Pays $600.00 of bonuses for 2 of them, and $50.00 to who referred them." */
function bonusesLine({ bonuses, referrals }: DepositsForecast): string {
  const parts = [
    bonuses.count > 0 ? `${displayMoney(bonuses.usd)} of bonuses for ${bonuses.count} of them` : null,
    referrals === "0.00" ? null : `${displayMoney(referrals)} to who referred them`,
  ].filter((part) => part !== null);
  return parts.length > 0 ? `Pays ${parts.join(", and ")}.` : "None of them earns a bonus.";
}

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
    what === "deposits" ? (
      <Credits rows={rows} />
    ) : (
      `Pays ${displayMoney(worthOf(rows))} in all to ${people(rows)}: the money that is held counts as paid out from then on.${partsLine(rows)}`
    ),
  name: personOf,
  person: ({ userId }) => userId,
  amount: askedText,
  done: doneText,
  typed: (rows) => (compare(worthOf(rows), confirmAbove) > 0 ? worthOf(rows) : null),
  notes: true,
});
