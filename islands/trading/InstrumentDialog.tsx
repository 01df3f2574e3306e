import { changeInstrument, instrumentBody, type StaffInstrument } from "../../src/trading/schema_instruments";
import { changesOf, STATE_WORDS, TERM_WORDS, type TermName, termNames } from "../../views/trading/instrument_words";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { ChangedFields } from "../ui/ChangedFields";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

/** Changes how an instrument is dealt; what is written is told as a difference before it is sent. */
export default function InstrumentDialog({ row, onClose }: { row: StaffInstrument; onClose: () => void }) {
  const field = (name: Exclude<TermName, "state">, label: string, hint: string, messages: Record<string, string>) => (
    <Field
      id={`instrument-${name}`}
      name={name}
      label={label}
      hint={hint}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={row[name] ?? ""}
      error={messages[name]}
    />
  );
  return (
    <ActionDialog
      id="instrument"
      title={`Change ${row.symbol}`}
      consequence={`Orders from then on are filled by it; what is open keeps what it was opened at. Open positions: ${row.openPositions}, waiting orders: ${row.waitingOrders}.`}
      schema={instrumentBody}
      names={[...termNames, "effectiveAt", "version", "reason"]}
      mends
      fields={(messages) => (
        <ChangedFields changesOf={(written) => changesOf(row, written)}>
          <input type="hidden" name="version" value={row.version} />
          <SelectField
            id="instrument-term-state"
            name="state"
            label={TERM_WORDS.state}
            hint="Close only: nothing is opened, waiting orders end where they would fill."
            defaultValue={row.state}
            error={messages.state}
          >
            {Object.entries(STATE_WORDS).map(([id, words]) => (
              <option key={id} value={id}>
                {words}
              </option>
            ))}
          </SelectField>
          <div className="grid gap-4 sm:grid-cols-3">
            {field("minimum", "Smallest, USD", "Empty: $10.00.", messages)}
            {field("step", "Step, USD", "Divides the smallest.", messages)}
            {field("maximum", "Largest, USD", "Empty: none.", messages)}
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            {field("marginPercent", "Margin at least, %", "Empty: by the account's leverage.", messages)}
            {field("clientLimit", "One person at most, USD", "Long less short. Empty: none.", messages)}
          </div>
          <Field
            id="instrument-effectiveAt"
            name="effectiveAt"
            type="datetime-local"
            label="From (UTC)"
            hint={row.coming ? "Empty: at once. This takes the place of the change that waits." : "Empty: at once."}
            error={messages.effectiveAt}
          />
          <TextField id="instrument-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
        </ChangedFields>
      )}
      submit="Change"
      busy="Changing..."
      send={async (body) => {
        await call(changeInstrument, body, { params: { symbol: row.symbol } });
        toast({ title: `${row.symbol} was changed` });
      }}
      onClose={onClose}
    />
  );
}
