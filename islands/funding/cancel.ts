import { useState } from "react";
import { cancelDeposit, cancelWithdrawal } from "../../src/funding/schema";
import { attempt } from "../wire/attempt";
import { sendOnce } from "../wire/intent";
import { refreshWallet } from "./wallet";
import { toast } from "../wire/toasts";

const KINDS = {
  deposit: { endpoint: cancelDeposit, done: "Deposit cancelled" },
  withdrawal: { endpoint: cancelWithdrawal, done: "Withdrawal cancelled, the money is back in your wallet" },
} as const;

/** Takes one's own waiting requests back, one at a time. */
export function useCancel(kind: keyof typeof KINDS = "deposit") {
  const [busy, setBusy] = useState<string | null>(null);
  const { endpoint, done } = KINDS[kind];
  const cancel = async (id: string) => {
    setBusy(id);
    const ended: unknown = await attempt("Cancelling failed", () => sendOnce(endpoint, undefined, { id }));
    if (ended) toast({ title: done });
    await refreshWallet();
    setBusy(null);
  };
  return { busy, cancel: (id: string) => void cancel(id) };
}
