import { type BookChoice, type Exposure, listExposure, type MarginAccount, nearStopOut } from "../../src/trading/schema_corrections";
import { ExposureTable, ExposureTotals, MarginTable } from "../../views/trading/ExposureTables";
import { Icon } from "../../views/ui/Icon";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { useAsked, useLive } from "../runtime/live_list";

export type ExposureProps = { exposure: Exposure[]; nearest: MarginAccount[]; account: BookChoice };

const LimitDialog = later(() => import("./LimitDialog"));

/** Prices move these figures all the time, so they are asked for at intervals besides. */
const EVERY_MS = 5000;
const REST_MS = 2000;

/** What all clients hold together, and whose margin is thinnest. It is there without positions, too: what comes and goes would move the list below it. */
export function AdminExposure({ exposure, nearest, account }: ExposureProps) {
  const { value } = useLive(
    { exposure, nearest },
    async () => {
      const [held, thin] = await Promise.all([call(listExposure, undefined, { query: { account } }), call(nearStopOut, undefined, { query: { account } })]);
      return { exposure: held, nearest: thin };
    },
    ["trade", "correction"],
    { rest: REST_MS, every: EVERY_MS },
  );
  const [asked, ask, close] = useAsked<Exposure>();
  return (
    <>
      <details className="rounded-card border border-line bg-surface">
        <summary className="flex min-h-9 items-center gap-x-4 gap-y-1 px-3 py-1 text-table font-medium max-xl:flex-wrap">
          <Icon name="chevronDown" className="size-4" />
          Exposure
          <ExposureTotals rows={value.exposure} />
        </summary>
        <div className="grid items-start gap-4 border-t border-line p-2 min-[88rem]:grid-cols-[auto_minmax(32rem,1fr)]">
          <ExposureTable capped rows={value.exposure} onLimit={ask} />
          <MarginTable rows={value.nearest} />
        </div>
      </details>
      {asked ? <LimitDialog row={asked} onClose={close} /> : null}
    </>
  );
}

export default island("AdminExposure", AdminExposure);
