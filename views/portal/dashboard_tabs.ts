import type { Tab } from "../ui/Tabs";

const TABS = [
  { id: "accounts", label: "Trading Accounts" },
  { id: "positions", label: "Open Positions" },
  { id: "transactions", label: "Transaction History" },
  { id: "requests", label: "Deposits and Withdrawals" },
] as const;

export type DashboardTab = (typeof TABS)[number]["id"];

/** The tab that an address names; the first one where it names none of them. */
export const dashboardTabOf = (name: string | null): DashboardTab => TABS.find(({ id }) => id === name)?.id ?? "accounts";

export function dashboardTabs(accounts: number, positions: number): Tab[] {
  const counts: Partial<Record<DashboardTab, number>> = { accounts, positions };
  return TABS.map((tab) => ({ ...tab, ...(counts[tab.id] === undefined ? {} : { count: counts[tab.id] }) }));
}
