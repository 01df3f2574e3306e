import { instrumentGroups } from "../../src/market/rules_listed";
import { addInstrument, listingNames, newInstrumentBody } from "../../src/trading/schema_instruments";
import { GROUP_WORDS, termNames } from "../../src/trading/rules_instrument_words";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { BoundFields } from "./BoundFields";
import { ListingFields } from "./ListingFields";

/** Lists a new instrument: what it is, how feeds quote it, how it is dealt. */
export default function NewInstrumentDialog({ onClose }: { onClose: () => void }) {
  return (
    <ActionDialog
      id="new-instrument"
      title="New instrument"
      consequence="It is shown and dealt everywhere within a second, once the feed has quoted it."
      schema={newInstrumentBody}
      names={["symbol", "group", ...listingNames, ...termNames.filter((name) => name !== "state"), "reason"]}
      mends
      fields={(messages) => (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field id="listing-symbol" name="symbol" label="Symbol" hint="Such as EUR/SEK." autoComplete="off" error={messages.symbol} />
            <SelectField
              id="listing-group"
              name="group"
              label="Class"
              hint="Leverage of countries and usual hours go by it."
              defaultValue="forex-minor"
              error={messages.group}
            >
              {instrumentGroups.map((group) => (
                <option key={group} value={group}>
                  {GROUP_WORDS[group]}
                </option>
              ))}
            </SelectField>
          </div>
          <ListingFields listing={null} messages={messages} />
          <BoundFields row={null} messages={messages} />
          <TextField id="listing-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
        </>
      )}
      submit="List"
      busy="Listing..."
      send={async (body) => {
        await call(addInstrument, body);
        toast({ title: `${body.symbol} was listed` });
      }}
      onClose={onClose}
    />
  );
}
