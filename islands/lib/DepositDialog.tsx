import { useState } from "react";
import { createDeposit, depositBody, methods } from "../../src/funding/schema";
import { METHOD_WORDS } from "../../views/funding/words";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Field, SelectField } from "../../views/ui/Field";
import { useForm } from "./form";
import { useIntent } from "./intent";
import { refreshPurse } from "./purse";
import { toast } from "./toasts";

const CURRENCIES = ["USD", "BTC", "ETH", "USDT"] as const;
const NAMES = ["amount", "currency", "method"] as const;

type Props = { open: boolean; onClose: () => void };

/** The dashboard's 'Make a Deposit'. */
export const DepositDialog = ({ open, onClose }: Props) => (
  <Dialog id="make-deposit" title="Make a Deposit" open={open} onClose={onClose}>
    <DepositForm onClose={onClose} />
  </Dialog>
);

function DepositForm({ onClose }: { onClose: () => void }) {
  const intent = useIntent();
  const [coin, setCoin] = useState(false);
  const { messages, pending, form } = useForm({
    schema: depositBody,
    names: NAMES,
    after: "again",
    send: async ({ amount, currency, method }) => {
      await intent(createDeposit, { amount, currency, method });
      toast({ title: "Deposit Request Submitted!", description: "It was submitted for approval. You will see a confirmation here once it is approved." });
      onClose();
      await refreshPurse();
    },
    onFailure: ({ message }) => toast({ title: "Deposit Failed", description: message, variant: "destructive" }),
  });
  return (
    <form
      {...form}
      onChange={(event) => {
        form.onChange(event);
        const data = new FormData(event.currentTarget);
        setCoin(data.get("method") === "crypto" || data.get("currency") !== "USD");
      }}
      className="flex flex-col gap-4"
    >
      <Field
        id="deposit-amount"
        name="amount"
        type="number"
        inputMode="decimal"
        min={0}
        step="0.01"
        label="Amount ($)"
        placeholder="0.00"
        autoComplete="off"
        error={messages.amount}
      />
      <div className="grid grid-cols-2 gap-4">
        <SelectField id="deposit-currency" name="currency" label="Currency" defaultValue="USD" error={messages.currency}>
          {CURRENCIES.map((currency) => (
            <option key={currency}>{currency}</option>
          ))}
        </SelectField>
        <SelectField id="deposit-method" name="method" label="Payment method" defaultValue="card" error={messages.method}>
          {methods.map((method) => (
            <option key={method} value={method}>
              {METHOD_WORDS[method]}
            </option>
          ))}
        </SelectField>
      </div>
      <p className="text-table text-soft">
        {coin ? (
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
        <Button look="secondary" onClick={onClose}>
          Not now
        </Button>
        <Button type="submit" disabled={pending}>
          {pending ? "Submitting..." : "Submit Deposit"}
        </Button>
      </div>
    </form>
  );
}
