import { signal } from "@preact/signals-react";
import { type Deposit, listDeposits, listWithdrawals, type Withdrawal } from "../../src/funding/schema";
import { getFinancials } from "../../src/accounts/schema";
import { ApiError, call } from "./api";
import { financials } from "./desk";

/** What the islands of a page share of a person's requests; null until something changed, and what the server drew still holds. The balances are the desk's. */
export const deposits = signal<Deposit[] | null>(null);
export const withdrawals = signal<Withdrawal[] | null>(null);

/** Asks anew after a deed. What can't be had now stays as it was: the deed itself has been told already. */
export async function refreshPurse(): Promise<void> {
  const quietly = <T>(load: Promise<T>, take: (found: T) => void) =>
    load.then(take, (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      console.warn("the lists could not be refreshed", error.message);
    });
  await Promise.all([
    quietly(call(listDeposits), (found) => (deposits.value = found)),
    quietly(call(listWithdrawals), (found) => (withdrawals.value = found)),
    quietly(call(getFinancials), (found) => (financials.value = found)),
  ]);
}

export function forgetPurse() {
  deposits.value = null;
  withdrawals.value = null;
}
