import { stats, type Stats } from "../../src/admin/schema_app";
import { AppDashboard } from "../../views/admin/AppDashboard";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { useLive } from "../runtime/live_list";
import { LostNotice } from "../ui/LostNotice";
import { useNow } from "../runtime/now";

const REST_MS = 3000;
/** Sessions come and go without a word. */
const EVERY_MS = 15_000;

/** The app's dashboard, brought up to date as things happen. */
export function AdminAppDashboard({ first, now: opened }: { first: Stats; now: string }) {
  const { value, lost } = useLive(first, () => call(stats), ["deposit", "withdrawal", "person", "trade"], { rest: REST_MS, every: EVERY_MS });
  const now = useNow(opened);
  return (
    <>
      {lost ? <LostNotice /> : null}
      <AppDashboard {...value} now={now} />
    </>
  );
}

export default island("AdminAppDashboard", AdminAppDashboard);
