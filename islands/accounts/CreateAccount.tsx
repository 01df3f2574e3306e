import { useState } from "react";
import { type AccountType, createAccount, newAccountBody } from "../../src/accounts/schema";
import { fit } from "../../src/lib/fit";
import { displayMoney } from "../../src/lib/money";
import { pipsText } from "../../src/lib/quote_text";
import { Button } from "../../views/ui/Button";
import { SelectField } from "../../views/ui/Field";
import { attempt } from "../wire/attempt";
import { sendOnce } from "../wire/intent";
import { island } from "../runtime/island";
import { toast } from "../wire/toasts";

const REDIRECT_MS = 1500;
const UNCHOSEN = "Please select an account type";
const MODES = [
  { demo: false, label: "Live", text: "Real money, moved in from your wallet. Starts at $0.00." },
  { demo: true, label: "Demo", text: "Virtual money at the same prices. Starts with $10,000.00." },
];

type Props = { types: AccountType[]; /** The type that the address named; empty for none. */ chosen: string };

/** Opens a live or demo account of a tier, then leads to the portal. */
export function CreateAccount({ types, chosen }: Props) {
  const [typeId, setTypeId] = useState(chosen);
  const [isDemo, setDemo] = useState(false);
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const type = types.find(({ id }) => id === typeId);
  const create = async () => {
    const asked = fit(newAccountBody, { accountTypeId: typeId, isDemo });
    if (!asked.ok) {
      setMissing(true);
      document.getElementById("account-type")?.focus();
      return toast({ title: "Error", description: UNCHOSEN, variant: "destructive" });
    }
    setBusy(true);
    const made = await attempt("Error", () => sendOnce(createAccount, asked.value), "Failed to create account");
    if (!made) return setBusy(false);
    toast({ title: "Success", description: "Trading account created successfully!" });
    setTimeout(() => location.assign(`/traders-portal?account=${made.id}`), REDIRECT_MS);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
      className="grid items-start gap-6 md:grid-cols-[minmax(0,1fr)_18rem]"
    >
      <div className="flex flex-col gap-6">
        <SelectField
          id="account-type"
          name="accountTypeId"
          label="Account Type"
          value={typeId}
          error={missing && !type ? UNCHOSEN : undefined}
          onChange={(event) => setTypeId(event.target.value)}
        >
          <option value="">Please choose</option>
          {types.map(({ id, name, minimumDeposit }) => (
            <option key={id} value={id}>
              {name}, from {displayMoney(minimumDeposit)}
            </option>
          ))}
        </SelectField>
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 font-medium">Account Mode</legend>
          {MODES.map(({ demo, label, text }) => (
            <div
              key={label}
              className="relative flex items-start gap-3 rounded-control border border-control p-3 has-[:checked]:border-accent has-[:checked]:bg-accent-soft"
            >
              <input
                id={`mode-${label}`}
                type="radio"
                name="mode"
                checked={isDemo === demo}
                onChange={() => setDemo(demo)}
                aria-describedby={`mode-${label}-text`}
                className="relative z-1 mt-1 size-4 accent-accent"
              />
              <div>
                <label htmlFor={`mode-${label}`} className="block font-medium before:absolute before:inset-0 before:content-empty">
                  {label}
                </label>
                <span id={`mode-${label}-text`} className="block text-table text-soft">
                  {text}
                </span>
              </div>
            </div>
          ))}
        </fieldset>
        <noscript>
          <p className="text-soft">Opening an account needs JavaScript.</p>
        </noscript>
        <Button type="submit" size="large" className="js-only" disabled={busy}>
          {busy ? "Creating..." : "Create Account"}
        </Button>
      </div>
      <Summary type={type} isDemo={isDemo} />
    </form>
  );
}

const Summary = ({ type, isDemo }: { type: AccountType | undefined; isDemo: boolean }) => (
  <section aria-label="Account summary" aria-live="polite" className="rounded-card bg-sunken p-4">
    <h2 className="mb-3 text-[0.9375rem] font-semibold">Account summary</h2>
    {type ? (
      <>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-soft">Type</dt>
          <dd className="text-right font-medium">{type.name}</dd>
          <dt className="text-soft">Mode</dt>
          <dd className="text-right font-medium">{isDemo ? "Demo" : "Live"}</dd>
          <dt className="text-soft">Starting balance</dt>
          <dd className="text-right font-medium">{isDemo ? "$10,000.00" : "$0.00"}</dd>
          <dt className="text-soft">Minimum deposit</dt>
          <dd className="text-right font-medium">{isDemo ? "None" : displayMoney(type.minimumDeposit)}</dd>
          <dt className="text-soft">Spreads from</dt>
          <dd className="text-right font-medium">{pipsText(type.spreadsFrom)}</dd>
          <dt className="text-soft">Leverage up to</dt>
          <dd className="text-right font-medium">{type.leverage}</dd>
        </dl>
        <p className="mt-3 text-table text-soft">
          The account starts with a leverage of 1:100.
          {isDemo ? "" : ` It can trade once ${displayMoney(type.minimumDeposit)} has been moved into it.`}
        </p>
      </>
    ) : (
      <p className="text-soft">Choose a type to see what it asks and gives.</p>
    )}
  </section>
);

export default island("CreateAccount", CreateAccount);
