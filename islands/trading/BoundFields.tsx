import type { StaffInstrument } from "../../src/trading/schema_instruments";
import { writtenSteps } from "../../src/trading/rules_margin_steps";
import type { TermName } from "../../src/trading/rules_instrument_words";
import { Field, TextField } from "../../views/ui/Field";

type Props = { row: StaffInstrument | null; messages: Record<string, string> };

/** What orders in an instrument may amount to, and the margin that they need. */
export function BoundFields({ row, messages }: Props) {
  const field = (name: Exclude<TermName, "state" | "marginSteps">, label: string, hint: string) => (
    <Field
      id={`instrument-${name}`}
      name={name}
      label={label}
      hint={hint}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={row?.[name] ?? ""}
      error={messages[name]}
    />
  );
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        {field("minimum", "Smallest, USD", "Empty: $10.00.")}
        {field("step", "Step, USD", "Divides the smallest.")}
        {field("maximum", "Largest, USD", "Empty: none.")}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {field("marginPercent", "Margin at least, %", "Empty: by the account's leverage.")}
        <TextField
          id="instrument-marginSteps"
          name="marginSteps"
          label="Margin by size"
          hint="A line each: 100000 5 asks for 5% of what is above $100,000."
          rows={2}
          defaultValue={writtenSteps(row?.marginSteps ?? null)}
          error={messages.marginSteps}
        />
        {field("clientLimit", "One person at most, USD", "On each side. Empty: none.")}
        {field("houseLimit", "The house at most, USD", "What clients hold live, long less short.")}
        {field("markup", "Mark-up, pips", "Added to every account’s spread. Wider, for what is open after the notice.")}
      </div>
    </>
  );
}
