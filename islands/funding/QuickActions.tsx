import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import { Button, ButtonLink } from "../../views/ui/Button";
import { Icon } from "../../views/ui/Icon";
import { DepositDialog } from "./DepositDialog";
import { financials } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useWalletEvents } from "./wallet_events";
import { WithdrawalDialog } from "./WithdrawalDialog";

/** The dashboard's next steps. `balance` is the wallet's, in USD. */
export const QuickActions = ({ balance }: { balance: string }) => (
  <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:flex-col">
    <ButtonLink href="/traders-portal" size="large" className="sm:order-3">
      <Icon name="candles" />
      Open New Trade
    </ButtonLink>
    <MoneyActions balance={balance} />
  </div>
);

/** Money in and out, each with its dialog. Where no script runs the crypto portal takes deposits. */
export function MoneyActions({ balance }: { balance: string }) {
  useSignals();
  useWalletEvents();
  const [open, setOpen] = useState<"deposit" | "withdrawal" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button variant="secondary" size="large" className="js-only" onClick={() => setOpen("deposit")}>
        <Icon name="plus" />
        Make a Deposit
      </Button>
      <Button variant="secondary" size="large" className="js-only" onClick={() => setOpen("withdrawal")}>
        <Icon name="wallet" />
        Request Withdrawal
      </Button>
      <noscript>
        <ButtonLink href="/deposit" variant="secondary" size="large">
          Make a Deposit
        </ButtonLink>
      </noscript>
      <DepositDialog open={open === "deposit"} onClose={close} />
      <WithdrawalDialog open={open === "withdrawal"} balance={financials.value?.accountBalance ?? balance} onClose={close} />
    </>
  );
}

export default island("QuickActions", QuickActions);
