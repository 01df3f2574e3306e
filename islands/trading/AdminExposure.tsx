import { type BookChoice, type Exposure, listExposure, type MarginAccount, nearStopOut } from "../../src/trading/schema_corrections";
import { ExposureTable, MarginTable } from "../../views/trading/ExposureTables";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { useLive } from "../runtime/live_list";

export type ExposureProps = { exposure: Exposure[]; nearest: MarginAccount[]; account: BookChoice };

/** Prices move these figures all the time, so they are asked for at intervals besides. */
const EVERY_MS = 5000;
const REST_MS = 2000;

/** What all clients hold together, and whose margin is thinnest. */
export function AdminExposure({ exposure, nearest, account }: ExposureProps) {
  const { value } = useLive(
    { exposure, nearest },
    async () => {
      const [held, thin] = await Promise.all([call(listExposure, undefined, { query: { account } }), call(nearStopOut, undefined, { query: { account } })]);
      return { exposure: held, nearest: thin };
    },
    ["trade"],
    { rest: REST_MS, every: EVERY_MS },
  );
  if (value.exposure.length === 0) return <span hidden />;
  return (
    <div className="grid items-start gap-4 min-[88rem]:grid-cols-[auto_minmax(36rem,1fr)]">
      <ExposureTable capped rows={value.exposure} />
      <MarginTable rows={value.nearest} />
    </div>
  );
}

export default island("AdminExposure", AdminExposure);
