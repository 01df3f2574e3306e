import { useSignals } from "@preact/signals-react/runtime";
import { listAccounts, type TradingAccount } from "../../src/accounts/schema";
import { createTransfer, transferBody } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { AmountField } from "../../views/funding/AmountField";
import { Button, ButtonLink } from "../../views/ui/Button";
import { Panel } from "../../views/ui/Card";
import { SelectField } from "../../views/ui/Field";
import { EmptyState } from "../../views/ui/States";
import { accountName } from "../../views/accounts/account_name";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { call } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { accounts, financials, useTradingStore } from "../runtime/trading_store";
import { useForm } from "../wire/form";
import { sendOnce } from "../wire/intent";
import { island } from "../runtime/island";
import { refreshWallet } from "./wallet";
import { toast } from "../wire/toasts";

type Props = { balance: string; accounts: TradingAccount[] };

const NAMES = ["fromAccountId", "toAccountId", "amount"] as const;

/** Moves money between the wallet and the live accounts. */
export function TransferForm({ balance, accounts: first }: Props) {
  useSignals();
  const here = useTradingStore({ accounts: first });
  const live = ((here && accounts.value) || first).filter(({ isDemo, status }) => !isDemo && status === "active");
  const { messages, unsaid, pending, form } = useForm({
    schema: transferBody,
    names: NAMES,
    after: "again",
    send: async (value, element) => {
      await sendOnce(createTransfer, value);
      toast({ title: "Transfer Complete", description: `${displayMoney(value.amount)} moved.` });
      element.reset();
      const [fresh] = await Promise.all([call(listAccounts), refreshWallet()]);
      accounts.value = fresh;
    },
    onFailure: (error) => tellRefusal("Transfer Failed", error),
  });
  const wallets = [
    { id: "", label: `Wallet (${displayMoney(financials.value?.accountBalance ?? balance)})` },
    ...live.map(({ id, name, accountType, accountNumber, freeMargin }) => ({
      id,
      label: `${accountName({ name, accountType })} …${accountNumber.slice(-4)} (${displayMoney(freeMargin)})`,
    })),
  ];
  const options = wallets.map(({ id, label }) => (
    <option key={id} value={id}>
      {label}
    </option>
  ));
  return (
    <Panel title="Transfer" id="transfer">
      {live.length === 0 ? (
        <EmptyState
          icon="wallet"
          title="You have no live trading account yet"
          action={<ButtonLink href="/accounts/create">Create New Trading Account</ButtonLink>}
        >
          Money moves from your wallet into a live account, and back, without a fee.
        </EmptyState>
      ) : (
        <form {...form} className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField id="transfer-from" name="fromAccountId" label="From" defaultValue="" error={messages.fromAccountId}>
              {options}
            </SelectField>
            <SelectField id="transfer-to" name="toAccountId" label="To" defaultValue={live[0]?.id} error={messages.toAccountId}>
              {options}
            </SelectField>
          </div>
          <AmountField
            id="transfer-amount"
            error={messages.amount}
            hint="At once and without a fee. An account shows what is free of it: what open positions need as margin stays there."
          />
          <UnsaidNotice of={unsaid} />
          <div className="flex justify-end">
            <Button type="submit" className="js-only" disabled={pending}>
              {pending ? "Transferring..." : "Transfer"}
            </Button>
          </div>
        </form>
      )}
    </Panel>
  );
}

export default island("TransferForm", TransferForm);
