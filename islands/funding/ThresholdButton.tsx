import { useState } from "react";
import { may } from "../../src/lib/may";
import { changeSettings, readSettings, type Settings } from "../../src/admin/schema";
import { displayMoney } from "../../src/lib/money";
import { Field } from "../../views/ui/Field";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { refreshLists, useLive } from "../runtime/live_list";
import { toast } from "../wire/toasts";

/** What the panel is set to, as whoever changes it last leaves it. */
export const useSettings = (first: Settings): Settings => useLive(first, () => call(readSettings), ["setting"]).value;

/** Says from which amount on approvals are typed, and lets administrators change it. */
export function ThresholdButton({ settings: { confirmAbove } }: { settings: Settings }) {
  const [open, setOpen] = useState(false);
  const words = `Above ${displayMoney(confirmAbove)} the amount is typed`;
  if (!may("settings.change")) return <span className="px-2 text-note text-soft">{words}</span>;
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="js-only inline-flex min-h-11 items-center rounded-control px-2 text-note text-soft underline-offset-4 hover:text-ink hover:underline md:min-h-9"
      >
        {words}
      </button>
      {open ? (
        <ActionDialog
          id="threshold"
          title="Approvals by typed amount"
          consequence="Whoever approves a request above this amount types it first. It holds for every administrator, and the change goes into the audit trail."
          schema={changeSettings.body}
          names={["confirmAbove"]}
          fields={(messages) => (
            <Field
              id="threshold-amount"
              name="confirmAbove"
              label="Amount (USD)"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={confirmAbove}
              error={messages.confirmAbove}
            />
          )}
          submit="Save"
          busy="Saving..."
          send={async (body) => {
            const saved = await call(changeSettings, body);
            toast({ title: "Setting saved", description: `Above ${displayMoney(saved.confirmAbove)} the amount is typed.` });
          }}
          onClose={() => {
            setOpen(false);
            void refreshLists();
          }}
        />
      ) : null}
    </>
  );
}
