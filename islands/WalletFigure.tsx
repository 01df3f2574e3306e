import { useSignals } from "@preact/signals-react/runtime";
import { displayMoney } from "../src/lib/money";
import { island } from "./lib/island";
import { balances } from "./lib/purse";

/** The wallet's balance, which follows what is done on the page. */
export function WalletFigure({ balance }: { balance: string }) {
  useSignals();
  return <span>{displayMoney(balances.value?.accountBalance ?? balance)}</span>;
}

export default island("WalletFigure", WalletFigure, { when: "idle" });
