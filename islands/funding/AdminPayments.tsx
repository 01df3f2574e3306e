import { may } from "../../src/lib/may";
import { changePayment, paymentDetailsBody, type StaffPayment, staffPayments } from "../../src/funding/schema";
import { isPayable } from "../../src/funding/rules";
import { METHOD_WORDS } from "../../views/funding/words";
import { Badge } from "../../views/ui/Badge";
import { Button } from "../../views/ui/Button";
import { Field, TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { LostNotice } from "../ui/LostNotice";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { tellWaiting } from "../wire/waits";

const FIELDS = {
  bank: [
    ["accountName", "Account holder"],
    ["bankName", "Bank"],
    ["accountNumber", "IBAN or account number"],
    ["bic", "BIC"],
  ],
  card: [["link", "Payment page (https)"]],
} as const;

/** Where traders pay by bank or card. A method without details is not offered to them. */
export function AdminPayments({ payments }: { payments: StaffPayment[] }) {
  const { value, lost } = useLive(payments, () => call(staffPayments), ["setting"]);
  const [asked, ask, close] = useAsked<StaffPayment>();
  return (
    <section aria-labelledby="payments" className="mt-8">
      <h2 id="payments" className="text-heading font-semibold">
        Bank and card
      </h2>
      <p className="mb-2 text-soft">Where traders pay when they send no coins. A method without details is not offered to them.</p>
      {lost ? <LostNotice /> : null}
      <ul className="grid gap-4 md:grid-cols-2">
        {value.map((details) => (
          <li key={details.method} className="flex flex-col items-start gap-2 rounded-card border border-line bg-surface p-4">
            <div className="flex w-full items-center justify-between gap-4">
              <h3 className="font-semibold">{METHOD_WORDS[details.method]}</h3>
              <Badge tone={isPayable(details) ? "default" : "secondary"}>{isPayable(details) ? "Offered" : "Not offered"}</Badge>
            </div>
            <dl className="w-full text-table">
              {FIELDS[details.method].map(([name, label]) =>
                details[name] ? (
                  <div key={name} className="flex flex-wrap gap-x-2">
                    <dt className="text-soft">{label}</dt>
                    <dd className="[overflow-wrap:anywhere]">{details[name]}</dd>
                  </div>
                ) : null,
              )}
            </dl>
            {details.instructions ? <p className="whitespace-pre-line text-table [overflow-wrap:anywhere]">{details.instructions}</p> : null}
            {may("wallets.change") ? (
              <Button
                variant="secondary"
                size="small"
                className="js-only mt-auto"
                aria-label={`Edit ${METHOD_WORDS[details.method].toLowerCase()}`}
                onClick={() => ask(details)}
              >
                Edit
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {asked ? <PaymentDialog key={asked.method} details={asked} onClose={close} /> : null}
    </section>
  );
}

function PaymentDialog({ details, onClose }: { details: StaffPayment; onClose: () => void }) {
  const { method } = details;
  const words = METHOD_WORDS[method];
  return (
    <ActionDialog
      id="payment"
      title={`${words}: how traders pay`}
      consequence="Traders who deposit from now on see this, and each request tells them its own reference. Empty, the method is not offered."
      schema={paymentDetailsBody}
      names={[...FIELDS[method].map(([name]) => name), "instructions", "version"]}
      fields={(messages) => (
        <>
          <input type="hidden" name="version" value={details.version} />
          {FIELDS[method].map(([name, label]) => (
            <Field
              key={name}
              id={`payment-${name}`}
              name={name}
              label={label}
              autoComplete="off"
              maxLength={name === "link" ? 500 : 200}
              defaultValue={details[name]}
              error={messages[name]}
            />
          ))}
          <TextField
            id="payment-instructions"
            name="instructions"
            label="Instructions (traders see them)"
            rows={3}
            maxLength={500}
            defaultValue={details.instructions}
            error={messages.instructions}
          />
        </>
      )}
      submit="Save"
      busy="Saving..."
      mends
      send={async (body) => {
        const saved = await call(changePayment, body, { params: { method } });
        if (tellWaiting(saved)) return;
        toast({ title: "Payment details saved", description: `${words} is ${isPayable(saved) ? "offered" : "not offered"} to traders.` });
      }}
      onClose={onClose}
    />
  );
}

export default island("AdminPayments", AdminPayments);
