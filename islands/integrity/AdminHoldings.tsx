import { declareHoldings, type Holding, readHoldings } from "../../src/integrity/schema";
import { may } from "../../src/lib/may";
import { displayMoney } from "../../src/lib/money";
import { Button } from "../../views/ui/Button";
import { Field, TextField } from "../../views/ui/Field";
import { instantText } from "../../views/ui/instant";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { LostNotice } from "../ui/LostNotice";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

/** What the operator declares to hold for clients, beside what is owed to them. */
export function AdminHoldings({ first }: { first: { holding: Holding | null } }) {
  const { value, lost } = useLive(first, () => call(readHoldings), ["setting"]);
  const [asked, ask, close] = useAsked<true>();
  const { holding } = value;
  return (
    <section aria-labelledby="holdings" className="mt-8">
      <h2 id="holdings" className="text-heading font-semibold">
        Held for clients
      </h2>
      <p className="mb-2 text-soft">
        What stands at{" "}
        <a href="/integrity#liabilities" className="text-accent underline underline-offset-2">
          Integrity
        </a>{" "}
        beside what is owed to them. Everybody reads it, and who declared it stands in the audit trail.
      </p>
      {lost ? <LostNotice /> : null}
      <div className="flex flex-col items-start gap-2 rounded-card border border-line bg-surface p-4">
        <p className="font-semibold tabular-nums">{holding?.amount ? displayMoney(holding.amount) : "Not declared"}</p>
        {holding ? (
          <p className="text-table text-soft [overflow-wrap:anywhere]">
            {`Declared at ${instantText(holding.declaredAt)} UTC. ${holding.evidence} ${holding.link ?? ""}`}
          </p>
        ) : null}
        {may("holdings.change") ? (
          <Button variant="secondary" size="small" className="js-only" onClick={() => ask(true)}>
            Declare
          </Button>
        ) : null}
      </div>
      {asked ? <DeclareDialog holding={holding} onClose={close} /> : null}
    </section>
  );
}

const DeclareDialog = ({ holding, onClose }: { holding: Holding | null; onClose: () => void }) => (
  <ActionDialog
    id="declare-holdings"
    title="What is held for clients"
    consequence="Everybody reads it at Integrity from now on. Without an amount nothing is declared any more."
    schema={declareHoldings.body}
    names={["amount", "evidence", "link", "reason"]}
    fields={(messages) => (
      <>
        <Field
          id="holdings-amount"
          name="amount"
          label="Amount (USD)"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={holding?.amount ?? ""}
          error={messages.amount}
        />
        <TextField
          id="holdings-evidence"
          name="evidence"
          label="Evidence, as clients read it"
          rows={3}
          maxLength={500}
          defaultValue={holding?.evidence ?? ""}
          error={messages.evidence}
        />
        <Field
          id="holdings-link"
          name="link"
          label="Link to the evidence (https)"
          autoComplete="off"
          maxLength={300}
          defaultValue={holding?.link ?? ""}
          error={messages.link}
        />
        <Field id="holdings-reason" name="reason" label="Reason, for the audit trail" autoComplete="off" maxLength={500} error={messages.reason} />
      </>
    )}
    submit="Declare"
    busy="Declaring..."
    mends
    send={async (body) => {
      const { holding: now } = await call(declareHoldings, body);
      toast({ title: now?.amount ? `${displayMoney(now.amount)} declared` : "Nothing is declared any more" });
    }}
    onClose={onClose}
  />
);

export default island("AdminHoldings", AdminHoldings);
