import type { ReactNode, SubmitEvent } from "react";
import { walletMissing } from "../../src/funding/rules";
import { coins, type PaymentDetails } from "../../src/funding/schema";
import { AmountField } from "./AmountField";
import { PaymentInstructions } from "./PaymentInstructions";
import { Button } from "../ui/Button";
import { SelectField } from "../ui/Field";
import { Notice } from "../ui/States";

export type MobileFields = { amount: string; currency: string; method: string; crypto: string };

const CURRENCIES = ["USD", "EUR", "GBP"];
const METHODS = [
  { id: "credit_card", label: "Credit card", paid: "card" },
  { id: "bank_transfer", label: "Bank transfer", paid: "bank" },
  { id: "cryptocurrency", label: "Cryptocurrency", paid: null },
];

type Amount = {
  fields: MobileFields;
  /** What is offered beside coins. */
  payments: PaymentDetails[];
  pending: boolean;
  onField: (name: keyof MobileFields, value: string) => void;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
};

/** Step 1: how much, and how. */
export const MobileAmount = ({ fields, payments, pending, onField, onSubmit }: Amount) => (
  <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
    <div className="grid grid-cols-[2fr_1fr] gap-4">
      <AmountField id="mobile-amount" label="Amount" value={fields.amount} onChange={(event) => onField("amount", event.target.value)} />
      <SelectField id="mobile-currency" name="currency" label="Currency" value={fields.currency} onChange={(event) => onField("currency", event.target.value)}>
        {CURRENCIES.map((currency) => (
          <option key={currency}>{currency}</option>
        ))}
      </SelectField>
    </div>
    <SelectField id="mobile-method" name="method" label="Payment method" value={fields.method} onChange={(event) => onField("method", event.target.value)}>
      <option value="">Please choose</option>
      {METHODS.filter(({ paid }) => !paid || payments.some(({ method }) => method === paid)).map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
    <Details fields={fields} payments={payments} />
    {fields.method === "cryptocurrency" ? (
      <SelectField id="mobile-crypto" name="crypto" label="Cryptocurrency" value={fields.crypto} onChange={(event) => onField("crypto", event.target.value)}>
        <option value="">Please choose</option>
        {coins.map((coin) => (
          <option key={coin}>{coin}</option>
        ))}
      </SelectField>
    ) : null}
    {fields.currency === "USD" ? null : (
      <p className="text-table text-soft">Credited in US dollars, at the market's middle price of the moment when it is approved.</p>
    )}
    <Button type="submit" size="large" wide disabled={pending}>
      {fields.method === "cryptocurrency" ? "Continue" : pending ? "Submitting..." : "Submit Deposit Request"}
    </Button>
  </form>
);

/** Where the chosen method is paid, before the request is made. */
function Details({ fields, payments }: Pick<Amount, "fields" | "payments">) {
  const paid = METHODS.find(({ id }) => id === fields.method)?.paid;
  const details = payments.find(({ method }) => method === paid);
  return details ? <PaymentInstructions details={details} deposit={null} /> : null;
}

type Sending = {
  fields: MobileFields;
  /** How much of the coin that is. */
  quote: ReactNode;
  /** The wallet's address; null where no wallet takes this coin now. */
  address: ReactNode | null;
  network: string | null;
  pending: boolean;
  onBack: () => void;
  onSent: () => void;
};

/** Step 2, for coins: where to send, and what to mind. */
export const MobileSending = ({ fields, quote, address, network, pending, onBack, onSent }: Sending) => (
  <div className="flex flex-col gap-4">
    {address ? (
      <>
        <p>
          Send the value of{" "}
          <strong className="font-semibold">
            {fields.amount} {fields.currency}
          </strong>{" "}
          in {fields.crypto} to this address, then press the button below.
        </p>
        {quote}
        {address}
        <Notice kind="warning" title="Before you send">
          <ul className="list-disc pl-4">
            <li>
              Send only {fields.crypto}, and only by {network}. Anything else may be lost.
            </li>
            <li>Compare the address with what your wallet shows, from its first letter to its last.</li>
            <li>The deposit is credited after the network has confirmed it and an administrator has approved it.</li>
          </ul>
        </Notice>
      </>
    ) : (
      <Notice kind="error">{walletMissing(fields.crypto)}</Notice>
    )}
    <div className="grid grid-cols-[auto_1fr] gap-2">
      <Button variant="secondary" size="large" onClick={onBack}>
        Back
      </Button>
      <Button size="large" disabled={pending || !address} onClick={onSent}>
        {pending ? "Submitting..." : "I've Sent Payment"}
      </Button>
    </div>
  </div>
);
