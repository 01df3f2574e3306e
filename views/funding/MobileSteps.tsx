import type { ReactNode, SubmitEvent } from "react";
import { coins } from "../../src/funding/schema";
import { Button } from "../ui/Button";
import { Field, SelectField } from "../ui/Field";
import { Notice } from "../ui/States";
import { walletMissing } from "./words";

export type MobileFields = { amount: string; currency: string; method: string; crypto: string };

const CURRENCIES = ["USD", "EUR", "GBP"];
const METHODS = [
  { id: "credit_card", label: "Credit card" },
  { id: "bank_transfer", label: "Bank transfer" },
  { id: "cryptocurrency", label: "Cryptocurrency" },
];

type Amount = {
  fields: MobileFields;
  pending: boolean;
  onField: (name: keyof MobileFields, value: string) => void;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
};

/** Step 1: how much, and how. */
export const MobileAmount = ({ fields, pending, onField, onSubmit }: Amount) => (
  <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
    <div className="grid grid-cols-[2fr_1fr] gap-4">
      <Field
        id="mobile-amount"
        name="amount"
        type="number"
        inputMode="decimal"
        min={0}
        step={0.01}
        label="Amount"
        placeholder="0.00"
        autoComplete="off"
        value={fields.amount}
        onChange={(event) => onField("amount", event.target.value)}
      />
      <SelectField id="mobile-currency" name="currency" label="Currency" value={fields.currency} onChange={(event) => onField("currency", event.target.value)}>
        {CURRENCIES.map((currency) => (
          <option key={currency}>{currency}</option>
        ))}
      </SelectField>
    </div>
    <SelectField id="mobile-method" name="method" label="Payment method" value={fields.method} onChange={(event) => onField("method", event.target.value)}>
      <option value="">Please choose</option>
      {METHODS.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
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

type Sending = {
  fields: MobileFields;
  /** The wallet's address; null where no wallet takes this coin now. */
  address: ReactNode | null;
  network: string | null;
  pending: boolean;
  onBack: () => void;
  onSent: () => void;
};

/** Step 2, for coins: where to send, and what to mind. */
export const MobileSending = ({ fields, address, network, pending, onBack, onSent }: Sending) => (
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
      <Button look="secondary" size="large" onClick={onBack}>
        Back
      </Button>
      <Button size="large" disabled={pending || !address} onClick={onSent}>
        {pending ? "Submitting..." : "I've Sent Payment"}
      </Button>
    </div>
  </div>
);
