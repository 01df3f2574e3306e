import { useEffect, useState } from "react";
import { type Waiting, waitingCounts } from "../../src/admin/schema";
import { AdminHeader as Header } from "../../views/admin/AdminHeader";
import { type AdminTab, adminTitle } from "../../views/admin/tabs";
import { useProofPrompt } from "../identity/proof";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { useLive } from "../runtime/live_list";
import { useTabInView } from "../runtime/tab_in_view";

/** What moves one of the counts. */
const WAITS = ["deposit", "withdrawal", "person", "correction", "ticket", "chat", "signature"] as const;

type Props = {
  tab: AdminTab | null;
  waiting: Waiting;
  /** Another administrator goes by the same name. */
  nameShared: boolean;
};
const NameDialog = later(() => import("../identity/NameDialog"));

/** Keeps the counts of what waits current, that of the page's own queue in its title too. */
export function AdminHeader({ tab, waiting, nameShared }: Props) {
  const [asksName, setAsksName] = useState(nameShared);
  const { value } = useLive(waiting, () => call(waitingCounts), WAITS, { hidden: true });
  useTabInView();
  useProofPrompt();
  useEffect(() => {
    document.title = adminTitle(document.title.replace(/^\(\d+\) /, ""), tab, value);
  }, [tab, value]);
  return (
    <>
      <Header tab={tab} waiting={value} />
      {asksName ? <NameDialog onClose={() => setAsksName(false)} /> : null}
    </>
  );
}

export default island("AdminHeader", AdminHeader, { ready: async ({ nameShared }) => nameShared && NameDialog.ready() });
