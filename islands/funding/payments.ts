import { useEffect, useState } from "react";
import { activeWallets, type ActiveWallet, listPayments, type PaymentDetails } from "../../src/funding/schema";
import { ApiError, call } from "../wire/api";

/** The ways of payment that are open now. */
export type Payments = { payments: PaymentDetails[]; /** Null where they can't be known: the server decides. */ wallets: ActiveWallet[] | null };

const known = <T>(asked: Promise<T>) =>
  asked.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    return null;
  });

/** What people can pay by, coins included; null until it is known. */
export function usePayments(): Payments | null {
  const [payments, setPayments] = useState<Payments | null>(null);
  useEffect(() => {
    void Promise.all([known(call(listPayments)), known(call(activeWallets))]).then(([details, wallets]) => setPayments({ payments: details ?? [], wallets }));
  }, []);
  return payments;
}
