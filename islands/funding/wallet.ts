import { signal } from "@preact/signals-react";
import { type Deposit, listDeposits, listWithdrawals, type Withdrawal } from "../../src/funding/schema";
import { getFinancials } from "../../src/accounts/schema";
import { ApiError, call } from "../wire/api";
import { financials } from "../runtime/trading_store";

/** A person's requests, shared by the islands of a page; null as long as what the server drew still holds. The balances are in the trading store. */
export const deposits = signal<Deposit[] | null>(null);
export const withdrawals = signal<Withdrawal[] | null>(null);

/** Fetches the wallet again after a change. What can't be fetched now stays as it was. */
export async function refreshWallet(): Promise<void> {
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

export function forgetWallet() {
  deposits.value = null;
  withdrawals.value = null;
}
