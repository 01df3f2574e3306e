import type { Exposure } from "../../src/trading/schema_corrections";
import { limitForm, setLimit } from "../../src/trading/schema_limits";
import { displayMoney } from "../../src/lib/money";
import { Field } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

/** Asks for the bound of a symbol that staff are warned at. */
export default function LimitDialog({ row: { symbol, liveNet, limit }, onClose }: { row: Exposure; onClose: () => void }) {
  return (
    <ActionDialog
      id="limit"
      title={`Limit of ${symbol}`}
      consequence={`Clients hold ${displayMoney(liveNet, { sign: true })} net on live accounts. From the limit on, long or short, this page shows it, and all staff are told once. No order is refused.`}
      schema={limitForm}
      names={["limit"]}
      fields={(messages) => (
        <Field id="limit-amount" name="limit" label="Limit in USD, empty for none" inputMode="decimal" defaultValue={limit ?? ""} error={messages.limit} />
      )}
      submit="Set the limit"
      busy="Setting..."
      failed="The limit was not set"
      send={async ({ limit: amount }) => {
        await call(setLimit, { symbol, limit: amount || null });
        toast({ title: amount ? `${symbol} warns from ${displayMoney(amount)}` : `${symbol} has no limit` });
      }}
      onClose={onClose}
    />
  );
}
