import { useSignals } from "@preact/signals-react/runtime";
import type { Overview } from "../../src/portal/schema";
import { RecentActivity } from "../../views/portal/RecentActivity";
import { useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useOverview } from "./overview";

/** What the person did last, on whatever tab or device. */
export function HomeActivity({ overview }: { overview: Overview }) {
  useSignals();
  const here = useTradingStore({});
  return <RecentActivity activity={useOverview(overview, here).activity} />;
}

export default island("HomeActivity", HomeActivity, { when: "idle" });
