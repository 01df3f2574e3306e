import type { Waiting } from "../../src/admin/schema";
import type { Tab } from "../ui/Tabs";

const TABS = [
  { id: "today", label: "Today" },
  { id: "users", label: "Users" },
  { id: "deposits", label: "Deposits" },
  { id: "withdrawals", label: "Withdrawals" },
  { id: "trades", label: "Trade Control" },
  { id: "visitors", label: "Visitors" },
  { id: "support", label: "Support" },
  { id: "audit", label: "Audit Trail" },
  { id: "overview", label: "Overview" },
  { id: "wallets", label: "Wallets" },
  { id: "system", label: "System" },
] as const;

export type AdminTab = (typeof TABS)[number]["id"];

/** The tab that an address names; the first one where it names none of them. */
export const adminTabOf = (name: string | null): AdminTab => TABS.find(({ id }) => id === name)?.id ?? "today";
export const adminTabLabel = (tab: AdminTab): string => TABS.find(({ id }) => id === tab)?.label ?? "";

/** The tabs with what waits behind them. */
export function adminTabs({ deposits, withdrawals, corrections, support }: Waiting): Tab[] {
  const counts: Partial<Record<AdminTab, number>> = { deposits, withdrawals, trades: corrections, support };
  return TABS.map((tab) => {
    const count = counts[tab.id];
    return count === undefined ? tab : { ...tab, count, waits: count > 0 };
  });
}
