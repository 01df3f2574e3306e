import { type Waiting, waitingCounts } from "../../src/admin/schema";
import { AppMenu } from "../../views/admin/AppMenu";
import type { AppTab } from "../../views/admin/app_tabs";
import { island } from "../runtime/island";
import { useLive } from "../runtime/live_list";
import { call } from "../wire/api";

/** The app's menu, with how much waits behind each entry. */
export function AdminAppMenu({ tab, waiting }: { tab: AppTab; waiting: Waiting }) {
  const { value } = useLive(waiting, () => call(waitingCounts), ["deposit", "withdrawal", "person", "correction", "ticket", "chat"]);
  return <AppMenu tab={tab} waiting={value} />;
}

export default island("AdminAppMenu", AdminAppMenu);
