import { useSignals } from "@preact/signals-react/runtime";
import type { Overview } from "../src/portal/schema";
import { RecentActivity } from "../views/home/RecentActivity";
import { useDesk } from "./lib/desk";
import { island } from "./lib/island";
import { useOverview } from "./lib/overview";

/** What the person did last, on whatever tab or device. */
export function HomeActivity({ overview }: { overview: Overview }) {
  useSignals();
  const here = useDesk({});
  return <RecentActivity activity={useOverview(overview, here).activity} />;
}

export default island("HomeActivity", HomeActivity, { when: "idle" });
