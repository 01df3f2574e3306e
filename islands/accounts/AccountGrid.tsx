import { useSignals } from "@preact/signals-react/runtime";
import type { TradingAccount } from "../../src/accounts/schema";
import { AccountCards } from "../../views/accounts/AccountCards";
import { accounts, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";

/** A person's open accounts, their balances as they change. */
export function AccountGrid({ accounts: first }: { accounts: TradingAccount[] }) {
  useSignals();
  const here = useTradingStore({ accounts: first });
  return <AccountCards accounts={((here && accounts.value) || first).filter(({ status }) => status === "active")} />;
}

export default island("AccountGrid", AccountGrid, { when: "idle" });
