import { useEffect, useState } from "react";
import { type Waiting, waitingCounts } from "../../src/admin/schema";
import { AdminHeader as Header } from "../../views/admin/AdminHeader";
import type { AdminTab } from "../../views/admin/tabs";
import { useProofPrompt } from "../identity/proof";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { useLive } from "../runtime/live_list";
import { useTabInView } from "../runtime/tab_in_view";

/** What moves one of the counts. */
const WAITS = ["deposit", "withdrawal", "person", "correction", "ticket", "chat"] as const;

type Props = {
  tab: AdminTab;
  waiting: Waiting;
  /** Another administrator goes by the same name. */
  nameShared: boolean;
};
const NameDialog = later(() => import("../identity/NameDialog"));

/** Keeps the counts of what waits current, in the page's title too, so that a tab in the background tells. */
export function AdminHeader({ tab, waiting, nameShared }: Props) {
  const [asksName, setAsksName] = useState(nameShared);
  const { value } = useLive(waiting, () => call(waitingCounts), WAITS, { hidden: true });
  const total = value.deposits + value.withdrawals + value.registrations + value.corrections + value.support;
  useTabInView();
  useProofPrompt();
  useEffect(() => {
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = total > 0 ? `(${total}) ${title}` : title;
  }, [total]);
  return (
    <>
      <Header tab={tab} waiting={value} />
      {asksName ? <NameDialog onClose={() => setAsksName(false)} /> : null}
    </>
  );
}

export default island("AdminHeader", AdminHeader);
