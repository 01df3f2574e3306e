import { useSignals } from "@preact/signals-react/runtime";
import type { TradingAccount } from "../../src/accounts/schema";
import type { Position } from "../../src/trading/schema";
import { type DashboardTab, dashboardTabs } from "../../views/portal/dashboard_tabs";
import { Tabs } from "../../views/ui/Tabs";
import { accounts, positions, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useTabInView } from "../runtime/tab_in_view";

type Props = { current: DashboardTab; accounts: TradingAccount[]; positions: Position[] };

/** The dashboard's tabs, with how many accounts and positions there are now. */
export function DashboardTabs({ current, accounts: firstAccounts, positions: firstPositions }: Props) {
  useSignals();
  const here = useTradingStore({ accounts: firstAccounts, positions: firstPositions });
  useTabInView();
  const active = ((here && accounts.value) || firstAccounts).filter(({ status }) => status === "active");
  const open = (here && positions.value) || firstPositions;
  return <Tabs label="Dashboard" tabs={dashboardTabs(active.length, open.length)} current={current} path="/dashboard" />;
}

export default island("DashboardTabs", DashboardTabs, { when: "idle" });
