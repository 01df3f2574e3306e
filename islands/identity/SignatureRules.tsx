import * as v from "valibot";
import { listSignatureRules, measuredDeeds, type RuledDeed, setSignatureRules, type SignatureRule } from "../../src/identity/schema_signatures";
import { may } from "../../src/lib/may";
import { displayMoney } from "../../src/lib/money";
import { moneyAmount, text } from "../../src/lib/shapes";
import { DEED_WORDS } from "../../views/identity/SignatureCard";
import { Button } from "../../views/ui/Button";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { tellWaiting } from "../wire/waits";

const whenText = ({ isOn, above, deed }: SignatureRule) => {
  if (deed === "correction") return "By the rules of corrections";
  if (!isOn) return "Never";
  return above === null || !measuredDeeds.includes(deed) ? "Always" : `Above ${displayMoney(above)}`;
};

/** What takes a second signature, and the way to change it. */
export function SignatureRules({ rules }: { rules: SignatureRule[] }) {
  const { value } = useLive(rules, () => call(listSignatureRules), ["signature", "role", "person"]);
  const [asked, ask, close] = useAsked<SignatureRule>();
  const columns: Column<SignatureRule>[] = [
    { key: "deed", title: "What", lead: true, cell: ({ deed }) => DEED_WORDS[deed] },
    { key: "when", title: "Takes two", cell: whenText },
    {
      key: "signers",
      title: "Who may sign",
      numeric: true,
      cell: ({ signers, isOn }) => (
        <span className={isOn && signers < 2 ? "text-warn" : undefined}>{signers === 1 ? "1 person, who decides alone" : `${signers} people`}</span>
      ),
    },
    ...(may("signatures.rules")
      ? [
          {
            key: "change",
            title: "Change",
            cell: (rule: SignatureRule) =>
              rule.fixed ? null : (
                <span className="js-only flex md:justify-end">
                  <Button variant="secondary" size="small" aria-label={`Change: ${DEED_WORDS[rule.deed]}`} onClick={() => ask(rule)}>
                    Change
                  </Button>
                </span>
              ),
          },
        ]
      : []),
  ];
  return (
    <section aria-labelledby="signature-rules">
      <h2 id="signature-rules" className="text-product font-semibold">
        What takes two
      </h2>
      <p className="mb-2 max-w-prose text-table text-soft">
        Where only one person may do it, that person decides alone: nobody is locked out of the own house.
      </p>
      <Table caption="What takes two" columns={columns} rows={value} rowKey={({ deed }) => deed} />
      {asked ? <RuleDialog key={asked.deed} rule={asked} onClose={close} /> : null}
    </section>
  );
}

function RuleDialog({ rule, onClose }: { rule: SignatureRule; onClose: () => void }) {
  const isMeasured = measuredDeeds.includes(rule.deed);
  const amount = v.union([v.literal(""), moneyAmount("Amount is required")]);
  return (
    <ActionDialog
      id="signature-rule"
      title={DEED_WORDS[rule.deed]}
      consequence="Where somebody else may change this too, the change itself waits for a second signature."
      schema={v.object({ isOn: v.picklist(["yes", "no"]), above: isMeasured ? amount : v.optional(v.string(), ""), reason: text(500, "A reason is required") })}
      names={isMeasured ? ["isOn", "above", "reason"] : ["isOn", "reason"]}
      fields={(messages) => (
        <>
          <SelectField id="rule-on" name="isOn" label="Takes a second signature" defaultValue={rule.isOn ? "yes" : "no"}>
            <option value="yes">Yes</option>
            <option value="no">No</option>
          </SelectField>
          {isMeasured ? (
            <Field
              id="rule-above"
              name="above"
              label="Above so many USD"
              hint="Empty: always."
              inputMode="decimal"
              autoComplete="off"
              defaultValue={rule.above ?? ""}
              error={messages.above}
            />
          ) : null}
          <TextField id="rule-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
        </>
      )}
      submit="Save"
      busy="Saving..."
      mends
      send={async ({ isOn, above, reason }) => {
        const done = await call(setSignatureRules, {
          rules: [{ deed: rule.deed as RuledDeed, isOn: isOn === "yes", above: above ? String(above) : null, version: rule.version }],
          reason,
        });
        if (!tellWaiting(done)) toast({ title: "Rule saved", description: DEED_WORDS[rule.deed] });
      }}
      onClose={onClose}
    />
  );
}

export default island("SignatureRules", SignatureRules);
