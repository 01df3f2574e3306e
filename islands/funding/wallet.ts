import { signal } from "@preact/signals-react";
import { type Deposit, listDeposits, listWithdrawals, type Withdrawal } from "../../src/funding/schema";
import { ApiError, call } from "../wire/api";
import { inOrder } from "../runtime/in_order";
import { fetchFinancials } from "../runtime/trading_store";

/** A person's requests, shared by the islands of a page; null as long as what the server drew still holds. The balances are in the trading store. */
export const deposits = signal<Deposit[] | null>(null);
export const withdrawals = signal<Withdrawal[] | null>(null);

const [takeDeposits, takeWithdrawals] = [inOrder(), inOrder()];
const [readDeposits, readWithdrawals] = [() => call(listDeposits), () => call(listWithdrawals)];
/** Fetches the wallet again after a change. What can't be fetched now stays as it was. */
export async function refreshWallet(): Promise<void> {
  const quietly = (load: Promise<void>) =>
    load.catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      console.warn("the lists could not be refreshed", error.message);
    });
  await Promise.all([
    quietly(takeDeposits(readDeposits, (found) => (deposits.value = found))),
    quietly(takeWithdrawals(readWithdrawals, (found) => (withdrawals.value = found))),
    quietly(fetchFinancials()),
  ]);
}

export function forgetWallet() {
  deposits.value = null;
  withdrawals.value = null;
}
