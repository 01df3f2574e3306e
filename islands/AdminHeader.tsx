import { useEffect } from "react";
import { type Waiting, waitingCounts } from "../src/admin/schema";
import { AdminHeader as Header } from "../views/admin/AdminHeader";
import type { AdminTab } from "../views/admin/tabs";
import { call } from "./lib/api";
import { island } from "./lib/island";
import { useLive } from "./lib/live_list";
import { useTabInView } from "./lib/tab_in_view";

/** What moves one of the counts. */
const WAITS = ["deposit", "withdrawal", "person", "correction", "ticket", "chat"] as const;

type Props = { tab: AdminTab; waiting: Waiting };

/** Keeps the counts of what waits current, in the page's title too, so that a tab in the background tells. */
export function AdminHeader({ tab, waiting }: Props) {
  const { value } = useLive(waiting, () => call(waitingCounts), WAITS, { hidden: true });
  const total = value.deposits + value.withdrawals + value.registrations + value.corrections + value.support;
  useTabInView();
  useEffect(() => {
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = total > 0 ? `(${total}) ${title}` : title;
  }, [total]);
  return <Header tab={tab} waiting={value} />;
}

export default island("AdminHeader", AdminHeader);
