import { type SubmitEvent, useEffect, useState } from "react";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Field } from "../../views/ui/Field";
import { faultsOf, FIRST_TERMS } from "./one_click_faults";
import type { OneClickTerms } from "./one_click_terms";

type Props = { account: string; demo: boolean; terms: OneClickTerms | null; onTerms: (terms: OneClickTerms) => void; onClose: () => void };

/** What one-click dealing does, before it is switched on. Rendered only while it is open. */
export default function OneClickDialog({ account, demo, terms, onTerms, onClose }: Props) {
  const [errors, setErrors] = useState<ReturnType<typeof faultsOf>>({});
  const first = terms ?? FIRST_TERMS;
  useEffect(() => document.querySelector<HTMLInputElement>("#one-click-amount")?.focus(), []);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string) => String(form.get(name) ?? "").trim();
    const wanted = { amount: textOf("amount"), pips: textOf("pips"), percent: textOf("percent") };
    const faults = faultsOf(wanted);
    setErrors(faults);
    if (Object.keys(faults).length === 0) onTerms(wanted);
  };
  const field = (name: keyof OneClickTerms, label: string) => (
    <Field
      id={`one-click-${name}`}
      name={name}
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      label={label}
      defaultValue={first[name]}
      error={errors[name]}
    />
  );
  return (
    <Dialog
      id="one-click"
      title="One-click dealing"
      open
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="one-click-form">
            {terms ? "Save" : "Switch on"}
          </Button>
        </>
      }
    >
      <form id="one-click-form" noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        <p>
          {`A press on SELL or BUY then deals at once on account ${account}${demo ? "" : ", with real money"}: no preview and no question, without stop or target, at the account’s price of that moment. An order that would fill further from the price on the button than the bound below is refused. It is on for this account on this device alone, until you switch it off.`}
        </p>
        {field("amount", "Amount of each press ($)")}
        <div className="grid grid-cols-2 items-start gap-4">
          {field("pips", "Bound for pairs (pips)")}
          {field("percent", "Bound for coins (%)")}
        </div>
      </form>
    </Dialog>
  );
}
