import { useState } from "react";
import { isCoin, walletMissing } from "../../src/funding/rules";
import { createDeposit, type Deposit, depositBody, type DepositCurrency, methods, type PaymentMethod } from "../../src/funding/schema";
import { AmountField } from "../../views/funding/AmountField";
import { PaymentInstructions } from "../../views/funding/PaymentInstructions";
import { walletFor } from "../../views/funding/portal_form";
import { depositText, METHOD_WORDS } from "../../views/funding/words";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Notice, Skeleton } from "../../views/ui/States";
import { SelectField } from "../../views/ui/Field";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { tellRefusal } from "../wire/attempt";
import { useForm } from "../wire/form";
import { sendOnce } from "../wire/intent";
import { type Payments, usePayments } from "./payments";
import { refreshWallet } from "./wallet";
import { toast } from "../wire/toasts";

const CURRENCIES = ["USD", "BTC", "ETH", "USDT"] as const;
const NAMES = ["amount", "currency", "method"] as const;

type Props = { open: boolean; onClose: () => void };

/** The dashboard's 'Make a Deposit'. */
export const DepositDialog = ({ open, onClose }: Props) => (
  <Dialog id="make-deposit" title="Make a Deposit" open={open} onClose={onClose}>
    <DepositForm onClose={onClose} />
  </Dialog>
);

/** What stands in the way of paying so; null where nothing does. */
function closed({ wallets }: Payments, currency: DepositCurrency, method: PaymentMethod | undefined): string | null {
  if (isCoin(currency)) return !wallets || walletFor(wallets, currency) ? null : walletMissing(currency);
  return method ? null : "No way of payment is open at the moment. Please contact support.";
}

function DepositForm({ onClose }: { onClose: () => void }) {
  const [currency, setCurrency] = useState<DepositCurrency>("USD");
  const [sent, setSent] = useState<Deposit | null>(null);
  /** What the level of verification lacks: it stays, with its way, when the toast has gone. */
  const [lacking, setLacking] = useState<string | null>(null);
  const open = usePayments();
  const payments = open?.payments;
  const hasWallets = !open?.wallets || open.wallets.length > 0;
  const offered = methods.filter((method) => (method === "crypto" ? hasWallets : payments?.some((each) => each.method === method)));
  const [chosen, setChosen] = useState<PaymentMethod | null>(null);
  const method = isCoin(currency) ? "crypto" : (chosen ?? offered[0]);
  const details = payments?.find((each) => each.method === (sent?.method ?? method));
  const { messages, unsaid, pending, form } = useForm({
    schema: depositBody,
    names: NAMES,
    after: "again",
    send: async ({ amount, currency, method }) => {
      setLacking(null);
      const made = await sendOnce(createDeposit, { amount, currency, method, ...(isCoin(currency) ? { cryptoType: currency } : {}) });
      toast({ title: "Deposit Request Submitted!", description: "It was submitted for approval. You will see a confirmation here once it is approved." });
      if (payments?.some((each) => each.method === made.method)) setSent(made);
      else onClose();
      await refreshWallet();
    },
    onFailure: (error) => (error.code === "level_required" ? setLacking(error.message) : tellRefusal("Deposit Failed", error)),
  });
  if (!open) return <Skeleton className="h-40 w-full" />;
  if (sent && details)
    return (
      <div className="flex flex-col gap-4">
        <p>{`Your request of ${depositText(sent.amount, sent.currency)} waits for your payment. Please pay here:`}</p>
        <PaymentInstructions details={details} deposit={sent} />
        <Button className="self-end" onClick={onClose}>
          Done
        </Button>
      </div>
    );
  const obstacle = closed(open, currency, method);
  return (
    <form {...form} className="flex flex-col gap-4">
      <AmountField id="deposit-amount" error={messages.amount} />
      <div className="grid grid-cols-2 gap-4">
        <SelectField
          id="deposit-currency"
          name="currency"
          label="Currency"
          value={currency}
          onChange={(event) => setCurrency(event.target.value as DepositCurrency)}
          error={messages.currency}
        >
          {CURRENCIES.map((currency) => (
            <option key={currency}>{currency}</option>
          ))}
        </SelectField>
        <SelectField
          id="deposit-method"
          name="method"
          label="Payment method"
          value={method}
          onChange={(event) => setChosen(event.target.value as PaymentMethod)}
          error={messages.method}
        >
          {(isCoin(currency) ? (["crypto"] as const) : offered).map((each) => (
            <option key={each} value={each}>
              {METHOD_WORDS[each]}
            </option>
          ))}
        </SelectField>
      </div>
      {details ? <PaymentInstructions details={details} deposit={null} /> : null}
      {obstacle ? <Notice kind="warning">{obstacle}</Notice> : null}
      <UnsaidNotice of={unsaid} />
      {lacking ? <Notice kind="error">{lacking}</Notice> : null}
      <p className="text-table text-soft">
        {method === "crypto" ? (
          <>
            To send coins yourself, the{" "}
            <a href="/deposit" className="text-accent underline underline-offset-2">
              crypto deposit page
            </a>{" "}
            shows the wallet address and its QR code.
          </>
        ) : (
          "An administrator approves each deposit before it is credited to your wallet."
        )}
      </p>
      <div className="flex justify-end gap-2 max-md:flex-col-reverse">
        <Button variant="secondary" onClick={onClose}>
          Not now
        </Button>
        <Button type="submit" disabled={pending || obstacle !== null}>
          {pending ? "Submitting..." : "Submit Deposit"}
        </Button>
      </div>
    </form>
  );
}
