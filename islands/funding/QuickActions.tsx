import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import { Button, ButtonLink } from "../../views/ui/Button";
import { Icon } from "../../views/ui/Icon";
import { financials } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { useWalletEvents } from "./wallet_events";

const DepositDialog = later(async () => ({ default: (await import("./DepositDialog")).DepositDialog }));
const WithdrawalDialog = later(async () => ({ default: (await import("./WithdrawalDialog")).WithdrawalDialog }));
const DIALOGS = { deposit: DepositDialog, withdrawal: WithdrawalDialog };

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
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  const close = () => setOpen(null);
  // Where its code can't be had the dialog says so itself.
  const show = async (which: keyof typeof DIALOGS) => {
    await DIALOGS[which].ready().catch(() => {});
    setOpen(which);
  };
  return (
    <>
      <Button
        variant="secondary"
        size="large"
        className="js-only"
        onPointerEnter={() => void DepositDialog.ready().catch(() => {})}
        onClick={() => void show("deposit")}
      >
        <Icon name="plus" />
        Make a Deposit
      </Button>
      <Button
        variant="secondary"
        size="large"
        className="js-only"
        onPointerEnter={() => void WithdrawalDialog.ready().catch(() => {})}
        onClick={() => void show("withdrawal")}
      >
        <Icon name="wallet" />
        Request Withdrawal
      </Button>
      <noscript>
        <ButtonLink href="/deposit" variant="secondary" size="large">
          Make a Deposit
        </ButtonLink>
      </noscript>
      {open === "deposit" ? <DepositDialog open onClose={close} /> : null}
      {open === "withdrawal" ? <WithdrawalDialog open balance={financials.value?.accountBalance ?? balance} onClose={close} /> : null}
    </>
  );
}

export default island("QuickActions", QuickActions, { when: "touch", shared: true });
