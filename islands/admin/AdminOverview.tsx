import { type Overview, readOverview } from "../../src/admin/schema";
import { OverviewFigures } from "../../views/admin/OverviewFigures";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { useLive } from "../runtime/live_list";
import { LostNotice } from "../ui/LostNotice";

/** However much happens, the figures are read no more often than this, in ms. */
const REST_MS = 2000;

/** The overview's figures, kept current. */
export function AdminOverview({ overview }: { overview: Overview }) {
  const { value, lost } = useLive(overview, () => call(readOverview), ["person", "deposit", "withdrawal", "trade", "account"], { rest: REST_MS });
  return (
    <div>
      {lost ? <LostNotice /> : null}
      <OverviewFigures overview={value} />
    </div>
  );
}

export default island("AdminOverview", AdminOverview);
