import { changeInstrument, instrumentBody, listingNames, type StaffInstrument } from "../../src/trading/schema_instruments";
import { changesOf, STATE_WORDS, TERM_WORDS, termNames } from "../../src/trading/rules_instrument_words";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { instantText } from "../../views/ui/instant";
import { ActionDialog } from "../ui/ActionDialog";
import { ChangedFields } from "../ui/ChangedFields";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { tellWaiting } from "../wire/waits";
import { BoundFields } from "./BoundFields";
import { ListingFields } from "./ListingFields";

/** Says from when on a wider mark-up holds for what is open. */
function tell({ symbol, appliesAt, coming }: StaffInstrument) {
  const until = coming?.appliesAt ?? appliesAt;
  toast({ title: `${symbol} was changed`, ...(until ? { description: `For what is open now its mark-up holds from ${instantText(until)} UTC.` } : {}) });
}

/** Changes how an instrument is dealt; what is written is told as a difference before it is sent. */
export default function InstrumentDialog({ row, onClose }: { row: StaffInstrument; onClose: () => void }) {
  return (
    <ActionDialog
      id="instrument"
      title={`Change ${row.symbol}`}
      consequence={`Orders from then on are filled by it; what is open keeps its margin, and takes a wider mark-up after the notice. Open positions: ${row.openPositions}, waiting orders: ${row.waitingOrders}.`}
      schema={instrumentBody}
      names={[...termNames, ...listingNames, "effectiveAt", "version", "reason"]}
      mends
      fields={(messages) => (
        <ChangedFields changesOf={(written) => changesOf(row, written)}>
          <input type="hidden" name="version" value={row.version} />
          <SelectField
            id="instrument-term-state"
            name="state"
            label={TERM_WORDS.state}
            hint="Close only: nothing is opened, waiting orders end where they would fill. Shown only: nobody deals in it."
            defaultValue={row.state}
            error={messages.state}
          >
            {Object.entries(STATE_WORDS).map(([id, words]) => (
              <option key={id} value={id}>
                {words}
              </option>
            ))}
          </SelectField>
          <BoundFields row={row} messages={messages} />
          <details open={listingNames.some((name) => messages[name]) || undefined}>
            <summary className="tap cursor-pointer font-medium">Name, prices, feeds and hours</summary>
            <div className="flex flex-col gap-4 pt-4">
              <ListingFields listing={row.listing} messages={messages} />
            </div>
          </details>
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
        const done = await call(changeInstrument, body, { params: { symbol: row.symbol } });
        if (!tellWaiting(done)) tell(done);
      }}
      onClose={onClose}
    />
  );
}
